// Cycles of files that import each other, as strongly connected components.

import { components, shortestRound } from '../../../util/rounds.ts';
import type { DependencyGraph } from './dependencyGraph.ts';

export interface Cycle {
  /** Every file of the circle, sorted. */
  readonly files: readonly string[];
  /** The shortest way round: each imports the next, the last the first. */
  readonly path: readonly string[];
}

/** Cycles of imports that run, smallest first. The compiler erases imports of types only. */
export function cycles(graph: DependencyGraph): readonly Cycle[] {
  const edges = new Map(
    [...graph.edges].map(([path, { loads }]) => [path, loads.filter((target) => graph.edges.has(target))]),
  );
  return components(edges)
    .filter((files) => files.length > 1)
    .map((files) => ({ files: files.toSorted(), path: shortestRound(files.toSorted(), edges) }))
    .sort((a, b) => a.files.length - b.files.length || (a.files[0]! < b.files[0]! ? -1 : 1));
}
