// What was measured before a commit counts after it, unless HEAD has moved meanwhile.

import { expect, test } from 'vitest';
import type { ImproveRequest } from '../../../server/src/core/session/cycleEvents.ts';
import { createSessionWorld, passingRun } from '../../helpers/memorySessionPorts.ts';
import { flawedOnes, never } from './flawed.ts';

const NAMES = ['ant', 'bee'];
const files = flawedOnes(NAMES);
const one: ImproveRequest = {
  cycles: 1,
  dryRun: false,
  approval: 'minimal',
  maxChanges: 1,
  signal: never,
  decide: () => Promise.reject(new Error('Nobody is asked.')),
};

/** The trees on which the tests run: for a change, for a commit of it, and for another change. */
async function runsAround(pull: boolean): Promise<readonly string[]> {
  const runs: string[] = [];
  await using world = await createSessionWorld(files, {
    commands: {
      'run-tests': (texts) => {
        runs.push(NAMES.filter((name) => texts.get(`src/${name}.ts`) !== files[`src/${name}.ts`]).join(' '));
        return passingRun;
      },
    },
  });
  let head = 'one';
  const inHead = new Map(Object.entries(files));
  const isDirty = (path: string) => world.tree.text(path) !== inHead.get(path);
  const dirty = () => [...inHead.keys()].filter(isDirty);
  const bytesOf = (path: string) => new TextEncoder().encode(inHead.get(path));
  const session = await world.session({
    settings: { 'charter.approval': 'minimal', 'charter.maxChanges': 100 },
    change: ({ git }) => ({
      git: {
        ...git,
        state: async () => ({ ...(await git.state())!, head }),
        listUncommittedChanges: async () => dirty().map((path) => ({ path, kind: 'modified' as const })),
        listFilesChangedSince: async () => dirty(),
        readAt: async (_commit, path) => bytesOf(path),
      },
      branches: {
        async open() {
          if (pull) head = 'pulled';
          return {
            branch: 'main',
            start: head,
            read: async (path) => ({ bytes: bytesOf(path), mode: 0o644 }),
            toStoredBytes: async (_path, bytes) => bytes,
            async commit(changed) {
              for (const { path, bytes } of changed) inHead.set(path, new TextDecoder().decode(bytes!));
              return 'two';
            },
            finish: async () => void (head = 'two'),
            dispose: async () => {},
          };
        },
      },
    }),
  });
  expect(await session.improve(one)).toMatchObject({ kept: 1 });
  const { committed } = await session.changes.commit({ changes: [], branch: null, checkedOut: true, signal: never });
  expect(committed).toHaveLength(1);
  expect(await session.improve(one)).toMatchObject({ kept: 1 });
  return runs;
}

test('the tests do not run again on a tree that was only committed', async () => {
  expect((await runsAround(false)).toSorted()).toEqual(['', 'ant', 'ant bee']);
});

test('they run again if the commit was made on a HEAD that had moved after the tree was read', async () => {
  expect((await runsAround(true)).toSorted()).toEqual(['', 'ant', 'ant', 'ant bee']);
});
