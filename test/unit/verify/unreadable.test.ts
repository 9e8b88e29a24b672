// Test files that are not UTF-8 text are compared like others, and do not go unnoticed.

import { expect, test } from 'vitest';
import type { TreeChange, UnreadableFile } from '../../../server/src/core/model/judgement.ts';
import {
  findUnreadable,
  createUnreadableDoubts,
  addUnreadableTests,
} from '../../../server/src/core/verify/judge/files/unreadable.ts';

const isJudge = (path: string) => path === 'vitest.config.ts';

function changeOf(file: Partial<UnreadableFile> & { readonly path: string }, isGone = false): TreeChange {
  const unreadable = [{ before: 'a', after: isGone ? null : 'b', existed: true, wasText: true, ...file }];
  const bytes = [{ path: file.path, bytes: isGone ? null : new Uint8Array([0xe9]), executable: false }];
  return { edits: [], bytes, binary: [file.path], left: [], renamed: [], unreadable };
}

test.each<[name: string, change: TreeChange, kinds: readonly string[], doubts: number, read: number]>([
  ['a test that was text', changeOf({ path: 'test/a.test.js' }), ['unreadable'], 1, 1],
  ['a test that never was', changeOf({ path: 'test/a.test.js', wasText: false }), ['rewritten'], 1, 1],
  ['a test that is gone', changeOf({ path: 'test/a.test.js', wasText: false }, true), [], 1, 1],
  ['an unread test that is gone', changeOf({ path: 'test/a.test.js', before: null }, true), ['deleted'], 1, 1],
  ['a new test', changeOf({ path: 'test/a.test.js', existed: false, wasText: false }), [], 1, 1],
  ['a setting', changeOf({ path: 'vitest.config.ts' }), ['unreadable'], 1, 0],
  ['data of tests', changeOf({ path: 'test/fixtures/a.bin', wasText: false }), ['data'], 0, 0],
  ['data for which a pointer stood', changeOf({ path: 'e2e/pictures.test.ts-snapshots/a.png' }), ['data'], 0, 0],
  ['data that was empty', changeOf({ path: 'test/fixtures/a.bin', before: '' }), ['data'], 0, 0],
  ['code', changeOf({ path: 'src/a.js' }), [], 0, 0],
])('%s', (_, change, kinds, doubts, read) => {
  expect(findUnreadable(change, isJudge).map(({ kind }) => kind)).toEqual(kinds);
  expect(createUnreadableDoubts(change, isJudge)).toHaveLength(doubts);
  expect(addUnreadableTests(change)).toHaveLength(read);
});

test('a test that moves is compared under its new path', () => {
  const change = changeOf({ path: 'test/a.test.js', before: null }, true);
  const renamed = [{ from: 'test/a.test.js', to: 'test/b.test.js' }];
  expect(findUnreadable({ ...change, renamed }, isJudge)).toEqual([]);
});
