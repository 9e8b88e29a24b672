// The state of the working tree: equal keys mean equal trees.

import { expect, test } from 'vitest';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { readTreeState } from '../../../server/src/core/session/verify/treeState.ts';
import { createPart } from '../../helpers/createPart.ts';

type Kind = 'modified' | 'deleted' | 'untracked';
const file = { size: 1, mtimeMs: 0, mode: 0o644, kind: 'file' as const };

/** The state with one changed path. `text` null: it cannot be read. */
async function stateWith(kind: Kind, text: string | null, throughLink = false) {
  const ports = {
    git: { state: async () => ({ head: 'h' }), uncommittedChanges: async () => [{ path: 'a', kind }] },
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
