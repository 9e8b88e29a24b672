// Commits on branches of a real repository: hooks and keys of the user have their say, and nothing of their work is
// touched.

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBranchWriter } from '../../../server/src/adapters/git/branchWriter.ts';
import { createTemporaryRepository, type TemporaryRepository } from '../../helpers/temporaryRepository.ts';
import type { BranchTransaction } from '../../../server/src/core/ports/git.ts';

const { signal } = new AbortController();
let repository: TemporaryRepository;
let stateDir: string;
beforeEach(async () => {
  repository = await createTemporaryRepository({ 'a.ts': 'a\n', 'folder/b.ts': 'b\n', 'tool.sh': '#!/bin/sh\n' });
  stateDir = await mkdtemp(join(tmpdir(), 'selfware-branch-'));
  // Work of the user's in every state.
  await repository.write('a.ts', 'a\nstaged\n');
  await repository.git('add', 'a.ts');
  await repository.write('a.ts', 'a\nstaged\nand not\n');
  await repository.write('new.ts', 'untracked\n');
});
afterEach(async () => {
  await repository.dispose();
  await rm(stateDir, { recursive: true, force: true });
});

const open = (
  branch: string | null = 'selfware/improvements',
  checkedOut = false,
  dir = repository.dir,
): Promise<BranchTransaction> => createBranchWriter(dir, stateDir).open(branch, { checkedOut }, signal);
const file = (path: string, text: string | null, mode = 0o644) => ({
  path,
  bytes: text === null ? null : Buffer.from(text),
  mode,
});

/** All that a person sees of their work. */
async function seen(): Promise<string> {
  const parts = [
    ['rev-parse', 'HEAD'],
    ['symbolic-ref', 'HEAD'],
    ['status', '--porcelain=v2'],
    ['diff'],
    ['diff', '--cached'],
    ['stash', 'list'],
    ['worktree', 'list'],
    ['rev-parse', 'main'],
    ['config', '--list', '--local'],
  ];
  return (await Promise.all(parts.map((part) => repository.git(...part)))).join('\n');
}

async function committed(
  work: BranchTransaction,
  ...changes: readonly [message: string, ...files: ReturnType<typeof file>[]][]
): Promise<void> {
  try {
    for (const [message, ...files] of changes) await work.commit(files, message);
    await work.finish();
  } finally {
    await work.dispose();
  }
}

test('where git does not know who commits, that is said before anything is made', async () => {
  for (const name of ['user.name', 'user.email']) await repository.git('config', '--unset', name);
  await repository.git('config', 'user.useConfigOnly', 'true');
  const before = await seen();
  const nobody = createBranchWriter(repository.dir, stateDir, { PATH: process.env['PATH'], HOME: stateDir });
  await expect(nobody.open('selfware/improvements', { checkedOut: false }, signal)).rejects.toMatchObject({
    reason: 'unavailable',
    message: expect.stringContaining('who commits'),
    action: expect.stringContaining('user.email'),
  });
  expect(await seen()).toBe(before);
  expect(await repository.git('branch', '--list', 'selfware/*')).toBe('');
});

test('one commit each on a new branch, with the trailers; nothing else of the repository moves', async () => {
  const before = await seen();
  await committed(
    await open(),
    ['First\n\nSelfware-Proposal: p-1\n', file('folder/b.ts', 'B\n')],
    ['Second\n', file('new/c.ts', 'c\n'), file('tool.sh', null), file('run.sh', '#!/bin/sh\n', 0o755)],
  );
  expect(await seen()).toBe(before);
  expect((await repository.git('log', '--format=%s', 'main..selfware/improvements')).trim().split('\n')).toEqual([
    'Second',
    'First',
  ]);
  expect(
    await repository.git(
      'log',
      '-1',
      '--format=%(trailers:key=Selfware-Proposal,valueonly)',
      'selfware/improvements~1',
    ),
  ).toContain('p-1');
  expect(
    (await repository.git('diff', '--no-renames', '--name-status', 'main', 'selfware/improvements'))
      .trim()
      .split('\n')
      .sort(),
  ).toEqual(['A\tnew/c.ts', 'A\trun.sh', 'D\ttool.sh', 'M\tfolder/b.ts']);
  expect(await repository.git('ls-tree', 'selfware/improvements', 'run.sh')).toContain('100755');
  expect(await repository.git('log', '-1', '--format=%an', 'selfware/improvements')).toBe(
    await repository.git('log', '-1', '--format=%an', 'main'),
  );
  await repository.git('fsck', '--strict', '--no-progress');
  // Once more: it goes on from there.
  const again = await open();
  expect((await again.read('folder/b.ts'))?.bytes.toString()).toBe('B\n');
  expect(await again.read('tool.sh')).toBeNull();
  await committed(again, ['Third\n', file('folder/b.ts', 'BB\n')]);
  expect((await repository.git('rev-list', '--count', 'main..selfware/improvements')).trim()).toBe('3');
  expect(await readdir(join(stateDir, 'commits'))).toEqual([]);
});

