// Pairs the test cases before a change with those after it.

import type { Assertion, TestCaseFacts } from './assertion.ts';
import { countEach } from '../../../util/values/countBy.ts';

/** Minimum similarity of the texts by which a renamed case, or the changed subject of an assertion, is recognised. */
export const MIN_TITLE_SIMILARITY = 0.6;
/** Matches a string in a normalised text. */
const STRING_PATTERN = /(["'])(?:(?!\1)[^\\\n]|\\.)*\1/g;
/** Matches code that declares a name or assigns a value. */
const DECLARES_PATTERN = /\b(?:let|const|var|class|catch|function [\w$]+)\b|(?<![=!<>])=(?![=>])|\+\+|--/;

/**
 * Pairs cases by file and name, then only by name, then by equal bodies, then by similar bodies, then by their
 * assertions. Several old cases may share a new case that asserts everything that they did.
 */
export function pairCases(
  before: readonly TestCaseFacts[],
  after: readonly TestCaseFacts[],
): ReadonlyMap<TestCaseFacts, TestCaseFacts> {
  const pairs = new Map<TestCaseFacts, TestCaseFacts>();
  const unpairedCurrents = new Set(after);
  const pairBy = (fits: (old: TestCaseFacts, current: TestCaseFacts) => boolean) => {
    for (const old of before) {
      if (pairs.has(old)) continue;
      const current = [...unpairedCurrents].find((candidate) => fits(old, candidate));
      if (!current) continue;
      pairs.set(old, current);
      unpairedCurrents.delete(current);
    }
  };
  pairBy((old, current) => old.path === current.path && old.name === current.name && old.body === current.body);
  pairBy((old, current) => old.path === current.path && old.name === current.name);
  pairBy((old, current) => old.name !== '' && old.name === current.name && old.body === current.body);
  pairBy((old, current) => old.name !== '' && old.name === current.name);
  pairBy((old, current) => old.name !== '' && current.name !== '' && old.body !== '' && old.body === current.body);
  // Pairs cases that were renamed or moved and changed at the same time, the most similar first.
  const unpaired = before.filter((old) => !pairs.has(old) && old.name !== '');
  const similarPairs = unpaired
    .flatMap((old) =>
      [...unpairedCurrents]
        .filter(({ name }) => name !== '')
        .map((current) => ({ old, current, similarity: computeSimilarity(old.body, current.body) })),
    )
    .filter((pair) => pair.similarity >= MIN_TITLE_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity);
  for (const { old, current } of similarPairs) {
    if (pairs.has(old) || !unpairedCurrents.has(current)) continue;
    pairs.set(old, current);
    unpairedCurrents.delete(current);
  }
  pairByAssertions(
    before.filter((old) => !pairs.has(old) && isOnlyAsserting(old)),
    [...unpairedCurrents].filter(isOnlyAsserting),
    pairs,
  );
  return pairs;
}

/**
 * Pairs each remaining old case with the new case in its file that asserts the same values. A new case serves several
 * old ones only if all but the first have the same expected values; each of its assertions counts once.
 */
function pairByAssertions(
  olds: readonly TestCaseFacts[],
  currents: readonly TestCaseFacts[],
  pairs: Map<TestCaseFacts, TestCaseFacts>,
): void {
  const remaining = new Map(currents.map((current) => [current, current.assertions]));
  for (const old of olds)
    for (const [current, assertions] of remaining) {
      const isFirst = assertions.length === current.assertions.length;
      const remainingAssertions =
        current.path === old.path ? removeMatchingAssertions(old.assertions, assertions, isFirst) : null;
      if (remainingAssertions === null) continue;
      pairs.set(old, current);
      remaining.set(current, remainingAssertions);
      break;
    }
}

/** The remaining offered assertions after removing one for each wanted one; null if one of these is missing. */
function removeMatchingAssertions(
  wanted: readonly Assertion[],
  offered: readonly Assertion[],
  mayExpectOther: boolean,
): readonly Assertion[] | null {
  const remainingAssertions = [...offered];
  for (const old of wanted) {
    const isAlike = ({ subject, matcher, isNegated, guard }: Assertion) =>
      subject === old.subject && matcher === old.matcher && isNegated === old.isNegated && guard === old.guard;
    const expectsSame = ({ expected }: Assertion) =>
      expected === old.expected || expected.startsWith(`${old.expected}, `);
    const equalIndex = remainingAssertions.findIndex((current) => isAlike(current) && expectsSame(current));
    const index = equalIndex < 0 && mayExpectOther ? remainingAssertions.findIndex(isAlike) : equalIndex;
    if (index < 0) return null;
    remainingAssertions.splice(index, 1);
  }
  return remainingAssertions;
}

/**
 * True for a case that declares and assigns nothing, so that its assertions mean the same in another case of its file.
 */
function isOnlyAsserting({ name, body, assertions }: TestCaseFacts): boolean {
  const code = body.replace(STRING_PATTERN, "''");
  return name !== '' && assertions.length > 0 && !DECLARES_PATTERN.test(code);
}

/** The share of words that both texts have in common, from 0 to 1. */
export function computeSimilarity(before: string, after: string): number {
  return compareWords(countWords(before), countWords(after));
}

/** The words of a text and how often each occurs. */
export interface WordCounts {
  readonly counts: Counts;
  readonly total: number;
}

/** Counts the words and punctuation marks of a text once, for many comparisons with other texts. */
export function countWords(text: string): WordCounts {
  const counts = collectCounts(text);
  return { counts, total: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}

/** The share of words that two texts have in common, from 0 to 1. */
export function compareWords(left: WordCounts, right: WordCounts): number {
  let commonCount = 0;
  for (const [word, count] of left.counts) commonCount += Math.min(count, right.counts.get(word) ?? 0);
  const total = left.total + right.total - commonCount;
  return total === 0 ? 0 : commonCount / total;
}

/** The number of occurrences of each word and each punctuation mark. */
function collectCounts(text: string): Counts {
  return countEach(text.match(/[\w$]+|[^\s\w]/g) ?? []);
}

type Counts = ReadonlyMap<string, number>;
