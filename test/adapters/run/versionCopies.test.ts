// Copies of the program for runs: complete, made once, independent of the original, and removed when nobody uses them.

import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  keepVersion,
  readCopyFacts,
  resolveVersionFolder,
  registerUser,
} from '../../../server/src/adapters/run/versionCopies.ts';

let folder: string;
let root: string;
let store: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfware-versions-'));
  [root, store] = [join(folder, 'program'), join(folder, 'store')];
  await build('first');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function build(text: string): Promise<void> {
  await mkdir(join(root, 'dist', 'chunks'), { recursive: true });
  await writeFile(join(root, 'package.json'), '{"version": "1.2.3", "type": "module"}');
  await writeFile(join(root, 'dist', 'cli.js'), text);
  await writeFile(join(root, 'dist', 'chunks', 'a.js'), `chunk of ${text}`);
  await writeFile(join(root, 'dist', 'cli.js.map'), 'not needed');
}

const textIn = (kept: { readonly folder: string }, name: string) => readFileSync(join(kept.folder, name), 'utf8');

/** Makes the copy look as if it was made two hours ago. */
const age = ({ folder: copy }: { readonly folder: string }) => {
  const before = new Date(Date.now() - 2 * 60 * 60_000);
  return utimes(copy, before, before);
};

test('a copy stays as it is when the program is built again, and when it is removed', async () => {
  const first = await keepVersion(root, store);
  expect(first).toMatchObject({ version: '1.2.3' });
  await build('second');
  const second = await keepVersion(root, store);
  expect(second.hash).not.toBe(first.hash);
  rmSync(root, { recursive: true });
  expect(textIn(first, 'dist/cli.js')).toBe('first');
  expect(textIn(second, 'dist/chunks/a.js')).toBe('chunk of second');
  expect(existsSync(join(first.folder, 'dist/cli.js.map'))).toBe(false);
});

test('the same program has one copy, and a copy is its own', async () => {
  const kept = await keepVersion(root, store);
  expect(await keepVersion(root, store)).toEqual(kept);
  expect(await keepVersion(kept.folder, store)).toEqual(kept);
  expect(await readCopyFacts(root)).toBe(null);
});

test('old copies that nobody uses are removed', async () => {
  const used = await keepVersion(root, store);
  await registerUser(used);
  await build('second');
  const unused = await keepVersion(root, store);
  await Promise.all([age(used), age(unused)]);
  await build('third');
  await keepVersion(root, store);
  expect([existsSync(used.folder), existsSync(unused.folder)]).toEqual([true, false]);
});

test('a copy with other bytes is replaced, also one that lacks files or has one more', async () => {
  const kept = await keepVersion(root, store);
  await writeFile(join(kept.folder, 'dist', 'cli.js'), 'brought by a repository');
  expect(await keepVersion(root, store)).toEqual(kept);
  expect(textIn(kept, 'dist/cli.js')).toBe('first');
  rmSync(join(kept.folder, 'dist'), { recursive: true });
  expect(await keepVersion(root, store)).toEqual(kept);
  await writeFile(join(kept.folder, 'dist', 'more.js'), 'more');
  expect(await keepVersion(root, store)).toEqual(kept);
  expect(existsSync(join(kept.folder, 'dist', 'more.js'))).toBe(false);
  // What was replaced is gone.
  expect(readdirSync(store)).toEqual([kept.hash]);
});

test('two clones of one build do not share the packages of one of them', async () => {
  const without = await keepVersion(root, store);
  await mkdir(join(root, 'node_modules', 'a'), { recursive: true });
  const first = await keepVersion(root, store);
  const other = join(folder, 'other');
  await cp(root, other, { recursive: true });
  const second = await keepVersion(other, store);
  expect(new Set([without.hash, first.hash, second.hash]).size).toBe(3);
  expect(realpathSync(join(second.folder, 'node_modules'))).toBe(realpathSync(join(other, 'node_modules')));
});

test('an awaited copy remains, and one that names no user that may be alive goes', async () => {
  const awaited = await keepVersion(root, store);
  await build('second');
  const left = await keepVersion(root, store);
  await mkdir(join(left.folder, 'users'));
  // This id is used again by a process that started at another time.
  await writeFile(
    join(left.folder, 'users', `${process.pid}.json`),
    JSON.stringify({ pid: process.pid, started: '1' }),
  );
  await build('third');
  const unsure = await keepVersion(root, store);
  await mkdir(join(unsure.folder, 'users'));
  await writeFile(join(unsure.folder, 'users', `${process.pid}.json`), 'null');
  await Promise.all([awaited, left, unsure].map(age));
  await build('fourth');
  await keepVersion(root, store, [awaited.hash]);
  expect([awaited, left, unsure].map((kept) => existsSync(kept.folder))).toEqual([true, false, true]);
});

test('an offered version is run from the store, wherever its offer says that it lies', () => {
  const own = { version: '1.0.0', hash: '0123456789abcdef', folder: '/program' };
  const offered = { version: '2.0.0', hash: 'fedcba9876543210', folder: '/repository/tools' };
  expect(resolveVersionFolder(offered, own, '/store').folder).toBe(join('/store', offered.hash));
  expect(resolveVersionFolder({ ...own, folder: '/repository' }, own, '/store').folder).toBe('/program');
});
