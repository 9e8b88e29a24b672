// Pairs the Python tests before a change with those after it.

import type { PythonCase } from '../frame/pythonFrame.ts';
import { compareWords, countWords, MIN_TITLE_SIMILARITY } from '../pairCases.ts';

/** Maximum number of pairs of tests whose statements are compared. */
const MAX_COMPARISONS = 100_000;

/** The parts of a test by which it is paired. */
type PairableCase = Pick<PythonCase, 'name' | 'body'> & Partial<Pick<PythonCase, 'statements'>>;

/** Pairs tests with the same name, an equal body, or equal statements without decorators and skips. */
export function pairEqualCases<T extends PairableCase>(before: readonly T[], after: readonly T[]): ReadonlyMap<T, T> {
  const pairs = new Map<T, T>();
  const unpairedCurrents = new Set(after);
  for (const keyOf of [
    ({ name }: T) => name,
    ({ name, body }: T) => body.replace(name.split(' › ').at(-1)!, ''),
    ({ statements = '' }: T) => statements,
  ]) {
    const candidates = new Map<string, T[]>();
    for (const current of unpairedCurrents)
      candidates.set(keyOf(current), [...(candidates.get(keyOf(current)) ?? []), current]);
    for (const old of before) {
      const key = keyOf(old);
      const current = pairs.has(old) || key === '' ? undefined : candidates.get(key)?.shift();
      if (!current) continue;
      pairs.set(old, current);
      unpairedCurrents.delete(current);
    }
  }
  return pairs;
}

/**
 * Pairs tests that were renamed or moved, and changed at the same time, by similar statements, most similar first.
 * Returns no pairs if there are too many to compare.
 */
export function pairSimilarCases<T extends PairableCase>(before: readonly T[], after: readonly T[]): ReadonlyMap<T, T> {
  const pairs = new Map<T, T>();
  if (before.length * after.length > MAX_COMPARISONS) return pairs;
  const countAll = (cases: readonly T[]) =>
    cases.map((testCase) => ({ testCase, words: countWords(testCase.statements ?? '') }));
  const currents = countAll(after);
  const similarPairs = countAll(before)
    .flatMap((old) => currents.map((current) => ({ old, current, similarity: compareWords(old.words, current.words) })))
    .filter(({ similarity }) => similarity >= MIN_TITLE_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity);
  const pairedCases = new Set<T>();
  for (const { old, current } of similarPairs) {
    if (pairs.has(old.testCase) || pairedCases.has(current.testCase)) continue;
    pairs.set(old.testCase, current.testCase);
    pairedCases.add(current.testCase);
  }
  return pairs;
}
