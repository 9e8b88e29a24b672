// Finds cycles of files that import each other, as strongly connected components.

import { findComponents, findShortestCycle } from '../../../util/stronglyConnected.ts';
import type { DependencyGraph } from './dependencyGraph.ts';

/** Files that import each other, directly or indirectly. */
export interface Cycle {
  /** Every file of the cycle, sorted. */
  readonly files: readonly string[];
  /** The shortest cycle among them: each file imports the next, and the last imports the first. */
  readonly path: readonly string[];
}

/**
 * The cycles of imports that are loaded at run time, smallest first. Type-only imports do not count, because the
 * compiler erases them.
 */
export function findCycles(graph: DependencyGraph): readonly Cycle[] {
  const edges = new Map(
    [...graph.edges].map(([path, { loads }]) => [path, loads.filter((target) => graph.edges.has(target))]),
  );
  return findComponents(edges)
    .filter((files) => files.length > 1)
    .map((files) => ({ files: files.toSorted(), path: findShortestCycle(files.toSorted(), edges) }))
    .sort((a, b) => a.files.length - b.files.length || (a.files[0]! < b.files[0]! ? -1 : 1));
}
