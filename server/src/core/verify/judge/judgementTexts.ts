// Phrases for people about the changes of tests.

import type { Judgement, TestChange, TestChangeKind } from '../../model/judgement.ts';
import { provesEquivalence } from '../../model/proofs.ts';
import { explainStrength } from '../strength.ts';

/** What happened to a test, by the kind of the change. */
export const TEST_CHANGE_TEXTS: Readonly<Record<TestChangeKind, string>> = {
  deleted: 'test deleted',
  skipped: 'test skipped',
  removed: 'assertion removed',
  loosened: 'assertion loosened',
  threshold: 'threshold lowered',
  unreadable: 'no longer readable as UTF-8 text',
  expected: 'expected value changed',
  rewritten: 'assertion rewritten',
  gone: 'gone with the code that it tested',
  data: 'data of tests changed',
};

/** The sentence about the old test on the new code, by its result. */
const OLD_TEST_TEXTS: Readonly<Record<TestChange['oldTest'], string>> = {
  passes: 'The old test passes on the new code.',
  fails: 'The old test fails on the new code.',
  unknown: '',
};

/** The meaning of the strength for this change, in one sentence. */
export function describeStrength({ strength, verdicts }: Pick<Judgement, 'strength' | 'verdicts'>): string {
  const isCompared = verdicts.some(provesEquivalence);
  if (strength === 'proven' && !isCompared) return 'It changes no code, no test and no setting.';
  if (strength === 'unchecked' && verdicts.some(({ outcome }) => outcome === 'failed'))
    return 'A check has failed, so the others prove nothing.';
  return explainStrength(strength, verdicts);
}

/** The result of the old test on the new code; empty if it was not run. */
export function describeOldTest({ oldTest, said }: TestChange): string {
  return [OLD_TEST_TEXTS[oldTest], said ?? ''].filter((text) => text !== '').join(' ');
}

/** The place of a change as `path:line › test`, without unknown parts. */
export function formatTestPlace(change: TestChange): string {
  return `${formatLine(change)}${change.test === '' ? '' : ` › ${change.test}`}`;
}

/**
 * The place of a change as `path:line`: before the change, or after it for new code. Only the path if no line is known.
 */
export function formatLine({ path, line, now }: Pick<TestChange, 'path' | 'line' | 'now'>): string {
  if (line !== null) return `${path}:${line}`;
  return now ? `${now.path}:${now.line}` : path;
}

/** The first three words or paths, and the number of further ones. */
export function joinFirstThree(words: readonly string[]): string {
  return `${words.slice(0, 3).join(', ')}${words.length > 3 ? ` and ${words.length - 3} more` : ''}`;
}

/** A weakened test as a phrase, such as `removed in test/grade.test.js:8 (grades)`. */
export function describeWeakenedTest(change: Pick<TestChange, 'kind' | 'path' | 'line' | 'now' | 'test'>): string {
  return `${change.kind} in ${formatLine(change)}${change.test === '' ? '' : ` (${change.test})`}`;
}
