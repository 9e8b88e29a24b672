// Two states of a real repository: what differs, both sides byte for byte, and clear words where they cannot be had.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openRevisions } from '../../server/src/adapters/git/revisions.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../helpers/temporaryRepository.ts';

const signal = new AbortController().signal;
const log = { write: () => undefined };
const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const one of undo.splice(0)) await one();
});

async function repositoryOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<TemporaryRepository> {
  const repository = await createTemporaryRepository(files);
  undo.push(repository.dispose);
  return repository;
}

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'selfware-sides-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function opened(dir: string) {
  return openRevisions(dir, await scratch(), log);
}

test('the working tree is compared with its uncommitted and untracked work, and nothing of it is touched', async () => {
  const repository = await repositoryOf({ 'a.txt': 'one\n', 'b.txt': 'two\n', '.gitignore': 'out/\n' });
  await repository.write('a.txt', 'one more\n');
  await repository.write('new.txt', 'new\n');
  await repository.write('out/built.txt', 'built\n');
  await repository.git('rm', '--quiet', '--cached', 'b.txt');
  const before = [await repository.git('status', '--porcelain'), await repository.git('count-objects', '-v')];
  const revisions = await opened(repository.dir);
  const sides = await revisions.compare('HEAD', null, signal);
  expect(sides.differences.map(({ path, modes }) => [path, ...modes])).toEqual([
    ['a.txt', '100644', '100644'],
    ['new.txt', '000000', '100644'],
  ]);
  const folder = join(await scratch(), 'after');
  await revisions.writeFiles(sides.head, ['a.txt', 'new.txt'], folder, signal);
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('one more\n');
  expect([await repository.git('status', '--porcelain'), await repository.git('count-objects', '-v')]).toEqual(before);
});

test('what would be compared changes with the files of the working tree, and with the commits of branches', async () => {
  const repository = await repositoryOf({ 'a.txt': 'one\n', '.gitignore': 'out/\n' });
  await repository.git('branch', 'next');
  const identify = async (head: string | null) => (await opened(repository.dir)).identify('HEAD', head, signal);
  const [tree, branch] = [await identify(null), await identify('next')];
  await repository.write('out/built.txt', 'built\n');
  expect([await identify(null), await identify('next')]).toEqual([tree, branch]);
  await repository.write('new.txt', 'new\n');
  expect(await identify(null)).not.toBe(tree);
  await repository.git('commit', '--quiet', '--allow-empty', '-m', 'More');
  await repository.git('branch', '--force', 'next');
  expect(await identify('next')).not.toBe(branch);
});

test('a branch is compared from where it began; renames, deletions, bits and bytes are told', async () => {
  const long = 'a line that stays\n'.repeat(20);
  const repository = await repositoryOf({
    'keep.txt': long,
    'gone.txt': 'gone\n',
    'run.sh': '#!/bin/sh\n',
    'dos.txt': 'a\r\nb\r\n',
    'b.bin': new Uint8Array([0, 1, 2]),
    '.gitattributes': '*.txt text eol=lf\n',
  });
  await repository.git('switch', '--quiet', '--create', 'work');
  await repository.git('mv', 'keep.txt', 'kept.txt');
  await repository.git('rm', '--quiet', 'gone.txt');
  await repository.git('update-index', '--chmod=+x', 'run.sh');
  await repository.write('b.bin', new Uint8Array([0, 9]));
  await repository.git('add', 'b.bin');
  await repository.git('commit', '--quiet', '--message', 'Work\n\nCo-authored-by: An Agent <agent@example.com>');
  await repository.git('switch', '--quiet', '--force', 'main');
  await repository.write('later.txt', 'later\n');
  await repository.git('add', '--all');
  await repository.git('commit', '--quiet', '--message', 'Later');
  const revisions = await opened(repository.dir);
  const sides = await revisions.compare('main', 'work', signal);
  expect(sides.renamed).toEqual([{ from: 'keep.txt', to: 'kept.txt' }]);
  expect(sides.differences.map(({ path, modes }) => [path, ...modes])).toEqual([
    ['b.bin', '100644', '100644'],
    ['gone.txt', '100644', '000000'],
    ['keep.txt', '100644', '000000'],
    ['kept.txt', '000000', '100644'],
    ['run.sh', '100644', '100755'],
  ]);
  expect(sides.authors).toEqual(['Test Person <test@example.com>', 'An Agent <agent@example.com>']);
  expect(sides.notes).toEqual([expect.stringContaining('main has moved on by 1 commit')]);

  const tree = await scratch();
  await revisions.checkOut(sides.base, tree, signal);
  expect(new Uint8Array(await readFile(join(tree, 'b.bin')))).toEqual(new Uint8Array([0, 1, 2]));
  expect(await readFile(join(tree, 'keep.txt'), 'utf8')).toBe(long);
  const after = join(await scratch(), 'after');
  await revisions.writeFiles(sides.head, ['b.bin', 'run.sh'], after, signal);
  expect(new Uint8Array(await readFile(join(after, 'b.bin')))).toEqual(new Uint8Array([0, 9]));
  expect((await stat(join(after, 'run.sh'))).mode & 0o111).not.toBe(0);
});

