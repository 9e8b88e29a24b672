// The objects of a commit in another repository: also on another file system, and without a trace in the user's own.

import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPrivateRepository } from '../../../server/src/adapters/sandbox/privateRepository.ts';
import { readRepositoryContent } from '../../../server/src/adapters/sandbox/repositoryContent.ts';
import { openRevisions } from '../../../server/src/adapters/git/revisions.ts';
import { createOnOtherFileSystem } from '../../helpers/otherFileSystem.ts';
import { createSmallDisk } from '../../helpers/smallDisk.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';
import { fingerprint } from '../sandbox/sandboxOf.ts';

const { signal } = new AbortController();
const log = { write: () => undefined };

test('a commit is checked out on another file system, and nothing is written in the repository', async () => {
  const other = await createOnOtherFileSystem();
  // Where there is no other file system, it cannot be tried.
  if (!other) return;
  const repository = await createTemporaryRepository({ 'a.txt': 'one\n', 'b/c.txt': 'two\n' });
  try {
    const before = await fingerprint(repository.dir);
    const revisions = await openRevisions(repository.dir, join(other.dir, 'scratch'), log);
    await revisions.checkOut(await revisions.commit('HEAD'), join(other.dir, 'tree'), signal);
    expect(await readFile(join(other.dir, 'tree/b/c.txt'), 'utf8')).toBe('two\n');

    const content = await readRepositoryContent(repository.dir, log, signal);
    const tree = join(other.dir, 'private');
    await mkdir(tree);
    await createPrivateRepository(tree, { ...content, objects: null }, signal);
    expect(await repository.git('-C', tree, 'ls-files')).toBe('a.txt\nb/c.txt\n');
    expect(await fingerprint(repository.dir)).toEqual(before);
  } finally {
    await repository.dispose();
    await other.dispose();
  }
});

test('only a partial clone is called one; any other failure is told in the words of git', async () => {
  const repository = await createTemporaryRepository({ 'a.txt': 'one\n' });
  const folder = await mkdtemp(join(tmpdir(), 'selfware-copy-'));
  try {
    await repository.git('config', 'uploadpack.allowFilter', 'true');
    const clone = join(folder, 'clone');
    await repository.git('clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${repository.dir}`, clone);
    const partial = await openRevisions(clone, join(folder, 'scratch'), log);
    const head = await partial.commit('HEAD');
    await expect(partial.checkOut(head, join(folder, 'tree'), signal)).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('are in this clone'),
      action: expect.stringContaining('partial clone'),
    });

    const blob = (await repository.git('rev-parse', 'HEAD:a.txt')).trim();
    await rm(join(repository.dir, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    const damaged = await openRevisions(repository.dir, join(folder, 'scratch'), log);
    await expect(damaged.checkOut(head, join(folder, 'tree'), signal)).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringMatching(/could not be copied: git .*fatal/s),
      action: null,
    });
  } finally {
    await repository.dispose();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a disk without room for the copy is told as a full disk', async () => {
  const disk = await createSmallDisk(1);
  // Where nothing may be mounted, no disk can be filled.
  if (!disk) return;
  const repository = await createTemporaryRepository({
    'a.bin': new Uint8Array(4_000_000).map(() => Math.random() * 256),
  });
  try {
    const revisions = await openRevisions(repository.dir, join(disk.dir, 'scratch'), log);
    const checkedOut = revisions.checkOut(await revisions.commit('HEAD'), join(disk.dir, 'tree'), signal);
    await expect(checkedOut).rejects.toMatchObject({ code: 'ENOSPC' });
  } finally {
    await repository.dispose();
    await disk.dispose();
  }
});
