// The disk writer against a real disk: power cuts, full and read-only disks, links, permissions.

import { spawnSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createDiskWriter,
  diskFiles,
  removeTemporaryFilesNextTo,
  TEMPORARY_PREFIX,
  type RawFiles,
} from '../../../server/src/adapters/files/diskWriter.ts';
import { asOrdinaryUser } from '../../helpers/ordinaryUser.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';

const disposals: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0)) await dispose();
});

async function make(files: Readonly<Record<string, string>>): Promise<TemporaryRepository> {
  const repository = await createTemporaryRepository(files, { git: false });
  disposals.push(repository.dispose);
  return repository;
}

const one = { path: 'a.ts', before: Buffer.from('one'), after: Buffer.from('ONE'), mode: 0o644 };

async function allNames(dir: string): Promise<string[]> {
  return (await readdir(dir, { recursive: true })).sort();
}

describe('a process killed while it writes', () => {
  const before = { 'a.ts': 'one', 'b/c.ts': 'two', 'd/only.ts': 'three', 'user.txt': 'untouched' };
  const changes = [
    { path: 'a.ts', before: 'one', after: 'ONE' },
    { path: 'new/deep/e.ts', before: null, after: 'new' },
    { path: 'd/only.ts', before: 'three', after: null },
    { path: 'b/c.ts', before: 'two', after: 'TWO' },
  ];

  it('leaves every file as it was or as it shall be, whatever the step', async () => {
    const ends: (number | NodeJS.Signals | null)[] = [];
    // Each round ends one step later, until a process gets through.
    for (let steps = 0; ends.at(-1) !== 0; steps += 1) {
      const repository = await make(before);
      const child = spawnSync(
        process.execPath,
        [
          fileURLToPath(new URL('killedWriter.ts', import.meta.url)),
          repository.dir,
          String(steps),
          JSON.stringify(changes),
        ],
        { encoding: 'utf8' },
      );
      ends.push(child.signal ?? child.status);
      expect(child.signal ?? child.stderr).toBe(child.signal ? 'SIGKILL' : '');
      for (const change of changes) expect([change.before, change.after]).toContain(await repository.read(change.path));
      expect(await repository.read('user.txt')).toBe('untouched');

      await createDiskWriter(repository.dir).removeTemporaryFiles?.(changes.map(({ path }) => path));
      expect((await allNames(repository.dir)).filter((name) => name.includes(TEMPORARY_PREFIX))).toEqual([]);
      expect(steps).toBeLessThan(50);
    }
    // Two steps a file, one more for new folders and for one that became empty; and the end.
    expect(ends.length).toBeGreaterThanOrEqual(10);
  });
});

