// Lists exported functions that no test reaches at all. Every mistake in them goes unnoticed, so no mutant has to be
// tried.

import { isDeclarationPath, isLoadedByConvention } from '../../../analysis/project/conventions.ts';
import { isTypeTestSource } from '../../../analysis/shared/typeTests.ts';
import type { SymbolInfo } from '../../../model.ts';
import type { Operation } from '../../../operation.ts';
import { computeFileWeight } from '../../../prioritise/priority.ts';
import type { SessionContext } from '../../context.ts';
import { loadCurrentGraph } from '../../index/graph.ts';
import { readTextOrNull } from '../../search/packing.ts';
import { computeTestReach } from '../../verify/testReach.ts';
import type { UntestedFunction, UntestedFunctions } from '../analysisTypes.ts';
import { loadPriorityContext } from '../ranking.ts';

/** Maximum number of listed functions. */
const MAX_LISTED = 10;
/**
 * Minimum share of the exported functions that tests reach. With a smaller share, tests probably run the program from
 * outside, and their imports say little.
 */
const MIN_REACHED = 0.25;
/** The result if nothing is listed. */
const NO_UNTESTED: UntestedFunctions = { listed: [], count: 0 };

/**
 * The exported functions in these files that no test reaches, according to the coverage if it is known, otherwise
 * according to the functions to which the imports of tests lead. Functions with the highest centrality × churn ×
 * complexity come first. Omits simple functions without any branch.
 */
export async function listUntested(
  context: SessionContext,
  paths: readonly string[],
  { signal }: Pick<Operation, 'signal'>,
): Promise<{ readonly untested: UntestedFunctions }> {
  const searched = new Set(paths);
  const { analyses } = context.state;
  const graph = await loadCurrentGraph(context, signal);
  const reach = await computeTestReach(context, graph, analyses);
  if (reach.tests === 0) return { untested: NO_UNTESTED };
  const ranking = await loadPriorityContext(context, true);
  const candidates: ExportedFunction[] = [];
  for (const { path, generated, functions } of analyses.values()) {
    if (generated || !searched.has(path) || isDeclarationPath(path) || isLoadedByConvention(path)) continue;
    const { centrality, churn } = computeFileWeight(path, ranking);
    const symbols = (graph.records.get(path)?.symbols ?? []) as readonly SymbolInfo[];
    for (const symbol of symbols.filter(isExportedFunction)) {
      const metrics = functions.find(
        ({ name, line }) =>
          name === symbol.name && line >= symbol.range.startLine && line <= symbol.nameRange.startLine + 1,
      );
      candidates.push({
        path,
        name: symbol.path,
        line: symbol.nameRange.startLine,
        column: symbol.nameRange.startColumn,
        complexity: metrics?.cognitive ?? 0,
        isReached: reach.findReach(path, symbol).reached,
        fileWeight: centrality * churn,
      });
    }
  }
  return { untested: selectUntested(await leaveOutTypeTests(candidates, (path) => readTextOrNull(context, path))) };
}

/** Leaves out functions of tests of types, because their code never runs. Reads the files of functions that are not reached. */
export async function leaveOutTypeTests(
  candidates: readonly ExportedFunction[],
  read: (path: string) => Promise<string | null>,
): Promise<readonly ExportedFunction[]> {
  const typeTests = new Set<string>();
  for (const path of new Set(candidates.flatMap(({ path, isReached }) => (isReached ? [] : [path]))))
    if (isTypeTestSource({ path, text: (await read(path)) ?? '' })) typeTests.add(path);
  return candidates.filter(({ path }) => !typeTests.has(path));
}

/** An exported function, with the centrality × churn of its file. */
export interface ExportedFunction extends UntestedFunction {
  readonly isReached: boolean;
  readonly fileWeight: number;
}

/** The functions that no test reaches, the most important ones first. Empty if the tests reach too few functions. */
export function selectUntested(candidates: readonly ExportedFunction[]): UntestedFunctions {
  const reachedCount = candidates.filter(({ isReached }) => isReached).length;
  if (reachedCount < MIN_REACHED * candidates.length) return NO_UNTESTED;
  const untested = candidates.filter(({ isReached, complexity }) => !isReached && complexity > 0);
  const weightOf = ({ fileWeight, complexity }: ExportedFunction) => fileWeight * complexity;
  const listed = untested
    .toSorted((a, b) => weightOf(b) - weightOf(a) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line))
    .slice(0, MAX_LISTED)
    .map(({ path, name, line, column, complexity }) => ({ path, name, line, column, complexity }));
  return { listed, count: untested.length };
}

function isExportedFunction({ exported, name, kind }: SymbolInfo): boolean {
  return exported && !/^[[_#]/.test(name) && (kind === 'function' || kind === 'method');
}
