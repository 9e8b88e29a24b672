// The state of the working tree: equal keys mean equal trees.

import { expect, test } from 'vitest';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { isSameAfterCommit, readTreeState } from '../../../server/src/core/session/verify/treeState.ts';
import { sha256 } from '../../../server/src/util/hash.ts';
import { createPart } from '../../helpers/createPart.ts';

type Kind = 'modified' | 'deleted' | 'untracked';
const file = { size: 1, mtimeMs: 0, mode: 0o644, kind: 'file' as const };

/** The state with one changed path. `text` null: it cannot be read. */
async function stateWith(kind: Kind, text: string | null, throughLink = false) {
  const ports = {
    git: { state: async () => ({ head: 'h' }), listUncommittedChanges: async () => [{ path: 'a', kind }] },
    files: {
      stat: async () => (kind === 'deleted' ? null : file),
      read: async () => (text === null ? null : new TextEncoder().encode(text)),
      resolve: async () => ({ path: throughLink ? 'b' : 'a', throughLink }),
    },
  };
  return readTreeState(createPart<SessionContext>({ ports }));
}

test('texts and deleted files are told apart', async () => {
  const [one, other, gone] = [
    await stateWith('modified', 'one'),
    await stateWith('modified', 'other'),
    await stateWith('deleted', null),
  ];
  expect(new Set([one!.key, other!.key, gone!.key]).size).toBe(3);
  expect(JSON.parse(gone!.text)).toEqual({ head: 'h', files: [{ path: 'a', content: null }] });
});

test('a changed symbolic link is no deleted file: the state is unknown', async () => {
  expect(await stateWith('modified', null, true)).toBeNull();
});

test('a commit of what differs leaves the files as they are; anything else that has changed meanwhile does not', () => {
  const stateOf = (head: string, files: Readonly<Record<string, string | null>>) => {
    const list = Object.entries(files).map(([path, text]) => ({ path, content: text === null ? null : sha256(text) }));
    return { key: `${head} ${list.length}`, text: JSON.stringify({ head, files: list }), contents: [] };
  };
  const edits = [
    { path: 'a', before: '1', after: '2' },
    { path: 'b', before: '1', after: null },
  ];
  const before = stateOf('h', { a: '2', b: null, c: 'mine' });
  const same = (after: Readonly<Record<string, string | null>>, from = before) =>
    isSameAfterCommit(from, stateOf('i', after), edits);
  expect(same({ c: 'mine' })).toBe(true);
  // Only a part was committed.
  expect(same({ b: null, c: 'mine' })).toBe(true);
  // A file was edited, created or restored in between, or the commit holds another text than the file did.
  expect(same({ c: 'other' })).toBe(false);
  expect(same({ c: 'mine', d: 'new' })).toBe(false);
  expect(same({})).toBe(false);
  expect(same({ c: 'mine' }, stateOf('h', { a: '3', b: null, c: 'mine' }))).toBe(false);
});