describe('createDiskWriter', () => {
  it('leaves no temporary file behind, neither after success nor after failure', async () => {
    const repository = await make({ 'a.ts': 'one' });
    await createDiskWriter(repository.dir).write([one], 'test');
    const raw: RawFiles = {
      ...diskFiles,
      rename: () => Promise.reject(Object.assign(new Error('no'), { code: 'EIO' })),
    };
    await expect(
      createDiskWriter(repository.dir, raw).write([{ ...one, before: one.after, after: one.before }], 'test'),
    ).rejects.toMatchObject({ reason: 'writeFailed' });
    expect(await allNames(repository.dir)).toEqual(['a.ts']);
    expect(await repository.read('a.ts')).toBe('ONE');
  });

  it('says that the disk is full, and leaves the file alone', async () => {
    const repository = await make({ 'a.ts': 'one' });
    // The device answers every write as a full disk does.
    const raw: RawFiles = { ...diskFiles, writeTemporary: async (_place, bytes) => writeFile('/dev/full', bytes) };
    await expect(createDiskWriter(repository.dir, raw).write([one], 'test')).rejects.toMatchObject({
      reason: 'diskFull',
      action: expect.stringContaining('space'),
    });
    expect(await repository.read('a.ts')).toBe('one');
  });

  it('says that it may not write, and leaves the file alone', async () => {
    const repository = await make({ 'closed/a.ts': 'one' });
    await asOrdinaryUser(repository.dir, async () => {
      await chmod(join(repository.dir, 'closed'), 0o555);
      await expect(
        createDiskWriter(repository.dir).write([{ ...one, path: 'closed/a.ts' }], 'test'),
      ).rejects.toMatchObject({ reason: 'readOnly', action: expect.stringContaining('writable') });
      await chmod(join(repository.dir, 'closed'), 0o755);
    });
    expect(await repository.read('closed/a.ts')).toBe('one');
  });

  it('notices a change made between its own steps', async () => {
    const repository = await make({ 'a.ts': 'one' });
    const raw: RawFiles = {
      ...diskFiles,
      async writeTemporary(...args) {
        await diskFiles.writeTemporary(...args);
        await repository.write('a.ts', 'typed meanwhile');
      },
    };
    await expect(createDiskWriter(repository.dir, raw).write([one], 'test')).rejects.toMatchObject({ reason: 'stale' });
    expect(await repository.read('a.ts')).toBe('typed meanwhile');
  });

  it.each([
    ['a link', 'link.ts', 'a.ts'],
    ['a linked folder', 'linked/a.ts', '.'],
    ['a link out', 'link.ts', '/etc/hosts'],
    ['a dangling link', 'link.ts', 'nowhere'],
  ])('does not write through %s', async (_case, path, target) => {
    const repository = await make({ 'a.ts': 'one' });
    await symlink(target, join(repository.dir, path.split('/')[0] ?? ''));
    await expect(createDiskWriter(repository.dir).write([{ ...one, path }], 'test')).rejects.toMatchObject({
      reason: 'forbidden',
    });
    await expect(
      createDiskWriter(repository.dir).write([{ ...one, before: null, path }], 'test'),
    ).rejects.toMatchObject({ reason: 'forbidden' });
    expect(await repository.read('a.ts')).toBe('one');
  });

  it.each([
    ['before the last of many files', false],
    ['in the middle of one', true],
  ])('does not follow a folder that is swapped for a link %s', async (_case, within) => {
    const outside = await make({ 'f60.ts': 'theirs' });
    const repository = await make(Object.fromEntries(Array.from({ length: 61 }, (_, at) => [`d/f${at}.ts`, 'one'])));
    const writes = Array.from({ length: 61 }, (_, at) => ({ ...one, path: `d/f${at}.ts` }));
    let written = 0;
    const swap = async () => {
      written += 1;
      if (written !== (within ? 61 : 60)) return;
      await rename(join(repository.dir, 'd'), join(repository.dir, 'was-d'));
      await symlink(outside.dir, join(repository.dir, 'd'));
    };
    const raw: RawFiles = {
      ...diskFiles,
      async writeTemporary(...args) {
        if (within) await swap();
        await diskFiles.writeTemporary(...args);
      },
      async rename(...args) {
        await diskFiles.rename(...args);
        if (!within) await swap();
      },
    };
    const end = await createDiskWriter(repository.dir, raw)
      .write(writes, 'test')
      .then(
        () => null,
        (error: unknown) => error,
      );
    // What was begun in the folder ends in the folder, wherever that is by now.
    if (within) expect(await repository.read('was-d/f60.ts')).toBe('ONE');
    else expect(end).toMatchObject({ reason: 'forbidden' });
    expect([await allNames(outside.dir), await outside.read('f60.ts')]).toEqual([['f60.ts'], 'theirs']);
  });

  it('does not delete or sweep behind a folder that became a link', async () => {
    const outside = await make({ 'a.ts': 'one', [`${TEMPORARY_PREFIX}x`]: 'theirs' });
    await mkdir(join(outside.dir, 'empty'));
    const repository = await make({ 'b.ts': 'two', 'd/a.ts': 'one' });
    const raw: RawFiles = {
      ...diskFiles,
      async unlink(place) {
        await diskFiles.unlink(place);
        await rename(join(repository.dir, 'd'), join(repository.dir, 'was-d'));
        await symlink(outside.dir, join(repository.dir, 'd'));
      },
    };
    const writer = createDiskWriter(repository.dir, raw);
    const writes = [
      { ...one, path: 'b.ts', before: Buffer.from('two'), after: null },
      { ...one, path: 'd/a.ts', after: null },
    ];
    await expect(writer.write(writes, 'test')).rejects.toMatchObject({ reason: 'forbidden' });
    await writer.removeTemporaryFiles?.(['d/a.ts', 'd/empty/a.ts']);
    expect(await allNames(outside.dir)).toEqual([`${TEMPORARY_PREFIX}x`, 'a.ts', 'empty']);
  });

  it('gives a new file its mode whatever the umask is', async () => {
    const repository = await make({});
    const umask = process.umask(0o077);
    await createDiskWriter(repository.dir)
      .write([{ ...one, before: null, mode: 0o755 }], 'test')
      .finally(() => process.umask(umask));
    expect((await stat(join(repository.dir, 'a.ts'))).mode & 0o777).toBe(0o755);
  });

  it('leaves a file with its owner where it may', async () => {
    const repository = await make({ 'a.ts': 'one' });
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) await chown(join(repository.dir, 'a.ts'), 4321, 4321);
    const { uid, gid } = await lstat(join(repository.dir, 'a.ts'));
    await createDiskWriter(repository.dir).write([one], 'test');
    expect(await lstat(join(repository.dir, 'a.ts'))).toMatchObject({ uid, gid, size: 3 });
    expect(await repository.read('a.ts')).toBe('ONE');
  });
});

describe('sweepTemporaries', () => {
  it('removes temporary files beside the paths and nothing else', async () => {
    const names = [
      `a/${TEMPORARY_PREFIX}1`,
      `${TEMPORARY_PREFIX}2`,
      `other/${TEMPORARY_PREFIX}3`,
      'a/b.ts',
      'a/selfware-tmp-4',
    ];
    const repository = await make(Object.fromEntries(names.map((name) => [name, 'x'])));
    expect(
      await removeTemporaryFilesNextTo(repository.dir, ['a/b.ts', 'a/gone.ts', 'top.ts', 'no/such/folder.ts']),
    ).toBe(2);
    expect(await allNames(repository.dir)).toEqual([
      'a',
      'a/b.ts',
      'a/selfware-tmp-4',
      'other',
      `other/${TEMPORARY_PREFIX}3`,
    ]);
  });
});
