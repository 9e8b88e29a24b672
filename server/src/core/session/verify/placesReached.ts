// Counts the places of a change that tests reach.

import { diffArrays } from 'diff';
import { isProse } from '../../paths/nonSourcePaths.ts';
import { isTestEdit } from '../../paths/testEdits.ts';
import { toCountedPath } from '../../paths/tests.ts';
import { computeReach } from '../../index/graph/reach.ts';
import type { FileEdit, SymbolInfo } from '../../model.ts';
import type { SessionContext } from '../context.ts';
import { computeRelationsWith } from '../index/graph.ts';
import { isTestCode, computeTestReach } from './testReach.ts';
import type { TestReachOfPlaces } from '../../verify/context.ts';

/**
 * Maximum number of lines in which both texts differ. If more lines differ, every line counts as touched. This limits
 * the time of the diff.
 */
const MAX_DIFFERENCES = 2_000;
/** Kinds of definitions that are not executed. */
const NOT_RUN: ReadonlySet<SymbolInfo['kind']> = new Set(['interface', 'type']);

/**
 * Counts the definitions of the old files in which lines are removed or added, and how many of them tests reach. Code
 * of a file outside of all definitions counts as one place, and so does an edited test. Skips types and prose, which
 * are not executed, and new files other than tests. A file whose definitions are unknown counts as one place that is
 * not reached.
 */
export async function countReachedPlaces(
  context: SessionContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<TestReachOfPlaces> {
  const assertingTests = await findAssertingTests(context, edits, signal);
  const { graph, relations } = await computeRelationsWith(context, assertingTests, signal);
  const reach = await computeTestReach(context, graph, context.state.analyses);
  const loadedReach = computeReach(graph, isTestCode);
  const reachedPlaces: boolean[] = [];
  for (const { path, before, after } of edits) {
    if (isProse(path)) continue;
    const row = relations.get(path);
    const isTest = isTestEdit({ path, before, after });
    if (before === null || isTest) {
      // A new file is a place only if it is a test, and reached only if it asserts something.
      if (isTest) reachedPlaces.push(before !== null || assertingTests.some((test) => test.path === path));
      continue;
    }
    if (!row || row.language === null) {
      reachedPlaces.push(false);
      continue;
    }
    for (const symbol of findSymbolsAt(row.symbols, findRemovedLines(before, after ?? '')))
      if (symbol === null) reachedPlaces.push(loadedReach.has(path, null));
      else if (!NOT_RUN.has(symbol.kind)) reachedPlaces.push(reach.findReach(path, symbol).reached);
  }
  return { touched: reachedPlaces.length, reached: reachedPlaces.filter(Boolean).length };
}

/**
 * The edited tests that count as reaching the functions that they call: those with more assertions than before. A call
 * without an assertion shows almost nothing, and the author of a change could add it to make the change look tested.
 */
async function findAssertingTests(context: SessionContext, edits: readonly FileEdit[], signal: AbortSignal) {
  const countAssertions = async (path: string, text: string) => {
    const file = { path: toCountedPath(path), bytes: new TextEncoder().encode(text) };
    const [inventory] = await context.ports.jobs.run('inventory', [file], signal);
    return inventory?.tests?.assertions ?? 0;
  };
  const assertingTests = await Promise.all(
    edits.map(async ({ path, before, after }) => {
      if (!isTestEdit({ path, before, after }) || after === null) return [];
      const assertionsBefore = before === null ? 0 : await countAssertions(path, before);
      return (await countAssertions(path, after)) > assertionsBefore ? [{ path, text: after }] : [];
    }),
  );
  return assertingTests.flat();
}

/**
 * The 1-based numbers of the lines in `before` that are removed or replaced, and the gaps into which lines are
 * inserted: n + 0.5 is the gap after line n. Added or removed runs of empty lines do not count. All lines if the texts
 * differ in more than `MAX_DIFFERENCES` lines.
 */
export function findRemovedLines(before: string, after: string): readonly number[] {
  const lines = before.split('\n');
  const changes = diffArrays(lines, after.split('\n'), { maxEditLength: MAX_DIFFERENCES });
  if (!changes) return lines.map((_, index) => index + 1);
  const positions: number[] = [];
  let line = 1;
  let isReplaced = false;
  for (const { added, removed, count, value } of changes) {
    const hasText = value.some((text) => text.trim() !== '');
    if (removed && hasText) positions.push(...Array.from({ length: count }, (_, index) => line + index));
    if (added && hasText && !isReplaced) positions.push(line - 0.5);
    isReplaced = removed === true && hasText;
    if (!added) line += count;
  }
  return positions;
}

/** The innermost definition around each place, without duplicates; null for code outside of definitions. */
function findSymbolsAt(symbols: readonly SymbolInfo[], places: readonly number[]): ReadonlySet<SymbolInfo | null> {
  const countLines = ({ range }: SymbolInfo) => range.endLine - range.startLine;
  return new Set(
    places.map((place) => {
      const enclosing = symbols.filter(({ range }) => range.startLine <= place && place <= range.endLine);
      return enclosing.reduce<SymbolInfo | null>(
        (best, symbol) => (best && countLines(best) <= countLines(symbol) ? best : symbol),
        null,
      );
    }),
  );
}
