// import-cycle: files that load each other in a circle. One opportunity for each circle of circles, at its shortest way round.

import type { Opportunity } from '../../model.ts';
import { projectOpportunity } from './found.ts';
import { loadedBy, type ModuleGraph } from './moduleGraph.ts';
import { components, shortestRound } from './rounds.ts';

/** Related places that are shown of a long way round. */
const MAX_RELATED = 20;
/** Files of a knot that are named in the evidence. */
const MAX_NAMED = 8;

/** Only imports that run when a file is loaded count: what the compiler erases and what is loaded later makes no circle. */
export function importCycles(graph: ModuleGraph): Opportunity[] {
  const steps = new Map<string, Map<string, { readonly line: number; readonly names: readonly string[] }>>();
  for (const [path, module] of graph.modules) {
    if (module.file.test || module.file.generated) continue;
    const to = new Map<string, { line: number; names: readonly string[] }>();
    for (const { to: target, line, names } of loadedBy(graph, module)) if (!to.has(target)) to.set(target, { line, names });
    steps.set(path, to);
  }
  const edges = new Map([...steps].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, to]) => [path, [...to.keys()].filter((target) => steps.has(target)).sort()]));
  return components(edges)
    .filter((files) => files.length > 1)
    .map((files) => {
      const sorted = files.toSorted();
      const round = shortestRound(sorted, edges);
      const [first = '', second = ''] = round;
      const at = (from: string, to: string) => {
        const line = steps.get(from)?.get(to)?.line ?? 1;
        return { startLine: line, startColumn: 1, endLine: line + 1, endColumn: 1 };
      };
      return projectOpportunity({
        rule: 'import-cycle',
        path: first,
        range: at(first, second),
        nameRange: at(first, second),
        symbol: null,
        about: sorted[0] ?? '',
        impact: 20 + Math.min(20, 2 * files.length),
        confidence: round.length === 2 ? 0.7 : 0.6,
        severity: 'information',
        message: `${circle(round)} load each other${files.length > round.length ? `, in a knot of ${files.length} files` : ''}: which of them is ready first depends on who is loaded first.`,
        evidence: { files: files.length, shortest: round.length, members: sorted.slice(0, MAX_NAMED).join(', ') + (sorted.length > MAX_NAMED ? ' …' : '') },
        related: round.slice(0, MAX_RELATED).map((path, step) => {
          const next = round[(step + 1) % round.length]!;
          return { path, range: at(path, next), message: `Loads ${next}${namesOf(steps.get(path)?.get(next)?.names)}.` };
        }),
      });
    });
}

function circle(round: readonly string[]): string {
  const shown = round.length > 6 ? [...round.slice(0, 5), '…', round.at(-1)!] : round;
  return [...shown, round[0]!].join(' → ');
}

function namesOf(names: readonly string[] | undefined): string {
  const told = (names ?? []).filter((name) => name !== '*' && name !== 'default').slice(0, 3);
  return told.length === 0 ? '' : ` for ${told.map((name) => `\`${name}\``).join(', ')}${names!.length > told.length ? ' …' : ''}`;
}
