// Compares the tests before and after a change, case by case and assertion by assertion.

import type { FileEdit } from '../../model.ts';
import type { TestChangeKind } from '../../model/judgement.ts';
import {
  isWeakerAssertion,
  splitArguments,
  losesValue,
  demandsSameValue,
  type Assertion,
  type TestCaseFacts,
} from './assertion.ts';
import type { FoundChange } from './foundChange.ts';
import { computeSimilarity, MIN_TITLE_SIMILARITY, pairCases } from './pairCases.ts';
import { trackMovedAssertions } from './frame/trackMovedAssertions.ts';
import { findFrameChanges, findReplacedInCases } from './frame/findFrameChanges.ts';
import { countBy } from '../../../util/values/countBy.ts';

/** Matches a subject that tests only a part of a value: `typeof x`, `!!x`, `Boolean(x)`, `x !== undefined`. */
const ONLY_PART_PATTERN = /^(?:typeof ([\w$.]+)|!!([\w$.]+)|Boolean\(([\w$.]+)\)|([\w$.]+) !==? (?:undefined|null))$/;
/** Maximum number of characters of an assertion that a person sees. */
const MAX_CHARACTERS = 300;

/** The changes of existing tests, and the number of new tests. */
export interface ComparedCases {
  readonly changes: readonly FoundChange[];
  readonly added: number;
}

/** Compares all cases of the test files that the change touches. */
export function compareCases(
  before: readonly TestCaseFacts[],
  after: readonly TestCaseFacts[],
  edits: readonly FileEdit[] = [],
): ComparedCases {
  const pairs = pairCases(before, after);
  const changes: FoundChange[] = [];
  const pathsWithOnlyBefore = new Set(before.filter(({ only }) => only).map(({ path }) => path));
  for (const path of new Set(after.filter(({ only }) => only).map((testCase) => testCase.path)))
    if (!pathsWithOnlyBefore.has(path) && before.some((testCase) => testCase.path === path))
      changes.push({
        ...createWholeFilePlace(path),
        kind: 'skipped',
        before: null,
        after: 'only: the other tests no longer run',
      });
  const assertionsOf = trackMovedAssertions(before, after);
  const newCases = after.filter((testCase) => !isPaired(pairs, testCase) && !testCase.skipped && testCase.certain);
  /** New cases inside a case, into which its assertions may have moved. */
  const findNewSubtests = ({ path, name }: TestCaseFacts) =>
    name === '' ? [] : newCases.filter((subtest) => subtest.path === path && subtest.name.startsWith(`${name} › `));
  for (const old of before) {
    const current = pairs.get(old) ?? null;
    const assertions = assertionsOf(old, current);
    const report = (
      kind: TestChangeKind,
      line: number,
      oldText: string | null,
      newText: string | null,
      currentLine = current?.line,
      rowHint: Pick<FoundChange, 'perhapsRowOf'> = {},
    ) =>
      changes.push({
        ...rowHint,
        kind,
        path: old.path,
        line,
        ...(current && currentLine !== undefined ? { now: { path: current.path, line: currentLine } } : {}),
        test: old.name,
        before: shorten(oldText),
        after: shorten(newText),
      });
    if (current === null) {
      if (old.name === '') for (const { line, text } of assertions) report('removed', line, text, null);
      else if (!(old.skipsAlways ?? old.skipped)) {
        const possibleTable = findPossibleTable(old, before, after);
        report(
          'deleted',
          old.line,
          getFirstAssertion(old),
          null,
          undefined,
          possibleTable ? { perhapsRowOf: getLocation(possibleTable) } : {},
        );
      }
      continue;
    }
    if ((current.skipped && !old.skipped) || (current.skipsAlways && !old.skipsAlways))
      report('skipped', old.line, getFirstAssertion(old), null);
    if (old.rows !== null && current.rows !== null && current.rows < old.rows)
      report('removed', old.line, `${old.rows} rows of cases`, `${current.rows} rows of cases`);
    const assertionsNow = [current, ...findNewSubtests(current)].flatMap((testCase) => testCase.assertions);
    for (const { kind, before: oldAssertion, after: newAssertion } of compareAssertions(assertions, assertionsNow))
      report(kind, oldAssertion.line, oldAssertion.text, newAssertion?.text ?? null, newAssertion?.line);
  }
  changes.push(...findReplacedInCases(pairs, before, after, edits));
  changes.push(...findNewNeeds(pairs, after), ...findOtherEdits(pairs, changes));
  changes.push(...findFrameChanges(pairs, before, after, edits));
  return { changes, added: after.filter((testCase) => testCase.name !== '' && !isPaired(pairs, testCase)).length };
}

