// Copies of the program for runs: complete, made once, independent of the original, and removed when nobody uses them.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepVersion, keptVersionAt, useVersion } from '../../../server/src/adapters/run/keptVersion.ts';

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
  expect(await keptVersionAt(root)).toBe(null);
});

test('old copies that nobody uses are removed', async () => {
  const used = await keepVersion(root, store);
  await useVersion(used);
  await build('second');
  const unused = await keepVersion(root, store);
  await Promise.all([age(used), age(unused)]);
  await build('third');
  await keepVersion(root, store);
  expect([existsSync(used.folder), existsSync(unused.folder)]).toEqual([true, false]);
});
