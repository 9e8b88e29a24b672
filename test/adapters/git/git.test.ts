// What every implementation of Git promises, for a real repository and in memory.

import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createGit } from '../../../server/src/adapters/git/git.ts';
import { createMemoryGit } from '../../helpers/memoryGit.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { Git } from '../../../server/src/core/ports/git.ts';

interface Stage {
  readonly git: Git;
  readonly head: string;
}

const disposals: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const dispose of disposals.splice(0)) await dispose();
});

/** A repository with one commit, a file of each kind of uncommitted change, and a folder for private indexes. */
async function onDisk(): Promise<Stage> {
  const state = await createTemporaryRepository({}, { git: false });
  const repository = await createTemporaryRepository({ 'modified.ts': '1', 'gone.ts': '1', 'same.ts': '1' });
  disposals.push(state.dispose, repository.dispose);
  vi.stubEnv('HOME', state.dir);
  await repository.write('modified.ts', '2');
  await repository.write('added.ts', '1');
  await repository.write('new folder/ü\nx.ts', '1');
  await repository.git('add', 'added.ts');
  await repository.git('rm', '--quiet', 'gone.ts');
  return { git: await createGit(repository.dir, state.dir), head: (await repository.git('rev-parse', 'HEAD')).trim() };
}

const makers: Readonly<Record<string, () => Promise<Stage>>> = {
  'of a repository': onDisk,
  'in memory': async () => ({
    git: createMemoryGit({
      dirty: [
        { path: 'added.ts', kind: 'added' },
        { path: 'gone.ts', kind: 'deleted' },
        { path: 'modified.ts', kind: 'modified' },
        { path: 'new folder/ü\nx.ts', kind: 'untracked' },
      ],
    }),
    head: '1'.repeat(40),
  }),
};

const noRepository: Readonly<Record<string, () => Promise<Git>>> = {
  'of a plain folder': async () => {
    const folder = await createTemporaryRepository({ 'a.ts': '1' }, { git: false });
    disposals.push(folder.dispose);
    return createGit(folder.dir, folder.dir);
  },
  'of a machine without git': async () => {
    const repository = await createTemporaryRepository({ 'a.ts': '1' });
    disposals.push(repository.dispose);
    vi.stubEnv('PATH', join(repository.dir, 'empty'));
    return createGit(repository.dir, repository.dir);
  },
  'in memory': async () => createMemoryGit({ state: null }),
};

const images = [
  { path: 'a b/-ü\n.ts', bytes: Uint8Array.from([0, 255, 13, 10]), mode: 0o644 },
  { path: 'run.sh', bytes: Buffer.from('#!/bin/sh\r\n'), mode: 0o755 },
  { path: 'empty', bytes: new Uint8Array(), mode: 0o644 },
  { path: '*', bytes: Buffer.from('star'), mode: 0o600 },
];

describe.each(Object.entries(makers))('Git %s', (_name, make) => {
  it('tells commit and branch', async () => {
    const { git, head } = await make();
    expect(await git.state()).toEqual({ head, branch: 'main' });
  });

  it('tells what is not committed, and nothing else', async () => {
    const { git } = await make();
    expect([...(await git.listUncommittedChanges())].sort((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      { path: 'added.ts', kind: 'added' },
      { path: 'gone.ts', kind: 'deleted' },
      { path: 'modified.ts', kind: 'modified' },
      { path: 'new folder/ü\nx.ts', kind: 'untracked' },
    ]);
  });

  it('keeps pre-images byte for byte', async () => {
    const { git } = await make();
    const ref = await git.saveCheckpoint('c-1', '-m title\n\nwith a body', images);
    expect(ref).toBe('refs/selfware/checkpoints/c-1');
    for (const { path, bytes } of images)
      expect([...((await git.readCheckpoint(ref, path)) ?? [-1])]).toEqual([...bytes]);
    for (const path of ['gone', 'a b', 'a b/', '', '.', 'r*']) expect(await git.readCheckpoint(ref, path)).toBeNull();
  });

  it('keeps a checkpoint of no files', async () => {
    const { git } = await make();
    const ref = await git.saveCheckpoint('c-0', '', []);
    expect(await git.readCheckpoint(ref, 'a.ts')).toBeNull();
  });

  it('never replaces a checkpoint', async () => {
    const { git } = await make();
    const ref = await git.saveCheckpoint('c-1', 'first', images);
    await expect(git.saveCheckpoint('c-1', 'second', [])).rejects.toMatchObject({ reason: 'writeFailed' });
    expect(await git.readCheckpoint(ref, 'run.sh')).not.toBeNull();
  });

  it('forgets a checkpoint; forgetting twice does no harm', async () => {
    const { git } = await make();
    const ref = await git.saveCheckpoint('c-1', 'title', images);
    const kept = await git.saveCheckpoint('c-2', 'title', images);
    await git.deleteCheckpoint(ref);
    await git.deleteCheckpoint(ref);
    expect(await git.readCheckpoint(ref, 'run.sh')).toBeNull();
    expect(await git.readCheckpoint(kept, 'run.sh')).not.toBeNull();
  });

  it.each([
    'refs/heads/main',
    'HEAD',
    'refs/selfware/checkpoints/../../heads/main',
    'refs/selfware/checkpoints/',
    '--help',
  ])('touches no ref like %s', async (ref) => {
    const { git, head } = await make();
    await expect(git.deleteCheckpoint(ref)).rejects.toMatchObject({ reason: 'internal' });
    await expect(git.readCheckpoint(ref, 'same.ts')).rejects.toMatchObject({ reason: 'internal' });
    expect((await git.state())?.head).toBe(head);
  });

  it.each(['../c', '', 'A', 'a b'])('takes no id like %j', async (id) => {
    const { git } = await make();
    await expect(git.saveCheckpoint(id, 'title', [])).rejects.toMatchObject({ reason: 'internal' });
  });
});

describe.each(Object.entries(noRepository))('Git %s', (_name, make) => {
  it('has no state, and says so when asked for more', async () => {
    const git = await make();
    expect(await git.state()).toBeNull();
    await expect(git.listUncommittedChanges()).rejects.toMatchObject({ reason: 'notARepository' });
    await expect(git.saveCheckpoint('c-1', 'title', images)).rejects.toMatchObject({ reason: 'writeFailed' });
  });
});