test('what cannot be compared is said, with what to do', async () => {
  const repository = await repositoryOf({ 'a.txt': 'one\n' });
  for (const text of ['two\n', 'three\n']) {
    await repository.write('a.txt', text);
    await repository.git('commit', '--quiet', '--all', '--message', text.trim());
  }
  const revisions = await opened(repository.dir);
  await expect(revisions.compare('nowhere', null, signal)).rejects.toMatchObject({
    reason: 'notFound',
    action: expect.stringContaining('git fetch'),
  });
  await expect(revisions.compare('--upload-pack=x', null, signal)).rejects.toMatchObject({ reason: 'usage' });

  const clone = await scratch();
  await repository.git('clone', '--quiet', '--depth', '1', `file://${repository.dir}`, join(clone, 'c'));
  const shallow = await opened(join(clone, 'c'));
  await expect(shallow.compare('HEAD~2', null, signal)).rejects.toMatchObject({
    reason: 'notFound',
    action: 'This clone is shallow. Run `git fetch --deepen=50`.',
  });
  await expect(shallow.compare('later', null, signal)).rejects.toMatchObject({
    action: expect.stringContaining('This clone is shallow. Run `git fetch --depth=50 origin +later:'),
  });
  await expect(openRevisions(clone, await scratch(), log)).rejects.toMatchObject({ reason: 'notARepository' });
  await repository.git('-C', join(clone, 'c'), 'fetch', '--quiet', '--unshallow');
  await expect(shallow.compare('HEAD~9', null, signal)).rejects.toMatchObject({
    action: expect.not.stringContaining('shallow'),
  });
});

test('a shallow clone that has the base is enough', async () => {
  const repository = await repositoryOf({ 'a.txt': 'one\n' });
  const base = (await repository.git('rev-parse', 'HEAD')).trim();
  await repository.write('a.txt', 'two\n');
  await repository.git('commit', '--quiet', '--all', '--message', 'two');
  const clone = join(await scratch(), 'c');
  await repository.git('clone', '--quiet', '--depth', '1', `file://${repository.dir}`, clone);
  await repository.git('-C', clone, 'fetch', '--quiet', '--depth', '1', 'origin', base);
  const sides = await (await opened(clone)).compare(base, 'HEAD', signal);
  expect(sides.base).toBe(base);
  expect(sides.differences.map(({ path }) => path)).toEqual(['a.txt']);
  expect(sides.notes).toEqual([expect.stringContaining('shallow')]);
});

test('conflicts in the working tree are said, and submodules are told', async () => {
  const repository = await repositoryOf({ 'a.txt': 'one\n' });
  const sub = await repositoryOf({ 's.txt': 's\n' });
  await repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub.dir, 'sub');
  const revisions = await opened(repository.dir);
  const sides = await revisions.compare('HEAD', null, signal);
  expect(sides.differences.map(({ path, modes }) => [path, modes[1]])).toEqual([
    ['.gitmodules', '100644'],
    ['sub', '160000'],
  ]);
  await repository.git('commit', '--quiet', '--all', '--message', 'sub');
  await repository.git('switch', '--quiet', '--create', 'other', 'HEAD~1');
  await repository.write('a.txt', 'other\n');
  await repository.git('commit', '--quiet', '--message', 'other', 'a.txt');
  await repository.git('switch', '--quiet', 'main');
  await repository.write('a.txt', 'ours\n');
  await repository.git('commit', '--quiet', '--message', 'ours', 'a.txt');
  await repository.git('merge', 'other').catch(() => undefined);
  await expect(revisions.compare('HEAD~1', null, signal)).rejects.toMatchObject({
    reason: 'conflict',
    message: expect.stringContaining('a.txt'),
  });
});

test('everybody whom a commit names as its maker is an author; a note says if there are too many commits', async () => {
  const repository = await repositoryOf({ 'a.txt': 'one\n' });
  await repository.git('switch', '--quiet', '--create', 'work');
  await repository.write('a.txt', 'two\n');
  const message = [
    'A change\n\nGenerated with [Some Code](https://example.com), which agents use.\n',
    'Assisted-by: Other Agent\nCo-authored-by: Bot <bot@example.com>\nReviewed-by: Eve <eve@example.com>',
  ].join('\n');
  const { git } = repository;
  await git(
    '-c',
    'user.name=Tool',
    '-c',
    'user.email=tool@example.com',
    'commit',
    '-q',
    '-a',
    '-m',
    message,
    '--author',
    'Ada <ada@example.com>',
  );
  const revisions = await opened(repository.dir);
  const { authors, hasMoreAuthors } = await revisions.compare('main', 'work', signal);
  expect([...authors].sort()).toEqual([
    'Ada <ada@example.com>',
    'Bot <bot@example.com>',
    'Other Agent',
    'Tool <tool@example.com>',
    '[Some Code](https://example.com), which agents use.',
  ]);
  expect(hasMoreAuthors).toBe(false);
  const stream = Array.from(
    { length: 1001 },
    (_, index) =>
      `commit refs/heads/long\ncommitter A <a@example.com> ${index} +0000\ndata 0\n${index === 0 ? 'from refs/heads/work\n' : ''}\n`,
  ).join('');
  await importStream(repository.dir, stream);
  const long = await revisions.compare('main', 'long', signal);
  expect(long.hasMoreAuthors).toBe(true);
  expect(long.notes).toEqual([
    'The change has too many commits to know all authors, so each rule of a policy by author applies.',
  ]);
});

/** Makes the commits of a stream of `git fast-import`. */
function importStream(dir: string, stream: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = execFile('git', ['fast-import', '--quiet'], { cwd: dir }, (error) =>
      error ? reject(error) : resolve(),
    );
    child.stdin?.end(stream);
  });
}
