// Compares the tests before and after a change: case by case, assertion by assertion.

import type { TestChange, TestChangeKind } from '../../model/judgement.ts';
import { acceptsMore, type Assertion, type TestCaseFacts } from './assertion.ts';

/** A change of a test whose old form has not been run yet. */
export type FoundChange = Omit<TestChange, 'oldTest' | 'said'>;

/** A renamed case, or the changed subject of an assertion, is recognised if at least this share of the text stays. */
const MIN_SIMILARITY = 0.6;
/** Maximum number of characters of an assertion that a person sees. */
const MAX_CHARACTERS = 300;

export interface ComparedCases {
  readonly changes: readonly FoundChange[];
  readonly added: number;
}

/** Compares all cases of the test files that the change touches, before and after it. */
export function compareCases(before: readonly TestCaseFacts[], after: readonly TestCaseFacts[]): ComparedCases {
  const pairs = pairCases(before, after);
  const changes: FoundChange[] = [];
  const onlyBefore = new Set(before.filter(({ only }) => only).map(({ path }) => path));
  for (const path of new Set(after.filter(({ only }) => only).map((one) => one.path)))
    if (!onlyBefore.has(path) && before.some((one) => one.path === path))
      changes.push({ ...placeOf(path), kind: 'skipped', before: null, after: 'only: the other tests no longer run' });
  for (const was of before) {
    const is = pairs.get(was) ?? null;
    const report = (kind: TestChangeKind, line: number, one: string | null, other: string | null) =>
      changes.push({ kind, path: was.path, line, test: was.name, before: shorten(one), after: shorten(other) });
    if (is === null) {
      if (was.name === '') for (const { line, text } of was.assertions) report('removed', line, text, null);
      else if (!was.skipped) report('deleted', was.line, firstOf(was), null);
      continue;
    }
    if (is.skipped && !was.skipped) report('skipped', was.line, firstOf(was), null);
    if (was.rows !== null && is.rows !== null && is.rows < was.rows)
      report('removed', was.line, `${was.rows} rows of cases`, `${is.rows} rows of cases`);
    for (const { kind, before: one, after: other } of compareAssertions(was.assertions, is.assertions))
      report(kind, one.line, one.text, other?.text ?? null);
  }
  return { changes, added: after.filter((one) => one.name !== '' && !isPaired(pairs, one)).length };
}

function placeOf(path: string): Pick<FoundChange, 'path' | 'line' | 'test'> {
  return { path, line: null, test: '' };
}

function isPaired(pairs: ReadonlyMap<TestCaseFacts, TestCaseFacts>, one: TestCaseFacts): boolean {
  return [...pairs.values()].includes(one);
}

/** Pairs cases by file and name, then by name alone, then by an equal body, then by similar bodies. */
function pairCases(
  before: readonly TestCaseFacts[],
  after: readonly TestCaseFacts[],
): ReadonlyMap<TestCaseFacts, TestCaseFacts> {
  const pairs = new Map<TestCaseFacts, TestCaseFacts>();
  const free = new Set(after);
  const pairBy = (fits: (was: TestCaseFacts, is: TestCaseFacts) => boolean) => {
    for (const was of before) {
      if (pairs.has(was)) continue;
      const is = [...free].find((one) => fits(was, one));
      if (!is) continue;
      pairs.set(was, is);
      free.delete(is);
    }
  };
  pairBy((was, is) => was.path === is.path && was.name === is.name && was.body === is.body);
  pairBy((was, is) => was.path === is.path && was.name === is.name);
  pairBy((was, is) => was.name !== '' && was.name === is.name && was.body === is.body);
  pairBy((was, is) => was.name !== '' && was.name === is.name);
  pairBy((was, is) => was.name !== '' && is.name !== '' && was.body !== '' && was.body === is.body);
  // Cases that were renamed or moved, and changed at the same time: the most similar first.
  const unpaired = before.filter((was) => !pairs.has(was) && was.name !== '');
  const alike = unpaired
    .flatMap((was) =>
      [...free].filter(({ name }) => name !== '').map((is) => ({ was, is, likeness: likeness(was.body, is.body) })),
    )
    .filter((one) => one.likeness >= MIN_SIMILARITY)
    .sort((one, other) => other.likeness - one.likeness);
  for (const { was, is } of alike) {
    if (pairs.has(was) || !free.has(is)) continue;
    pairs.set(was, is);
    free.delete(is);
  }
  return pairs;
}