/**
 * A new or renamed case in the file of a deleted one, with at least as many and as strict assertions. It may be a table
 * or a loop that declares the deleted case as a row; only the runner knows the titles of rows.
 */
function findPossibleTable(
  deleted: TestCaseFacts,
  before: readonly TestCaseFacts[],
  after: readonly TestCaseFacts[],
): TestCaseFacts | undefined {
  const ranks = deleted.assertions.map(({ rank }) => rank);
  return after.find(
    ({ path, name, assertions }) =>
      path === deleted.path &&
      name !== '' &&
      !before.some((old) => old.path === path && old.name === name) &&
      assertions.length >= ranks.length &&
      assertions.some(({ rank, guard }) => guard === '' && rank >= Math.max(0, ...ranks)),
  );
}

/**
 * Tests that the runner may no longer include, for example because of a new build constraint. Each need is reported
 * once per file.
 */
function findNewNeeds(
  pairs: ReadonlyMap<TestCaseFacts, TestCaseFacts>,
  after: readonly TestCaseFacts[],
): readonly FoundChange[] {
  const oldByCurrent = new Map([...pairs].map(([old, current]) => [current, old]));
  const changeByNeed = new Map<string, FoundChange>();
  for (const current of after) {
    const old = oldByCurrent.get(current);
    // The needs of a new test weaken nothing. New needs of the code outside of all tests apply to the existing tests.
    if (!old && current.name !== '') continue;
    const addedNeeds = (current.needs ?? []).filter((need) => !old?.needs?.includes(need)).join(', ');
    const key = `${current.path}\n${addedNeeds}`;
    if (addedNeeds === '' || changeByNeed.has(key)) continue;
    const [before, line] = [old?.needs?.join(', ') || null, old?.line ?? null];
    changeByNeed.set(key, {
      kind: 'skipped',
      path: old?.path ?? current.path,
      line,
      now: getLocation(current),
      test: current.name,
      before,
      after: addedNeeds,
    });
  }
  return [...changeByNeed.values()];
}

/** Edits inside a test, or removals outside of all tests, that change no assertion: rows, values, helpers. */
function findOtherEdits(
  pairs: ReadonlyMap<TestCaseFacts, TestCaseFacts>,
  changes: readonly FoundChange[],
): readonly FoundChange[] {
  const otherChanges: FoundChange[] = [];
  for (const [old, current] of pairs) {
    const isReported = [...changes, ...otherChanges].some(
      ({ path, test }) =>
        path === old.path && (test === old.name || (old.name !== '' && test.startsWith(`${old.name} › `))),
    );
    const [row, part] = [findFirstLost(old.table, current.table), findFirstLost(old.parts, current.parts)];
    if (isReported || (old.body === current.body && row === null && part === null)) continue;
    const kind = row === null ? 'rewritten' : 'expected';
    const before = shorten(row ?? part);
    otherChanges.push({ kind, ...getLocation(old), now: getLocation(current), test: old.name, before, after: null });
  }
  return otherChanges;
}

/** The first text that occurs less often than before; null if there is none. */
function findFirstLost(before: readonly string[] = [], after: readonly string[] = []): string | null {
  const remaining = new Map<string, number>();
  for (const value of after) remaining.set(value, (remaining.get(value) ?? 0) + 1);
  for (const value of before) {
    const times = remaining.get(value) ?? 0;
    if (times === 0) return value;
    remaining.set(value, times - 1);
  }
  return null;
}

function getLocation({ path, line }: TestCaseFacts): { readonly path: string; readonly line: number } {
  return { path, line };
}

/** The place of a change that concerns a whole file, without a line and a test. */
function createWholeFilePlace(path: string): Pick<FoundChange, 'path' | 'line' | 'test'> {
  return { path, line: null, test: '' };
}

function isPaired(pairs: ReadonlyMap<TestCaseFacts, TestCaseFacts>, testCase: TestCaseFacts): boolean {
  return [...pairs.values()].includes(testCase);
}

/** The change of an assertion. `after`: the assertion that replaces it; null if none does. */
interface AssertionChange {
  readonly kind: 'removed' | 'loosened' | 'expected' | 'rewritten';
  readonly before: Assertion;
  readonly after: Assertion | null;
}

/**
 * Pairs the assertions of a case before and after the change, the most similar first. Reports those that demand less,
 * something else or nothing.
 */
