// Where programs start, as manifests say it: applications, libraries, editors, and what is no manifest at all.

import { execFileSync } from 'node:child_process';
import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findEntryPoints } from '../../../server/src/app/entryPoints.ts';

async function starting(manifest: string, files: readonly string[] = []): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), 'selfware-entry-'));
  try {
    await writeFile(join(root, 'package.json'), manifest);
    for (const file of files) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), '');
    }
    return findEntryPoints(root);
  } finally {
    await rm(root, { recursive: true });
  }
}

test.each([
  [
    'a library is imported, nothing starts it',
    { main: 'index.js', scripts: { test: 'node --test' } },
    ['index.js'],
    [],
  ],
  ['a program of a library is started', { main: 'index.js', bin: './cli.js' }, ['index.js', 'cli.js'], ['cli.js']],
  ['several programs', { bin: { a: 'bin/a.js', b: './bin/b' } }, ['bin/b.js'], ['bin/a.js', 'bin/b.js']],
  ['an application that nobody installs', { private: true, main: 'src/main.ts' }, ['src/main.ts'], ['src/main.ts']],
  [
    'an extension of an editor',
    { engines: { vscode: '^1.90.0' }, main: './out/extension' },
    ['out/extension.js'],
    ['out/extension.js'],
  ],
  [
    'an application of Electron',
    { devDependencies: { electron: '1' }, main: 'lib/' },
    ['lib/index.js', 'lib/other.js'],
    ['lib/index.js'],
  ],
  [
    'a server started by name',
    { main: 'index.js', scripts: { start: 'NODE_ENV=production node --env-file=.env ./src/server.js | pino' } },
    ['index.js', 'src/server.js', 'production'],
    ['src/server.js'],
  ],
  ['a folder that is started', { main: 'index.js', scripts: { start: 'node .' } }, ['index.js'], ['index.js']],
  ['what is not there yet stands as it is written', { bin: 'dist/cli.js' }, [], ['dist/cli.js']],
  ['named twice', { private: true, main: 'a.js', bin: './a.js', scripts: { start: 'node a.js' } }, ['a.js'], ['a.js']],
] as const)('%s', async (_what, manifest, files, expected) => {
  expect(await starting(JSON.stringify(manifest), files)).toEqual(expected);
});

test.each([
  '{ "main": ',
  'null',
  '7',
  '[]',
  '{ "main": { "evil": 1 }, "bin": ["a", 1, null], "scripts": null, "engines": 3, "private": true }',
  '{ "bin": null, "scripts": { "start": 4 } }',
])('a manifest of nonsense says nothing, or no more than it says: %s', async (manifest) => {
  expect((await starting(manifest)).every((path) => path === 'a')).toBe(true);
});

test.each([
  ['a NUL byte', { bin: 'a\0b', private: true, main: '\0', scripts: { start: 'node a\0.js' } }],
  ['a name that no system takes', { bin: 'x'.repeat(5000) }],
  ['a path out', { bin: '../../../../etc/passwd' }],
])('a manifest that names %s breaks nothing', async (_what, manifest) => {
  expect((await starting(JSON.stringify(manifest))).length).toBeLessThanOrEqual(2);
});

test('a folder, a pipe and a link out of the repository in place of the manifest declare nothing', async () => {
  const root = await mkdtemp(join(tmpdir(), 'selfware-entry-'));
  await mkdir(join(root, 'package.json'));
  expect(findEntryPoints(root)).toEqual([]);
  await rm(join(root, 'package.json'), { recursive: true });
  execFileSync('mkfifo', [join(root, 'package.json')]);
  expect(findEntryPoints(root)).toEqual([]);
  await rm(join(root, 'package.json'));
  await symlink('/dev/zero', join(root, 'package.json'));
  expect(findEntryPoints(root)).toEqual([]);
  await rm(root, { recursive: true });
});

test('no manifest', () => {
  expect(findEntryPoints(join(tmpdir(), 'selfware-none'))).toEqual([]);
});