test('what fails on the way leaves no branch', async () => {
  const before = await seen();
  const work = await open();
  await work.commit([file('a.ts', 'x\n')], 'First\n');
  await work.dispose();
  expect(await repository.git('branch', '--list', 'selfware/*')).toBe('');
  expect(await seen()).toBe(before);
});

test.each(['', '-x', 'a..b', 'a b', 'HEAD', '@{-1}x', 'x.lock'])('no name for a branch: %j', async (name) => {
  await expect(open(name)).rejects.toMatchObject({ reason: expect.stringMatching(/usage|forbidden/) });
});

test('the branch that is checked out, here or in another work tree, is not moved unless it is asked for', async () => {
  await expect(open('main')).rejects.toMatchObject({ reason: 'forbidden' });
  const other = join(stateDir, 'other');
  await repository.git('worktree', 'add', '--quiet', '-b', 'elsewhere', other);
  await expect(open('elsewhere')).rejects.toMatchObject({ reason: 'forbidden' });
  await expect(open('elsewhere', true)).rejects.toMatchObject({ reason: 'forbidden' });
  await expect(open(null, true)).rejects.toMatchObject({
    reason: 'forbidden',
    message: expect.stringContaining('staged'),
  });
});

test('asked for, the branch that is checked out gets the commit, and the work tree keeps every byte', async () => {
  await repository.git('reset', '--quiet');
  await repository.write('folder/b.ts', 'B\nmine\n');
  await committed(await open(null, true), ['First\n', file('folder/b.ts', 'B\n'), file('c.ts', 'c\n')]);
  expect((await repository.git('log', '--format=%s', '-1')).trim()).toBe('First');
  expect(await repository.read('folder/b.ts')).toBe('B\nmine\n');
  expect((await repository.git('status', '--porcelain')).split('\n').filter(Boolean).sort()).toEqual([
    ' D c.ts',
    ' M a.ts',
    ' M folder/b.ts',
    '?? new.ts',
  ]);
  expect(await repository.git('diff', '--cached')).toBe('');
});

test('the branch that is checked out is not moved while a merge or a rebase is under way, in any work tree', async () => {
  await repository.git('reset', '--quiet', '--hard');
  const tree = join(stateDir, 'tree');
  await repository.git('worktree', 'add', '--quiet', '-b', 'other', tree);
  for (const [dir, folder, branch] of [
    [repository.dir, join(repository.dir, '.git'), 'main'],
    [tree, join(repository.dir, '.git', 'worktrees', 'tree'), 'other'],
  ] as const) {
    for (const marker of ['MERGE_HEAD', 'rebase-merge']) {
      await mkdir(join(folder, marker));
      await expect(open(branch, true, dir)).rejects.toThrow('A merge, rebase or cherry-pick is under way.');
      await rm(join(folder, marker), { recursive: true });
    }
    await (await open(branch, true, dir)).dispose();
  }
});

test('a branch that somebody has moved in the meantime is left to them', async () => {
  await repository.git('branch', 'theirs');
  const work = await open('theirs');
  await work.commit([file('folder/b.ts', 'B\n')], 'Ours\n');
  await repository.git(
    'update-ref',
    'refs/heads/theirs',
    (await repository.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'Theirs')).trim(),
  );
  await expect(work.finish()).rejects.toMatchObject({ reason: 'stale' });
  await work.dispose();
  expect((await repository.git('log', '-1', '--format=%s', 'theirs')).trim()).toBe('Theirs');
});

