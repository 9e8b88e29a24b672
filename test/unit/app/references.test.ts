// Other repositories on this machine: found beside the open one and below named folders, and searched in turn.

import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findReferenceRepositories } from '../../../server/src/adapters/files/referenceFolders.ts';
import { createReferences } from '../../../server/src/app/references.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { throwIfCancelled } from '../../../server/src/util/typedError.ts';
import { createPart } from '../../helpers/createPart.ts';

let home = '';
const at = (...parts: string[]) => join(home, ...parts);

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'selfware-references-')));
  for (const folder of ['work/own/.git', 'work/other/.git', 'work/notes', 'named/a/.git', 'work/own/inner/.git'])
    await mkdir(at(folder), { recursive: true });
  // A work tree of the open repository, beside it.
  await mkdir(at('work', 'own', '.git', 'worktrees', 'tree'), { recursive: true });
  await writeFile(at('work', 'own', '.git', 'worktrees', 'tree', 'commondir'), '../..\n');
  await mkdir(at('work', 'tree'));
  await writeFile(at('work', 'tree', '.git'), `gitdir: ${at('work', 'own', '.git', 'worktrees', 'tree')}\n`);
  await symlink(at('work', 'own'), at('named', 'link'));
  await symlink(at('work', 'other'), at('named', 'z'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

test('repositories beside the open one and below named folders are found once, without the open one', async () => {
  expect(await findReferenceRepositories(at('work', 'own'), [])).toEqual([
    { folder: at('work', 'other'), found: 'beside' },
  ]);
  expect(await findReferenceRepositories(at('work', 'own'), [at('named'), at('missing'), 'relative'])).toEqual([
    { folder: at('named', 'a'), found: 'named' },
    { folder: at('work', 'other'), found: 'named' },
  ]);
  expect(await findReferenceRepositories(at('work', 'own'), [at('named', 'a'), at('work', 'own', 'inner')])).toEqual([
    { folder: at('named', 'a'), found: 'named' },
    { folder: at('work', 'other'), found: 'beside' },
  ]);
});

/** A session in which every search finds two places. */
function sessionOf(folder: string, closed: string[]): Session {
  const hit = (startLine: number) => ({ path: `${startLine}.ts`, startLine, endLine: startLine + 1 });
  return createPart<Session>({
    open: async () => [],
    close: async () => void closed.push(folder),
    memory: {
      index: async () => undefined,
      search: async () => [hit(1), hit(2)],
      text: async (path: string) => (path === '1.ts' ? 'one\ntwo\nthree' : 'a\nb\nc'),
    },
  });
}

test('the best place of each repository comes first; one that cannot be opened is left out and logged', async () => {
  const closed: string[] = [];
  const warned: string[] = [];
  await mkdir(at('named', 'broken', '.git'), { recursive: true });
  const references = createReferences({
    rootDir: at('work', 'own'),
    roots: [at('named')],
    log: { write: (_, message) => void warned.push(message) },
    async open(folder) {
      if (folder === at('named', 'broken')) throw new TypeError('It is broken in an unexpected way.');
      return sessionOf(folder, closed);
    },
  });
  const { signal } = new AbortController();
  const found = await references.search('x', 3, { signal });
  expect(found).toEqual([
    { repository: at('named', 'a'), path: '1.ts', startLine: 1, endLine: 2, text: 'one\ntwo' },
    { repository: at('work', 'other'), path: '1.ts', startLine: 1, endLine: 2, text: 'one\ntwo' },
    { repository: at('named', 'a'), path: '2.ts', startLine: 2, endLine: 3, text: 'b\nc' },
  ]);
  expect(warned).toEqual([`${at('named', 'broken')} was not searched.`]);
  expect(closed).toEqual([at('named', 'a'), at('work', 'other')]);
  await expect(references.search('x', 3, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    reason: 'cancelled',
  });
});

test('a repository that takes too long is left out', async () => {
  const warned: string[] = [];
  const references = createReferences({
    rootDir: at('work', 'own'),
    roots: [],
    log: { write: (_, message) => void warned.push(message) },
    limitMs: 1,
    open: async (folder) => ({
      ...sessionOf(folder, []),
      open: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            try {
              throwIfCancelled(signal);
            } catch (error) {
              reject(error);
            }
          });
        }),
    }),
  });
  expect(await references.search('x', 3, { signal: new AbortController().signal })).toEqual([]);
  expect(warned).toEqual([`${at('work', 'other')} was not searched.`]);
});