/** The share of words that both texts have in common, from 0 to 1. */
function likeness(one: string, other: string): number {
  const [unpaired, right] = [countsOf(one), countsOf(other)];
  let common = 0;
  let total = 0;
  for (const word of new Set([...unpaired.keys(), ...right.keys()])) {
    const [a, b] = [unpaired.get(word) ?? 0, right.get(word) ?? 0];
    common += Math.min(a, b);
    total += Math.max(a, b);
  }
  return total === 0 ? 0 : common / total;
}

function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.match(/[\w$]+|[^\s\w]/g) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

interface AssertionChange {
  readonly kind: 'removed' | 'loosened' | 'expected' | 'rewritten';
  readonly before: Assertion;
  readonly after: Assertion | null;
}

function compareAssertions(before: readonly Assertion[], after: readonly Assertion[]): readonly AssertionChange[] {
  const free = new Set(withoutRepeats(before, after));
  let unmatched = [...before];
  const found: AssertionChange[] = [];
  const pairBy = (
    fits: (was: Assertion, is: Assertion) => boolean,
    judge: (was: Assertion, is: Assertion) => AssertionChange['kind'] | null,
  ) => {
    unmatched = unmatched.filter((was) => {
      const is = [...free].find((one) => fits(was, one));
      if (!is) return true;
      free.delete(is);
      const kind = judge(was, is);
      if (kind) found.push({ kind, before: was, after: is });
      return false;
    });
  };
  const loosened = (was: Assertion, is: Assertion) => (acceptsMore(was, is) ? 'loosened' : null);
  pairBy(
    (was, is) => was.text === is.text && was.matcher === is.matcher && was.guard === is.guard,
    () => null,
  );
  pairBy((was, is) => was.text === is.text && was.matcher === is.matcher, loosened);
  pairBy(
    (was, is) => was.subject === is.subject && was.matcher === is.matcher && was.negated === is.negated,
    (was, is) => loosened(was, is) ?? (was.expected === is.expected ? null : 'expected'),
  );
  pairBy(
    (was, is) => was.subject === is.subject,
    (was, is) => loosened(was, is) ?? (was.expected === is.expected ? null : 'expected'),
  );
  // An assertion about another value that demands at least as much.
  pairBy(
    (was, is) => is.rank >= was.rank && is.guard.length <= was.guard.length,
    () => 'rewritten',
  );
  pairBy(
    () => true,
    (was, is) => (likeness(was.subject, is.subject) >= MIN_SIMILARITY ? 'loosened' : 'removed'),
  );
  return [...found, ...unmatched.map((was) => ({ kind: 'removed' as const, before: was, after: null }))];
}

/**
 * The assertions of `after` that do not occur more often than before. A repeated assertion cannot replace another one.
 */
function withoutRepeats(before: readonly Assertion[], after: readonly Assertion[]): readonly Assertion[] {
  const keyOf = ({ text, subject }: Assertion) => JSON.stringify([text, subject]);
  const timesBefore = new Map<string, number>();
  for (const one of before) timesBefore.set(keyOf(one), (timesBefore.get(keyOf(one)) ?? 0) + 1);
  const timesAfter = new Map<string, number>();
  return after.filter((one) => {
    const key = keyOf(one);
    const times = (timesAfter.get(key) ?? 0) + 1;
    timesAfter.set(key, times);
    return times <= Math.max(1, timesBefore.get(key) ?? 0);
  });
}

function firstOf({ assertions }: TestCaseFacts): string | null {
  return assertions[0]?.text ?? null;
}

function shorten(text: string | null): string | null {
  return text === null || text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`;
}
