// import-cycle: finds files that load each other in a cycle. One opportunity for each group of cycles, at its shortest
// cycle in which a file reads another while it is loaded.

import type { Opportunity } from '../../model.ts';
import { isOutsideProduct } from '../../analysis/project/conventions.ts';
import { toProjectOpportunity } from '../../analysis/project/projectFinding.ts';
import { loadTimeImports, type ModuleGraph } from '../../analysis/project/moduleGraph.ts';
import { findComponents, findShortestCycleThrough } from '../../../util/stronglyConnected.ts';
import type { ProjectFinder } from '../finders.ts';

export const finder: ProjectFinder = { find: ({ modules }) => findImportCycles(modules()) };

/** An import from one file to another. */
interface Step {
  readonly line: number;
  readonly names: readonly string[];
  /** True if the name is read while the file is loaded. */
  readonly ready: boolean;
}

/** Maximum number of related places that are shown of a long cycle. */
const MAX_RELATED = 20;
/** Maximum number of files in a group. A larger one is a design decision, which a hint does not change. */
const MAX_FILES = 12;
/** Matches a file that loads all others in a working order, and that they all load: a cycle on purpose. */
const ORDERED_PATTERN = /(^|\/)_?internals?\.[cm]?[jt]sx?$/;
/** Maximum number of files of a group that the evidence names. */
const MAX_NAMED = 8;

/**
 * Finds cycles. Only imports that run when a file is loaded count. Types, and imports that run later, make no cycle. A
 * cycle that works in any order, because no file reads the others while it is loaded, is only listed on request
 * (`selfware graph cycles`).
 */
function findImportCycles(graph: ModuleGraph): Opportunity[] {
  const steps = new Map<string, Map<string, Step>>();
  for (const [path, module] of graph.modules) {
    if (module.file.test || module.file.generated || isOutsideProduct(path)) continue;
    const to = new Map<string, Step>();
    for (const { to: target, ...step } of loadTimeImports(graph, module))
      if (!to.has(target) || (step.ready && !to.get(target)!.ready)) to.set(target, step);
    steps.set(path, to);
  }
  const edges = new Map(
    [...steps]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, to]) => [path, [...to.keys()].filter((target) => steps.has(target)).sort()]),
  );
  return findComponents(edges)
    .filter((files) => files.length > 1)
    .flatMap((files) => {
      const sorted = files.toSorted();
      const inside = new Set(files);
      const earlySteps = sorted.flatMap((path) =>
        [...(steps.get(path) ?? [])].flatMap(([target, { ready }]) =>
          ready && inside.has(target) ? [[path, target] as const] : [],
        ),
      );
      const cycle =
        files.length > MAX_FILES || sorted.some((path) => ORDERED_PATTERN.test(path))
          ? null
          : findShortestCycleThrough(earlySteps, sorted, edges);
      if (!cycle) return [];
      const [first = '', second = ''] = cycle;
      const importPlace = (from: string, to: string) => {
        const line = steps.get(from)?.get(to)?.line ?? 1;
        return { startLine: line, startColumn: 1, endLine: line + 1, endColumn: 1 };
      };
      return toProjectOpportunity({
        rule: 'import-cycle',
        path: first,
        range: importPlace(first, second),
        nameRange: importPlace(first, second),
        symbol: null,
        about: sorted[0] ?? '',
        impact: 20 + Math.min(20, 2 * files.length),
        confidence: 0.8,
        message: `a circle of imports${files.length > cycle.length ? `, in a knot of ${files.length} files` : ''}: ${cycleText(cycle)}. Code that runs while they are loaded may read something that is not ready yet, depending on which file is loaded first.`,
        evidence: {
          files: files.length,
          shortest: cycle.length,
          members: sorted.slice(0, MAX_NAMED).join(', ') + (sorted.length > MAX_NAMED ? ' …' : ''),
        },
        related: cycle.slice(0, MAX_RELATED).map((path, step) => {
          const next = cycle[(step + 1) % cycle.length]!;
          return {
            path,
            range: importPlace(path, next),
            message: `${steps.get(path)?.get(next)?.ready ? 'Reads, while it is loaded, what is in' : 'Loads'} ${next}${namesOf(steps.get(path)?.get(next)?.names)}.`,
          };
        }),
      });
    });
}

/** The first file as a path, the others as that file would name them. */
function cycleText(cycle: readonly string[]): string {
  const [first = ''] = cycle;
  const shownPaths = [first, ...cycle.slice(1), first].map((path, step) =>
    step === 0 ? path : withoutOwnFolder(path, first),
  );
  return (shownPaths.length > 7 ? [...shownPaths.slice(0, 4), '…', ...shownPaths.slice(-2)] : shownPaths).join(' → ');
}

function withoutOwnFolder(path: string, from: string): string {
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

function namesOf(names: readonly string[] | undefined): string {
  const namedImports = (names ?? []).filter((name) => name !== '*' && name !== 'default').slice(0, 3);
  return namedImports.length === 0
    ? ''
    : ` for ${namedImports.map((name) => `\`${name}\``).join(', ')}${names!.length > namedImports.length ? ' …' : ''}`;
}
