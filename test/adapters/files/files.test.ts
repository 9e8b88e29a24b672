// What every implementation of Files promises, on disk and in memory.

import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWorkingTree } from '../../../server/src/adapters/files/workingTree.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { Files } from '../../../server/src/core/ports/files.ts';

type Contents = Readonly<Record<string, string | Uint8Array>>;
type Links = Readonly<Record<string, string>>;

const disposals: (() => Promise<void>)[] = [];
// The ignore file of whoever runs the tests must not matter.
beforeEach(() => vi.stubEnv('HOME', '/nonexistent').stubEnv('XDG_CONFIG_HOME', '/nonexistent'));
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const dispose of disposals.splice(0)) await dispose();
});

async function onDisk(contents: Contents, links: Links, git: boolean): Promise<Files> {
  const repository = await createTemporaryRepository(contents, { git });
  disposals.push(repository.dispose);
  for (const [path, target] of Object.entries(links)) await symlink(target, join(repository.dir, path));
  return createWorkingTree(repository.dir);
}

const makers: Readonly<Record<string, (contents: Contents, links?: Links) => Promise<Files>>> = {
  'a git repository': (contents, links = {}) => onDisk(contents, links, true),
  'a plain folder': (contents, links = {}) => onDisk(contents, links, false),
  'the twin in memory': async (contents, links = {}) => createMemoryFiles(contents, { links }),
};

const never = new AbortController().signal;

async function paths(
  files: Files,
  limits: Partial<Parameters<Files['walk']>[0]> = {},
): Promise<{ files: string[]; skipped: readonly unknown[] }> {
  const found = await files.walk({ maxBytes: 1000, exclude: [], ...limits }, never);
  return { files: found.files.map(({ path }) => path), skipped: found.skipped };
}

