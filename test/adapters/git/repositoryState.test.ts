// Repositories in every state in which people leave them.

import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGit } from '../../../server/src/adapters/git/git.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { Git } from '../../../server/src/core/ports/git.ts';

const disposals: (() => Promise<void>)[] = [];
let stateDir: string;
let logged: string[];

beforeEach(async () => {
  const state = await make({}, { git: false });
  stateDir = state.dir;
  logged = [];
  vi.stubEnv('HOME', stateDir);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const dispose of disposals.splice(0)) await dispose();
});

async function make(...args: Parameters<typeof createTemporaryRepository>): Promise<TemporaryRepository> {
  const repository = await createTemporaryRepository(...args);
  disposals.push(repository.dispose);
  return repository;
}

function gitOf(dir: string): Promise<Git> {
  return createGit(dir, stateDir, { write: (level, message) => logged.push(`${level}: ${message}`) });
}

async function headOf(repository: TemporaryRepository): Promise<string> {
  return (await repository.git('rev-parse', 'HEAD')).trim();
}

describe('state', () => {
  it('of an empty repository has no commit; checkpoints work all the same', async () => {
    const repository = await make({});
    await repository.write('a.ts', '1');
    const git = await gitOf(repository.dir);
    expect(await git.state()).toEqual({ head: null, branch: null });
    expect(await git.listUncommittedChanges()).toEqual([{ path: 'a.ts', kind: 'untracked' }]);
    const ref = await git.saveCheckpoint('c-1', 'title', [{ path: 'a.ts', bytes: Buffer.from('1'), mode: 0o644 }]);
    expect(await git.readCheckpoint(ref, 'a.ts')).not.toBeNull();
  });

  it('without a writable place for checkpoints: the error says that nothing was changed, and what to check', async () => {
    const repository = await make({ 'a.ts': '1' });
    await repository.write('.git/refs/selfware', 'in the way');
    await expect((await gitOf(repository.dir)).saveCheckpoint('c-1', 'title', [])).rejects.toMatchObject({
      message: 'No checkpoint could be saved, so nothing was changed.',
      action: 'Check that the .git folder is writable and the disk has room.',
    });
  });

  it('of a detached HEAD has a commit and no branch', async () => {
    const repository = await make({ 'a.ts': '1' });
    await repository.git('checkout', '--quiet', '--detach');
    expect(await (await gitOf(repository.dir)).state()).toEqual({ head: await headOf(repository), branch: null });
  });

  it('tells a branch with slashes and the name of another ref', async () => {
    const repository = await make({ 'a.ts': '1' });
    await repository.git('checkout', '--quiet', '-b', 'feature/ünï');
    await repository.git('tag', 'feature/ünï');
    expect(await (await gitOf(repository.dir)).state()).toEqual({
      head: await headOf(repository),
      branch: 'feature/ünï',
    });
  });

  it('holds in a linked worktree', async () => {
    const repository = await make({ 'a.ts': '1' });
    await repository.git('worktree', 'add', '--quiet', '-b', 'side', join(stateDir, 'linked'));
    expect(await (await gitOf(join(stateDir, 'linked'))).state()).toEqual({
      head: await headOf(repository),
      branch: 'side',
    });
  });

  it('of a bare repository is none', async () => {
    const folder = await make({}, { git: false });
    await folder.git('init', '--quiet', '--bare', 'bare');
    expect(await (await gitOf(join(folder.dir, 'bare'))).state()).toBeNull();
  });

  it('of a repository of somebody else is none, and the log says so', async () => {
    const repository = await make({ 'a.ts': '1' });
    // git's own switch for this case, set where the adapter cannot strip it.
    const bin = await make(
      { git: '#!/bin/sh\nPATH=${PATH#*:} GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"\n' },
      { git: false },
    );
    await chmod(join(bin.dir, 'git'), 0o755);
    const git = await gitOf(repository.dir);
    expect(await git.state()).not.toBeNull();
    vi.stubEnv('PATH', `${bin.dir}:${process.env['PATH']}`);
    expect(await git.state()).toBeNull();
    expect(logged).toEqual([expect.stringMatching(/^warn: git refuses/)]);
    expect(await git.explainUnavailable()).toMatch(/^git cannot read this repository \(detected dubious ownership/);
  });

  it('of a plain folder is none, without a word in the log', async () => {
    const folder = await make({ 'a.ts': '1' }, { git: false });
    expect(await (await gitOf(folder.dir)).state()).toBeNull();
    expect(await (await gitOf(folder.dir)).explainUnavailable()).toBeNull();
    expect(logged).toEqual([]);
  });

  it('of a damaged repository is a typed error or none, never a lie', async () => {
    const repository = await make({ 'a.ts': '1' });
    await rm(join(repository.dir, '.git/objects'), { recursive: true });
    await expect((await gitOf(repository.dir)).state()).resolves.toBeNull();
    expect(logged).toHaveLength(1);
  });

  it('of a worktree whose repository has moved away is none, and the trouble is what git says', async () => {
    const folder = await make({ 'a.ts': '1', '.git': 'gitdir: /nowhere/at/all\n' }, { git: false });
    const git = await gitOf(folder.dir);
    expect(await git.state()).toBeNull();
    expect(await git.explainUnavailable()).toMatch(
      /^git cannot read this repository \(not a git repository: .*nowhere/,
    );
  });

  it('without git on the machine is none, and the trouble says so', async () => {
    const folder = await make({ 'a.ts': '1' }, { git: false });
    vi.stubEnv('PATH', folder.dir);
    expect(await (await gitOf(folder.dir)).explainUnavailable()).toContain('git could not be started');
  });
});

describe('dirty', () => {
  it('of a folder inside of the work tree speaks of that folder alone', async () => {
    const repository = await make({ 'top.ts': '1', 'a b/in.ts': '1', 'a b/deep/x.ts': '1' });
    for (const path of ['top.ts', 'a b/in.ts', 'a b/deep/new.ts']) await repository.write(path, '2');
    expect(await (await gitOf(join(repository.dir, 'a b'))).listUncommittedChanges()).toEqual([
      { path: 'in.ts', kind: 'modified' },
      { path: 'deep/new.ts', kind: 'untracked' },
    ]);
  });

  it('tells conflicts', async () => {
    const repository = await make({ 'a.ts': '1', 'b.ts': '1' });
    await repository.git('checkout', '--quiet', '-b', 'side');
    await repository.write('a.ts', 'side');
    await repository.git('rm', '--quiet', 'b.ts');
    await repository.git('commit', '--quiet', '--all', '--message', 'side');
    await repository.git('checkout', '--quiet', 'main');
    await repository.write('a.ts', 'main');
    await repository.write('b.ts', 'main');
    await repository.git('commit', '--quiet', '--all', '--message', 'main');
    await expect(repository.git('merge', 'side')).rejects.toThrow();
    expect(await (await gitOf(repository.dir)).listUncommittedChanges()).toEqual([
      { path: 'a.ts', kind: 'conflicted' },
      { path: 'b.ts', kind: 'conflicted' },
    ]);
  });

  it('leaves ignored files and repositories inside out, and a renamed file is two changes', async () => {
    const repository = await make({ '.gitignore': '*.log\n', 'old.ts': 'some text\nto be found again\n' });
    await repository.write('a.log', '1');
    await mkdir(join(repository.dir, 'inner'));
    await repository.git('init', '--quiet', 'inner');
    await repository.git('mv', 'old.ts', 'new.ts');
    expect(await (await gitOf(repository.dir)).listUncommittedChanges()).toEqual([
      { path: 'new.ts', kind: 'added' },
      { path: 'old.ts', kind: 'deleted' },
    ]);
  });

  it('is empty for a file that was only touched, and leaves the index as it is', async () => {
    const repository = await make({ 'a.ts': '1' });
    await writeFile(join(repository.dir, 'a.ts'), '1');
    const index = await readFile(join(repository.dir, '.git/index'));
    expect(await (await gitOf(repository.dir)).listUncommittedChanges()).toEqual([]);
    expect(await readFile(join(repository.dir, '.git/index'))).toEqual(index);
  });
});
