// A repository whose configuration names programs everywhere git would run one. None of them ever runs.

import { chmod, readFile, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWorkingTree } from '../../../server/src/adapters/files/workingTree.ts';
import { createGit } from '../../../server/src/adapters/git/git.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { Git } from '../../../server/src/core/ports/git.ts';

let state: TemporaryRepository;
let repository: TemporaryRepository;

beforeEach(async () => {
  state = await createTemporaryRepository({}, { git: false });
  repository = await createTemporaryRepository({
    'a.ts': 'one\n',
    'b.ts': 'two\n',
    '.gitattributes': '*.ts filter=evil diff=evil\n*.js filter=evil=x\n',
    'c.js': 'x',
  });
  vi.stubEnv('HOME', state.dir);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await state.dispose();
  await repository.dispose();
});

const HOOKS = [
  'pre-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
  'post-commit',
  'fsmonitor-watchman',
];

/** Every program leaves a file of its name in the marker folder. */
async function setTraps(): Promise<void> {
  const trap = join(state.dir, 'trap');
  await state.write('trap', `#!/bin/sh\ntouch "${state.dir}/markers/$1-$$"\nif [ "$1" = clean ]; then exec cat; fi\n`);
  await state.write('markers/.keep', '');
  await chmod(trap, 0o755);
  for (const hook of HOOKS) {
    await repository.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch "${state.dir}/markers/hook-${hook}"\n`);
    await chmod(join(repository.dir, '.git/hooks', hook), 0o755);
  }
  const settings: Readonly<Record<string, string>> = {
    'core.fsmonitor': `${trap} fsmonitor`,
    'core.untrackedCache': 'true',
    'core.hooksPath': join(repository.dir, '.git/hooks'),
    'core.pager': `${trap} pager`,
    'core.editor': `${trap} editor`,
    'core.logAllRefUpdates': 'always',
    'filter.evil.clean': `${trap} clean`,
    'filter.evil.smudge': `${trap} smudge`,
    'filter.evil.required': 'true',
    'filter.evil=x.process': `${trap} process`,
    'diff.evil.textconv': `${trap} textconv`,
    'diff.evil.command': `${trap} diff`,
    'diff.external': `${trap} external`,
    'commit.gpgSign': 'true',
    'gpg.program': `${trap} gpg`,
    'alias.status': `!${trap} alias`,
  };
  for (const [key, value] of Object.entries(settings)) await repository.git('config', key, value);
}

async function markers(): Promise<string[]> {
  return (await readdir(join(state.dir, 'markers'))).filter((name) => name !== '.keep');
}

async function useEverything(git: Git): Promise<void> {
  await git.state();
  await git.listUncommittedChanges();
  const ref = await git.saveCheckpoint('c-1', 'title', [{ path: 'a.ts', bytes: Buffer.from('x\r\n'), mode: 0o644 }]);
  await git.readCheckpoint(ref, 'a.ts');
  await git.deleteCheckpoint(ref);
  const tree = await createWorkingTree(repository.dir);
  await tree.walk({ maxBytes: 1e6, exclude: [] }, new AbortController().signal);
}

describe('programs in the configuration', () => {
  it('are never run', async () => {
    await setTraps();
    // Files that look changed make git compare contents, which is when it runs filters.
    for (const path of ['a.ts', 'b.ts', 'c.js']) await utimes(join(repository.dir, path), 1, 1);
    const git = await createGit(repository.dir, state.dir);
    await useEverything(git);
    expect(await markers()).toEqual([]);
    expect(await git.listUncommittedChanges()).toEqual([]);

    // The same repository with plain git: the traps are live (and one is so rude that git gives up).
    await expect(repository.git('status')).rejects.toThrow();
    await repository.git('update-ref', 'refs/heads/side', 'HEAD');
    expect((await markers()).map((name) => name.replace(/-\d+$/, ''))).toEqual(
      expect.arrayContaining(['clean', 'process', 'fsmonitor', 'hook-reference-transaction']),
    );
  });
});

describe('the environment', () => {
  it('cannot point git elsewhere', async () => {
    const other = await createTemporaryRepository({ 'other.ts': 'x' });
    const head = (await repository.git('rev-parse', 'HEAD')).trim();
    const set: Readonly<Record<string, string>> = {
      GIT_DIR: join(other.dir, '.git'),
      GIT_WORK_TREE: other.dir,
      GIT_INDEX_FILE: join(other.dir, '.git/index'),
      GIT_OBJECT_DIRECTORY: join(other.dir, '.git/objects'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.bare',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_NAMESPACE: 'elsewhere',
      GIT_EXTERNAL_DIFF: '/bin/false',
      GIT_TRACE: join(state.dir, 'trace'),
    };
    for (const [name, value] of Object.entries(set)) vi.stubEnv(name, value);
    const git = await createGit(repository.dir, state.dir);
    expect(await git.state()).toEqual({ head, branch: 'main' });
    await useEverything(git);
    expect(await state.read('trace')).toBeNull();
    const { files } = await (await createWorkingTree(repository.dir)).walk(
      { maxBytes: 1e6, exclude: [] },
      new AbortController().signal,
    );
    expect(files.map(({ path }) => path)).toEqual(['.gitattributes', 'a.ts', 'b.ts', 'c.js']);
    expect(await other.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\n');
    await other.dispose();
  });
});

describe('saveCheckpoint', () => {
  it('leaves HEAD, branches, index, stash, files and reflogs as they were, and a sound repository', async () => {
    await repository.write('a.ts', 'stashed');
    await repository.git('stash');
    await repository.write('a.ts', 'staged');
    await repository.git('add', 'a.ts');
    await repository.write('a.ts', 'worked on');
    await repository.write('untracked.ts', 'x');
    await setTraps();
    const look = async (): Promise<Record<string, string>> => ({
      head: await readFile(join(repository.dir, '.git/HEAD'), 'utf8'),
      refs: (await repository.git('for-each-ref')).replaceAll(/.*refs\/selfware\/.*\n/g, ''),
      index: (await readFile(join(repository.dir, '.git/index'))).toString('hex'),
      logs: (await readdir(join(repository.dir, '.git/logs'), { recursive: true })).sort().join(),
      stash: await repository.git('stash', 'list'),
      files: (await readdir(repository.dir)).sort().join(),
      content: (await repository.read('a.ts')) ?? '',
    });
    const before = await look();
    const git = await createGit(repository.dir, state.dir);
    const ref = await git.saveCheckpoint('c-20261121-000000-abcd', 'A change', [
      { path: 'a.ts', bytes: Buffer.from('worked on'), mode: 0o644 },
      { path: 'sub/new.ts', bytes: Buffer.from('n'), mode: 0o755 },
    ]);
    expect(await look()).toEqual(before);
    expect(await repository.git('ls-tree', '-r', '--format=%(objectmode) %(path)', ref)).toBe(
      '100644 a.ts\n100755 sub/new.ts\n',
    );
    expect(await repository.git('log', '--format=%an <%ae> %s|%P', ref)).toBe(
      'Selfware <selfware@localhost> A change|\n',
    );
    expect(await markers()).toEqual([]);
    await repository.git('config', '--unset', 'core.fsmonitor');
    await repository.git('fsck', '--strict', '--no-dangling');
    await git.deleteCheckpoint(ref);
    expect(await look()).toEqual(before);
    expect((await readdir(state.dir)).sort()).toEqual(['markers', 'trap']);
  });

  it('keeps bytes that line-end conversion would change', async () => {
    await repository.git('config', 'core.autocrlf', 'true');
    await repository.write('.gitattributes', '* text=auto eol=lf working-tree-encoding=UTF-16\n');
    const git = await createGit(repository.dir, state.dir);
    const ref = await git.saveCheckpoint('c-1', 'title', [
      { path: 'a.ts', bytes: Buffer.from('one\r\ntwo\n'), mode: 0o644 },
    ]);
    expect(Buffer.from((await git.readCheckpoint(ref, 'a.ts')) ?? []).toString()).toBe('one\r\ntwo\n');
  });

  it('holds a file of 10 MB and many files', async () => {
    const git = await createGit(repository.dir, state.dir);
    const large = Buffer.alloc(10 * 1024 * 1024, 'large ');
    const many = Array.from({ length: 30 }, (_value, index) => ({
      path: `folder/${index}.ts`,
      bytes: Buffer.from(`${index}`),
      mode: 0o644,
    }));
    const ref = await git.saveCheckpoint('c-1', 'title', [{ path: 'large.bin', bytes: large, mode: 0o644 }, ...many]);
    expect(large.equals((await git.readCheckpoint(ref, 'large.bin')) ?? Buffer.alloc(0))).toBe(true);
    expect(Buffer.from((await git.readCheckpoint(ref, 'folder/29.ts')) ?? []).toString()).toBe('29');
  });

  it('works for a folder inside of the work tree, with paths relative to that folder', async () => {
    await repository.write('inner/x.ts', 'x');
    const git = await createGit(join(repository.dir, 'inner'), state.dir);
    const ref = await git.saveCheckpoint('c-1', 'title', [{ path: 'x.ts', bytes: Buffer.from('x'), mode: 0o644 }]);
    expect(Buffer.from((await git.readCheckpoint(ref, 'x.ts')) ?? []).toString()).toBe('x');
  });
});