function compareAssertions(before: readonly Assertion[], after: readonly Assertion[]): readonly AssertionChange[] {
  const unusedAssertions = new Set(removeRepeats(before, after));
  let unmatched = [...before];
  const changes: AssertionChange[] = [];
  const pairBy = (
    fits: (old: Assertion, current: Assertion) => boolean,
    judge: (old: Assertion, current: Assertion) => AssertionChange['kind'] | null,
  ) => {
    unmatched = unmatched.filter((old) => {
      const current = [...unusedAssertions].find((candidate) => fits(old, candidate));
      if (!current) return true;
      unusedAssertions.delete(current);
      const kind = judge(old, current);
      if (kind) changes.push({ kind, before: old, after: current });
      return false;
    });
  };
  const knownTexts = new Set(before.map(({ text }) => text));
  const isDemandedElsewhere = (old: Assertion) =>
    after.some((assertion) => !knownTexts.has(assertion.text) && demandsSameValue(old, assertion));
  const isLooser = (old: Assertion, current: Assertion) =>
    isWeakerAssertion(old, current) || (!old.isNegated && losesValue(old, current) && !isDemandedElsewhere(old));
  const classifyIfLooser = (old: Assertion, current: Assertion) => (isLooser(old, current) ? 'loosened' : null);
  pairBy(
    (old, current) => old.text === current.text && old.matcher === current.matcher && old.guard === current.guard,
    () => null,
  );
  pairBy((old, current) => old.text === current.text && old.matcher === current.matcher, classifyIfLooser);
  const classifyChange = (old: Assertion, current: Assertion) =>
    classifyIfLooser(old, current) ?? (old.expected === current.expected ? null : 'expected');
  const isAlike = (old: Assertion, current: Assertion) =>
    old.subject === current.subject && old.matcher === current.matcher && old.isNegated === current.isNegated;
  // Of several properties of one value, the same property comes first.
  pairBy(
    (old, current) => isAlike(old, current) && splitArguments(old.expected)[0] === splitArguments(current.expected)[0],
    classifyChange,
  );
  pairBy(isAlike, classifyChange);
  pairBy((old, current) => old.subject === current.subject, classifyChange);
  // The new assertion tests only the type or the presence of the same value.
  pairBy(
    (old, current) =>
      !old.isNegated && findPartlyAskedExpression(current.subject) === old.subject && !isDemandedElsewhere(old),
    () => 'loosened',
  );
  // An assertion about another value, with at least the same rank and a guard that is not longer.
  pairBy(
    (old, current) => current.rank >= old.rank && current.guard.length <= old.guard.length,
    () => 'rewritten',
  );
  pairBy(
    () => true,
    (old, current) =>
      computeSimilarity(old.subject, current.subject) >= MIN_TITLE_SIMILARITY ? 'loosened' : 'removed',
  );
  return [...changes, ...unmatched.map((old) => ({ kind: 'removed' as const, before: old, after: null }))];
}

/**
 * The expression of which a subject tests only the type or presence, such as `a` in `typeof a`; null for other
 * subjects.
 */
function findPartlyAskedExpression(subject: string): string | null {
  const [, type, presence, truth, defined] = ONLY_PART_PATTERN.exec(subject) ?? [];
  return type ?? presence ?? truth ?? defined ?? null;
}

/**
 * The assertions of `after` that do not occur more often than before. A repeated assertion can replace another one only
 * if that one no longer occurs, and only as often as it was repeated.
 */
function removeRepeats(before: readonly Assertion[], after: readonly Assertion[]): readonly Assertion[] {
  const createKey = ({ text, subject }: Assertion) => JSON.stringify([text, subject]);
  const timesAfter = countBy(after, createKey);
  const allowedTimes = new Map(countBy(before, createKey));
  const lostRepeats = new Map(
    before
      .map((old) => [createKey(old), old] as const)
      .filter(([key]) => allowedTimes.get(key)! > 1 && !timesAfter.has(key)),
  );
  for (const current of after) {
    const key = createKey(current);
    if (allowedTimes.has(key) || timesAfter.get(key) === 1) continue;
    const replacedRepeat =
      [...lostRepeats].find(([, old]) => old.subject === current.subject) ??
      [...lostRepeats].find(([, old]) => computeSimilarity(old.subject, current.subject) >= MIN_TITLE_SIMILARITY);
    allowedTimes.set(key, replacedRepeat ? allowedTimes.get(replacedRepeat[0])! : 1);
    if (replacedRepeat) lostRepeats.delete(replacedRepeat[0]);
  }
  const timesSeen = new Map<string, number>();
  return after.filter((assertion) => {
    const key = createKey(assertion);
    const times = (timesSeen.get(key) ?? 0) + 1;
    timesSeen.set(key, times);
    return times <= (allowedTimes.get(key) ?? 1);
  });
}

/** The text of the first assertion of a case; null if there is none. */
function getFirstAssertion({ assertions }: TestCaseFacts): string | null {
  return assertions[0]?.text ?? null;
}

function shorten(text: string | null): string | null {
  return text === null || text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`;
}
