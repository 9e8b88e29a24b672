// Words for what became of tests, for people.

import type { TestChange, TestChangeKind } from '../../model/judgement.ts';

export const TEST_CHANGE_WORDS: Readonly<Record<TestChangeKind, string>> = {
  deleted: 'test deleted',
  skipped: 'test skipped',
  removed: 'assertion removed',
  loosened: 'assertion loosened',
  threshold: 'threshold lowered',
  expected: 'expected value changed',
  rewritten: 'assertion rewritten',
  gone: 'gone with the code that it tested',
  data: 'data of tests changed',
};

const SAYS: Readonly<Record<TestChange['oldTest'], string>> = {
  passes: 'The old test passes on the new code.',
  fails: 'The old test fails on the new code.',
  unknown: '',
};

/** What the old test says of the new code; empty where it was not asked. */
export function oldTestText({ oldTest, said }: TestChange): string {
  return [SAYS[oldTest], said ?? ''].filter((text) => text !== '').join(' ');
}

export function placeText({ path, line, test }: TestChange): string {
  return `${path}${line === null ? '' : `:${line}`}${test === '' ? '' : ` › ${test}`}`;
}
