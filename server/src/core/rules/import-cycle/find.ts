// import-cycle: finds files that load each other in a cycle. Reports one opportunity for each group of files that
// import each other, at the shortest cycle in which a file reads another during loading.

import type { Opportunity } from '../../model.ts';
import { isOutsideProduct } from '../../analysis/project/conventions.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import { listLoadTimeImports, type ModuleGraph } from '../../analysis/project/moduleGraph.ts';
import { findComponents, findShortestCycleThrough } from '../../../util/stronglyConnected.ts';
import type { ProjectFinder } from '../finders.ts';

export const finder: ProjectFinder = { find: ({ modules }) => findImportCycles(modules()) };

/** An import from one file to another. */
interface ImportEdge {
  readonly line: number;
  readonly names: readonly string[];
  /** True if one of the names is read while the file is loaded. */
  readonly isReadAtLoad: boolean;
}

/** Maximum number of related places that are shown of a long cycle. */
const MAX_RELATED = 20;
/** Maximum number of files in a group. A larger one is a design decision, which a hint does not change. */
const MAX_FILES = 12;
/**
 * Matches an `internal.js` file. It imports all other files in an order that works, and all of them import it, so its
 * cycle is deliberate.
 */
const INTERNAL_FILE_PATTERN = /(^|\/)_?internals?\.[cm]?[jt]sx?$/;
/** Maximum number of files of a group that the evidence names. */
const MAX_NAMED = 8;

/**
 * Finds cycles of imports that run when files are loaded. Imports of types, and imports that run later, make no cycle.
 * A cycle in which no file reads another while it is loaded works in any order, and is only listed on request
 * (`selfware graph cycles`).
 */
function findImportCycles(graph: ModuleGraph): Opportunity[] {
  const edgesByFile = new Map<string, Map<string, ImportEdge>>();
  for (const [path, module] of graph.modules) {
    if (module.file.test || module.file.generated || isOutsideProduct(path)) continue;
    const edgesByTarget = new Map<string, ImportEdge>();
    for (const { to: target, ...edge } of listLoadTimeImports(graph, module))
      if (!edgesByTarget.has(target) || (edge.isReadAtLoad && !edgesByTarget.get(target)!.isReadAtLoad))
        edgesByTarget.set(target, edge);
    edgesByFile.set(path, edgesByTarget);
  }
  const targetsByFile = new Map(
    [...edgesByFile]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, edgesByTarget]) => [
        path,
        [...edgesByTarget.keys()].filter((target) => edgesByFile.has(target)).sort(),
      ]),
  );
  return findComponents(targetsByFile)
    .filter((files) => files.length > 1)
    .flatMap((files) => {
      const sortedFiles = files.toSorted();
      const groupPaths = new Set(files);
      const edgesReadAtLoad = sortedFiles.flatMap((path) =>
        [...(edgesByFile.get(path) ?? [])].flatMap(([target, { isReadAtLoad }]) =>
          isReadAtLoad && groupPaths.has(target) ? [[path, target] as const] : [],
        ),
      );
      const cycle =
        files.length > MAX_FILES || sortedFiles.some((path) => INTERNAL_FILE_PATTERN.test(path))
          ? null
          : findShortestCycleThrough(edgesReadAtLoad, sortedFiles, targetsByFile);
      if (!cycle) return [];
      const [first = '', second = ''] = cycle;
      const createImportRange = (from: string, to: string) => {
        const line = edgesByFile.get(from)?.get(to)?.line ?? 1;
        return { startLine: line, startColumn: 1, endLine: line + 1, endColumn: 1 };
      };
      return toProjectOpportunity({
        rule: 'import-cycle',
        path: first,
        range: createImportRange(first, second),
        nameRange: createImportRange(first, second),
        symbol: null,
        about: sortedFiles[0] ?? '',
        impact: 20 + Math.min(20, 2 * files.length),
        confidence: 0.8,
        message: `a circle of imports${files.length > cycle.length ? `, in a knot of ${files.length} files` : ''}: ${formatCycle(cycle)}. Code that runs while they are loaded may read something that is not ready yet, depending on which file is loaded first.`,
        evidence: {
          files: files.length,
          shortest: cycle.length,
          members: sortedFiles.slice(0, MAX_NAMED).join(', ') + (sortedFiles.length > MAX_NAMED ? ' …' : ''),
        },
        related: cycle.slice(0, MAX_RELATED).map((path, index) => {
          const nextPath = cycle[(index + 1) % cycle.length]!;
          return {
            path,
            range: createImportRange(path, nextPath),
            message: `${edgesByFile.get(path)?.get(nextPath)?.isReadAtLoad ? 'Reads, while it is loaded, what is in' : 'Loads'} ${nextPath}${formatNames(edgesByFile.get(path)?.get(nextPath)?.names)}.`,
          };
        }),
      });
    });
}

/** The cycle as text: the first file as a path, and the others relative to its folder where possible. */
function formatCycle(cycle: readonly string[]): string {
  const [first = ''] = cycle;
  const shownPaths = [first, ...cycle.slice(1), first].map((path, index) =>
    index === 0 ? path : toRelativePath(path, first),
  );
  return (shownPaths.length > 7 ? [...shownPaths.slice(0, 4), '…', ...shownPaths.slice(-2)] : shownPaths).join(' → ');
}

/** The path relative to the folder of `from` if it is in this folder; otherwise unchanged. */
function toRelativePath(path: string, from: string): string {
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

/** The imported names for the message, at most three; empty if there are only default and namespace imports. */
function formatNames(names: readonly string[] | undefined): string {
  const namedImports = (names ?? []).filter((name) => name !== '*' && name !== 'default').slice(0, 3);
  return namedImports.length === 0
    ? ''
    : ` for ${namedImports.map((name) => `\`${name}\``).join(', ')}${names!.length > namedImports.length ? ' …' : ''}`;
}