async function hook(name: string, script: string, folder = '.git/hooks'): Promise<void> {
  await mkdir(join(repository.dir, folder), { recursive: true });
  await writeFile(join(repository.dir, folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(repository.dir, folder, name), 0o755);
}

test('hooks have their say, on what is committed and not on the work of the user', async () => {
  await hook(
    'pre-commit',
    'cat a.ts > "$(git rev-parse --git-dir)/../../seen"; printf formatted > folder/b.ts; git add folder/b.ts',
  );
  await hook('commit-msg', 'echo "Signed-off-by: Me" >> "$1"');
  const before = await seen();
  await committed(await open(), ['First\n\nSelfware-Proposal: p-1\n', file('folder/b.ts', 'B\n')]);
  expect(await repository.git('show', 'selfware/improvements:folder/b.ts')).toBe('formatted');
  expect(await repository.read('.git/seen')).toBe('a\n');
  expect(await repository.git('log', '-1', '--format=%B', 'selfware/improvements')).toContain('Signed-off-by: Me');
  expect(await seen()).toBe(before);
});

test('a link of the branch leads no file elsewhere', async () => {
  await hook('pre-commit', 'exit 0');
  const git = (input: string, ...words: string[]) =>
    execFileSync('git', words, { cwd: repository.dir, input, encoding: 'utf8' }).trim();
  const link = git(stateDir, 'hash-object', '-w', '--stdin');
  const tree = git(`120000 blob ${link}\tlib\n`, 'mktree');
  await repository.git('update-ref', 'refs/heads/linked', git('', 'commit-tree', tree, '-p', 'HEAD', '-m', 'A link'));
  const work = await open('linked');
  await expect(work.commit([file('lib/new.ts', 'B\n')], 'First\n')).rejects.toMatchObject({ reason: 'forbidden' });
  await work.dispose();
  expect(await readdir(stateDir)).not.toContain('new.ts');
});

test('a hook that refuses is told with its words, and no branch is made', async () => {
  await hook('commit-msg', 'echo "subject may not be empty [type-empty]" >&2; exit 1', '.husky/_');
  await repository.git('config', 'core.hooksPath', '.husky/_');
  const before = await seen();
  const work = await open();
  await expect(work.commit([file('folder/b.ts', 'B\n')], 'First\n')).rejects.toMatchObject({
    reason: 'forbidden',
    message: expect.stringContaining('type-empty'),
  });
  await work.dispose();
  expect(await repository.git('branch', '--list', 'selfware/*')).toBe('');
  expect(await seen()).toBe(before);
});

test('commits are signed where the user signs theirs', async () => {
  const key = join(stateDir, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  for (const [name, value] of [
    ['gpg.format', 'ssh'],
    ['user.signingkey', `${key}.pub`],
    ['commit.gpgsign', 'true'],
  ] as const)
    await repository.git('config', name, value);
  await committed(await open(), ['First\n', file('folder/b.ts', 'B\n')]);
  expect(await repository.git('cat-file', 'commit', 'selfware/improvements')).toContain('BEGIN SSH SIGNATURE');
  await hook('pre-commit', 'exit 0');
  await committed(await open(), ['Second\n', file('folder/b.ts', 'BB\n')]);
  expect(await repository.git('cat-file', 'commit', 'selfware/improvements')).toContain('BEGIN SSH SIGNATURE');
  await repository.git('config', 'user.signingkey', join(stateDir, 'none.pub'));
  const work = await open();
  await expect(work.commit([file('folder/b.ts', 'BBB\n')], 'Third\n')).rejects.toMatchObject({ reason: 'forbidden' });
  await work.dispose();
});

test('line ends are those that git stores, and a filter program is never run', async () => {
  await repository.write('.gitattributes', '*.ts text eol=crlf\n*.bin filter=evil\n');
  await repository.git('config', 'filter.evil.clean', `touch ${join(stateDir, 'ran')}`);
  const work = await open();
  expect((await work.toStoredBytes('folder/b.ts', Buffer.from('one\r\ntwo\r\n'))).toString()).toBe('one\ntwo\n');
  await expect(work.toStoredBytes('x.bin', Buffer.from('x'))).rejects.toMatchObject({ reason: 'unavailable' });
  await work.dispose();
  expect(await readdir(stateDir)).not.toContain('ran');
});

test('of a folder in a repository the paths are its own', async () => {
  const work = await open('selfware/improvements', false, join(repository.dir, 'folder'));
  expect((await work.read('b.ts'))?.bytes.toString()).toBe('b\n');
  await committed(work, ['First\n', file('b.ts', 'B\n')]);
  expect(await repository.git('show', 'selfware/improvements:folder/b.ts')).toBe('B\n');
});

test('a branch with new, changed and deleted files is written in a repository with SHA-256', async () => {
  const long = await createTemporaryRepository({ 'a.ts': 'a\n', 'b.ts': 'b\n' }, { format: 'sha256' });
  try {
    const work = await open('selfware/improvements', false, long.dir);
    await committed(work, ['First\n', file('a.ts', 'A\n'), file('b.ts', null), file('c.ts', 'C\n')]);
    const names = await long.git('ls-tree', '--name-only', 'selfware/improvements');
    expect(names.trim().split('\n')).toEqual(['a.ts', 'c.ts']);
  } finally {
    await long.dispose();
  }
});