describe.each(Object.entries(makers))('Files of %s', (_name, make) => {
  it('walks every file, sorted by path, with its size', async () => {
    const tree = await make({ 'b.ts': 'bb', 'a/z.ts': 'z', 'a.ts': '', 'Z.md': 'x', 'a b/ü.ts': 'x', '-x': 'x' });
    const { files, skipped } = await tree.walk({ maxBytes: 1000, exclude: [] }, never);
    expect(files.map(({ path }) => path)).toEqual(['-x', 'Z.md', 'a b/ü.ts', 'a.ts', 'a/z.ts', 'b.ts']);
    expect(files.find(({ path }) => path === 'b.ts')?.stat).toMatchObject({ size: 2, kind: 'file', mode: 0o644 });
    expect(skipped).toEqual([]);
  });

  const ignoring: readonly [string, Contents, string[]][] = [
    ['node_modules', { 'node_modules/a/index.js': '', 'a/node_modules/b.js': '', 'kept.js': '' }, ['kept.js']],
    [
      '.selfwareignore',
      { '.selfwareignore': 'no.ts\n/a/only\n', 'no.ts': '', 'a/no.ts': '', 'a/only/x': '', 'b/a/only/x': '' },
      ['.selfwareignore', 'b/a/only/x'],
    ],
    [
      'a nested .selfwareignore',
      {
        'a/.selfwareignore': '/x\n!keep.log\n',
        '.selfwareignore': '*.log\n',
        'a/x/f': '',
        'a/b/x/f': '',
        'a/keep.log': '',
        'b.log': '',
      },
      ['.selfwareignore', 'a/.selfwareignore', 'a/b/x/f', 'a/keep.log'],
    ],
    [
      'odd folder names in a nested rule file',
      {
        'a [1] b!/.selfwareignore': 'x.ts\n/q/y.ts\n',
        'a [1] b!/x.ts': '',
        'a [1] b!/d/x.ts': '',
        'a [1] b!/q/y.ts': '',
        'a 1 b!/x.ts': '',
      },
      ['a 1 b!/x.ts', 'a [1] b!/.selfwareignore'],
    ],
  ];
  it.each(ignoring)('leaves out what %s says', async (_case, contents, expected) => {
    expect((await paths(await make(contents))).files).toEqual(expected);
  });

  it('leaves out what the settings exclude', async () => {
    const tree = await make({ 'a.ts': '', 'gen/b.ts': '', 'c.snap': '' });
    expect((await paths(tree, { exclude: ['gen/', '*.snap'] })).files).toEqual(['a.ts']);
  });

  it('says what is too large', async () => {
    const tree = await make({ 'large.ts': 'x'.repeat(1001), 'limit.ts': 'x'.repeat(1000) });
    expect(await paths(tree)).toEqual({ files: ['limit.ts'], skipped: [{ path: 'large.ts', reason: 'too large' }] });
  });

  it('says which links lead out, and walks a file behind a link once', async () => {
    const tree = await make({ 'a.ts': 'x' }, { out: '/etc/hosts', within: 'a.ts' });
    expect(await paths(tree)).toEqual({
      files: ['a.ts'],
      skipped: [{ path: 'out', reason: 'symlink out of the repository' }],
    });
  });

  it('stops when it is cancelled', async () => {
    const tree = await make({ 'a.ts': 'x' });
    await expect(tree.walk({ maxBytes: 1000, exclude: [] }, AbortSignal.abort())).rejects.toMatchObject({
      reason: 'cancelled',
    });
  });

  it('reads bytes as they are', async () => {
    const bytes = Uint8Array.from([0, 255, 13, 10, 239, 187, 191]);
    const tree = await make({ 'a/b.bin': bytes, empty: '' });
    expect(Buffer.from((await tree.read('a/b.bin')) ?? [])).toEqual(Buffer.from(bytes));
    expect(await tree.read('empty')).toHaveLength(0);
  });

  it.each(['missing', 'a.ts/below', '../outside', '/etc/hosts', 'out', 'a\0b'])('holds no file at %j', async (path) => {
    const tree = await make({ 'a.ts': 'x' }, { out: '/etc/hosts' });
    expect(await tree.read(path)).toBeNull();
    expect(await tree.stat(path)).toBeNull();
  });

  it('tells files from folders', async () => {
    const tree = await make({ 'a/b.ts': 'xyz' }, { link: 'a/b.ts' });
    expect(await tree.stat('a')).toMatchObject({ kind: 'folder' });
    expect(await tree.stat('link')).toMatchObject({ kind: 'file', size: 3 });
    await expect(tree.read('a')).rejects.toMatchObject({ reason: 'unreadable' });
  });

  const resolving: readonly [string, { path: string; throughLink: boolean } | null][] = [
    ['a/b.ts', { path: 'a/b.ts', throughLink: false }],
    ['./a//b.ts', { path: 'a/b.ts', throughLink: false }],
    ['a/../a/b.ts', { path: 'a/b.ts', throughLink: false }],
    ['new/folder/file.ts', { path: 'new/folder/file.ts', throughLink: false }],
    ['', { path: '', throughLink: false }],
    ['.git/config', { path: '.git/config', throughLink: false }],
    ['link.ts', { path: 'a/b.ts', throughLink: true }],
    ['folderLink/b.ts', { path: 'a/b.ts', throughLink: true }],
    ['folderLink/new.ts', { path: 'a/new.ts', throughLink: true }],
    // The operating system follows the link before it goes up: this is `deep/x`, not `x`.
    ['deepLink/../x', { path: 'deep/x', throughLink: true }],
    ['dangling', { path: 'nowhere/at all', throughLink: true }],
    ['chain', { path: 'a/b.ts', throughLink: true }],
    ['..', null],
    ['../repository/a/b.ts', null],
    ['a/../../x', null],
    ['/a/b.ts', null],
    ['a\0.ts', null],
    ['out', null],
    ['out/passwd', null],
    ['up/x', null],
    ['loop', null],
    ['loop/x', null],
  ];
  it.each(resolving)('resolves %j', async (path, expected) => {
    const tree = await make(
      { 'a/b.ts': 'x', 'deep/down/f': 'x' },
      {
        'link.ts': 'a/b.ts',
        folderLink: 'a',
        deepLink: 'deep/down',
        dangling: 'nowhere/at all',
        chain: 'link.ts',
        out: '/etc',
        up: '..',
        loop: 'pool',
        pool: 'loop',
      },
    );
    expect(await tree.resolve(path)).toEqual(expected);
  });
});
