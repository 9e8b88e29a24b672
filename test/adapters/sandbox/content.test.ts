// What a sandbox holds, and that the user's repository is exactly as it was.

import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { chmod, mkdir, readFile, readlink, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { bytesOf, fingerprint, never, sandboxOf, silentLog } from './sandboxOf.ts';
import type { Worktree } from '../../../server/src/core/ports/sandbox.ts';

const text = async (worktree: Worktree, path: string) => {
  const bytes = await worktree.read(path);
  return bytes && new TextDecoder().decode(bytes);
};

test('a sandbox holds the repository as it stands now', async () => {
  await using given = await sandboxOf({
    '.gitignore': 'ignored/\n',
    'kept.ts': 'kept\n',
    'changed.ts': 'old\n',
    'gone.ts': 'gone\n',
    'deep/er/file.ts': 'deep\n',
    'name with "quotes"\nand lines.txt': 'odd\n',
  });
  const { repository } = given;
  await repository.write('changed.ts', 'new\r\n');
  await repository.write('staged.ts', 'staged\n');
  await repository.git('add', 'staged.ts');
  await repository.write('untracked.ts', 'untracked\n');
  await repository.write('ignored/out.js', 'ignored\n');
  await repository.write('large.bin', new Uint8Array(5 * 1024 * 1024 + 1));
  await rm(join(repository.dir, 'gone.ts'));
  const worktree = await given.open();
  const expected: Record<string, string | null> = {
    'kept.ts': 'kept\n',
    'changed.ts': 'new\r\n',
    'staged.ts': 'staged\n',
    'untracked.ts': 'untracked\n',
    'deep/er/file.ts': 'deep\n',
    'name with "quotes"\nand lines.txt': 'odd\n',
    'gone.ts': null,
    'ignored/out.js': null,
    'large.bin': null,
    '../owner.json': null,
    deep: null,
  };
  for (const [path, content] of Object.entries(expected)) expect(await text(worktree, path), path).toBe(content);
  expect(await worktree.exists('deep/er')).toBe(true);
  expect(await worktree.exists('../owner.json')).toBe(false);
});

test('modes and links come along, and a link into the repository stays in the sandbox', async () => {
  await using given = await sandboxOf({ 'run.sh': '#!/bin/sh\n', 'folder/a.txt': 'a\n' });
  const { repository } = given;
  await chmod(join(repository.dir, 'run.sh'), 0o755);
  await symlink('folder/a.txt', join(repository.dir, 'near'));
  await symlink(join(repository.dir, 'folder'), join(repository.dir, 'absolute'));
  await symlink('nowhere', join(repository.dir, 'broken'));
  const worktree = await given.open();
  expect((await stat(join(worktree.dir, 'run.sh'))).mode & 0o777).toBe(0o755);
  expect(await text(worktree, 'near')).toBe('a\n');
  expect(await readlink(join(worktree.dir, 'absolute'))).toBe(join(worktree.dir, 'folder'));
  expect(await readlink(join(worktree.dir, 'broken'))).toBe('nowhere');
});

test('a folder inside the work tree sees itself as the root, with the rest around it', async () => {
  await using given = await sandboxOf(
    { 'tsconfig.base.json': '{}\n', 'packages/a/package.json': '{}\n', 'packages/a/index.ts': 'a\n' },
    { below: 'packages/a' },
  );
  const worktree = await given.open();
  expect(await text(worktree, 'index.ts')).toBe('a\n');
  const around = await worktree.run({ command: ['cat', '../../tsconfig.base.json'], timeoutMs: 10_000 }, never);
  expect(around.stdout).toBe('{}\n');
});

test('nested repositories and submodules are left out', async () => {
  await using other = await sandboxOf({ 'inner.txt': 'inner\n' });
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const { repository } = given;
  await repository.git(
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    other.repository.dir,
    'module',
  );
  await repository.git('commit', '--quiet', '--message', 'Submodule');
  await mkdir(join(repository.dir, 'nested'));
  await repository.git('init', '--quiet', 'nested');
  await repository.write('nested/file.txt', 'nested\n');
  const worktree = await given.open();
  expect(await worktree.exists('module')).toBe(true);
  expect(await worktree.read('module/inner.txt')).toBeNull();
  expect(await worktree.exists('nested')).toBe(false);
});

test('git in the sandbox knows the history, branches and uncommitted work', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  await given.repository.git('tag', 'v1');
  await given.repository.write('a.txt', 'changed\n');
  await given.repository.write('b.txt', 'new\n');
  const worktree = await given.open();
  const git = async (...args: string[]) =>
    (await worktree.run({ command: ['git', ...args], timeoutMs: 10_000 }, never)).stdout;
  expect(await git('status', '--porcelain')).toBe(' M a.txt\n?? b.txt\n');
  expect(await git('log', '--format=%s')).toBe('Initial state\n');
  expect(await git('rev-parse', 'main', 'v1')).toBe(await given.repository.git('rev-parse', 'main', 'v1'));
  expect(
    (await worktree.run({ command: ['git', 'symbolic-ref', '-q', 'HEAD'], timeoutMs: 10_000 }, never)).exitCode,
  ).toBe(1);
  expect(await git('fsck')).toBe('');
});

test('nothing that commands do with git reaches the user’s repository, and nothing of the sandbox stays', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const { repository } = given;
  await repository.write('b.txt', 'staged\n');
  await repository.git('add', 'b.txt');
  await repository.write('b.txt', 'and changed again\n');
  await repository.write('c.txt', 'untracked\n');
  await repository.git('worktree', 'add', '--quiet', '--detach', `${given.stateDir}/theirs`);
  const worktrees = await repository.git('worktree', 'list');
  const before = await fingerprint(repository.dir);

  const worktree = await given.open();
  await worktree.write([
    { path: 'a.txt', before: 'a\n', after: 'edited\n' },
    { path: 'c.txt', before: 'untracked\n', after: null },
  ]);
  const script =
    'git config user.name X && git config user.email x@example.com && git add -A && git commit -qm mine && git branch other && git tag t && echo more >> a.txt && git stash && git gc -q --prune=now';
  const result = await worktree.run({ command: [script], shell: true, timeoutMs: 60_000 }, never);
  expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
  await worktree.dispose();

  expect(await fingerprint(repository.dir)).toEqual(before);
  expect(await repository.git('worktree', 'list')).toBe(worktrees);
  await repository.git('fsck', '--strict');
  expect(await worktree.exists('a.txt')).toBe(false);
});

test('a sandbox starts from a linked worktree, a shallow clone and a detached HEAD alike', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  await given.repository.write('a.txt', 'second\n');
  await given.repository.git('commit', '--quiet', '--all', '--message', 'Second');
  await given.repository.git('worktree', 'add', '--quiet', '--detach', 'linked');
  await given.repository.git('clone', '--quiet', '--depth', '1', `file://${given.repository.dir}`, 'shallow');
  for (const below of ['linked', 'shallow']) {
    await using inside = await sandboxOf({}, { git: false });
    const { createSandbox } = await import('../../../server/src/adapters/sandbox/sandbox.ts');
    const { createIds, systemClock } = await import('../../../server/src/adapters/system/system.ts');
    const worktree = await createSandbox(join(given.repository.dir, below), inside.stateDir, {
      clock: systemClock,
      ids: createIds(systemClock),
      log: { write: () => undefined },
    }).open(never);
    expect(await text(worktree, 'a.txt'), below).toBe('second\n');
    expect(
      (await worktree.run({ command: ['git', 'log', '--format=%s', '-1'], timeoutMs: 10_000 }, never)).stdout,
      below,
    ).toBe('Second\n');
    await worktree.dispose();
  }
});

test('without git or a commit there is a typed error and nothing is left behind', async () => {
  for (const [options, reason] of [
    [{ git: false }, 'notARepository'],
    [{ commit: false }, 'noCommit'],
  ] as const) {
    await using given = await sandboxOf({ 'a.txt': 'a\n' }, options);
    await expect(given.open()).rejects.toSatisfy(
      (error) => error instanceof SelfwareError && error.reason === reason && error.action !== null,
    );
    expect(await fingerprint(given.stateDir)).toEqual({});
  }
});

test('a cancelled opening leaves nothing behind', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const cancel = new AbortController();
  const opening = given.sandbox.open(cancel.signal);
  cancel.abort();
  await expect(opening).rejects.toMatchObject({ reason: 'cancelled' });
  expect(await fingerprint(given.stateDir)).toEqual({});
});

test('an opening that hangs is given up, and leaves nothing behind', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const parts = { clock: systemClock, ids: createIds(systemClock), log: silentLog, openingMs: 1500 };
  const stuck = createSandbox(given.repository.dir, given.stateDir, {
    ...parts,
    chooseMechanism: () => new Promise(() => {}),
  });
  await expect(stuck.open(never)).rejects.toMatchObject({ reason: 'timedOut' });
  await vi.waitFor(async () => expect(await fingerprint(given.stateDir)).toEqual({}), 120_000);
  // git reads what a repository ignores, and waits for whoever writes to the pipe.
  execFileSync('mkfifo', [join(given.repository.dir, '.gitignore')]);
  const hanging = createSandbox(given.repository.dir, given.stateDir, parts);
  await expect(hanging.open(never)).rejects.toMatchObject({ reason: 'timedOut' });
  await vi.waitFor(() => expect(processesIn(given.repository.dir)).toEqual([]), 120_000);
});

test('edits are written, created, deleted and taken back; a deleted file comes back with its mode', async () => {
  await using given = await sandboxOf({ 'a.ts': 'a\n', 'gone.sh': 'gone\n' });
  await chmod(join(given.repository.dir, 'gone.sh'), 0o755);
  const worktree = await given.open();
  const edits = [
    { path: 'a.ts', before: 'a\n', after: 'ä\r\n' },
    { path: 'new/b.ts', before: null, after: 'b\n' },
    { path: 'gone.sh', before: 'gone\n', after: null },
  ];
  await worktree.write(edits);
  expect(await worktree.read('a.ts')).toEqual(Buffer.from(bytesOf('ä\r\n')));
  expect(await text(worktree, 'new/b.ts')).toBe('b\n');
  expect(await worktree.read('gone.sh')).toBeNull();
  await worktree.write(edits, { reverse: true });
  expect([await text(worktree, 'a.ts'), await text(worktree, 'new/b.ts'), await text(worktree, 'gone.sh')]).toEqual([
    'a\n',
    null,
    'gone\n',
  ]);
  expect((await stat(join(worktree.dir, 'gone.sh'))).mode & 0o777).toBe(0o755);
});

test('what a command left is not believed when it is read', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n', 'package.json': '{}\n', '.gitignore': 'node_modules\n' });
  await given.repository.write('node_modules/x/index.js', 'theirs\n');
  const worktree = await given.open();
  const script = `ln -s /etc/hostname outside; ln -s /etc folder; ln -s a.txt inside; ln -s inside loop1; mkfifo pipe; ln -s loop loop; mkdir secret; truncate -s 300M huge`;
  expect(await worktree.run({ command: [script], shell: true, timeoutMs: 10_000 }, never)).toMatchObject({
    exitCode: 0,
  });
  for (const path of ['outside', 'folder/hostname', 'pipe', 'loop', 'secret', 'huge'])
    expect(await worktree.read(path), path).toBeNull();
  expect([
    await text(worktree, 'inside'),
    await text(worktree, 'loop1'),
    await text(worktree, 'node_modules/x/index.js'),
  ]).toEqual(['a\n', 'a\n', 'theirs\n']);
});

test('no edit is written outside the tree, through a link or into .git', async () => {
  const files = { 'a.ts': 'a\n', 'package.json': '{}\n', '.gitignore': 'node_modules\n' };
  await using given = await sandboxOf(files, { links: true });
  await given.repository.write('node_modules/x/index.js', 'theirs\n');
  await symlink('..', join(given.repository.dir, 'up'));
  await symlink('a.ts', join(given.repository.dir, 'link.ts'));
  const worktree = await given.open();
  for (const path of [
    '../escape.ts',
    '/tmp/escape.ts',
    'up/escape.ts',
    'a/../../escape.ts',
    'node_modules/x/index.js',
    'link.ts',
    '.git/config',
    'sub/.GIT/hooks/x',
    '.',
    'nul\0.ts',
  ]) {
    await expect(worktree.write([{ path, before: null, after: 'x' }]), path).rejects.toMatchObject({
      reason: 'forbidden',
    });
  }
  expect(await given.repository.read('node_modules/x/index.js')).toBe('theirs\n');
});

test('what a command has put in the place of a file or folder keeps no writer waiting and leads nowhere', async () => {
  await using outside = await sandboxOf({ 'a.ts': 'theirs\n' }, { git: false });
  await using given = await sandboxOf({ 'a.ts': 'a\n', 'b.ts': 'b\n', 'c.sh': '#!/bin/sh\n', 'd/a.ts': 'a\n' });
  const worktree = await given.open();
  const line = `rm a.ts && mkfifo a.ts && ln -f b.ts hard.ts && chmod 755 c.sh && rm -r d && ln -s '${outside.repository.dir}' d`;
  expect(await worktree.run({ command: [line], shell: true, timeoutMs: 20_000 }, never)).toMatchObject({ exitCode: 0 });
  const edit = (path: string) => [{ path, before: null, after: `new ${path}` }];
  for (const path of ['a.ts', 'b.ts', 'c.sh']) await worktree.write(edit(path));
  await expect(worktree.write(edit('d/a.ts'))).rejects.toMatchObject({ reason: 'forbidden' });
  await expect(worktree.write([{ path: 'd/a.ts', before: 'a\n', after: null }])).rejects.toMatchObject({
    reason: 'forbidden',
  });
  expect(Buffer.from((await worktree.read('a.ts')) ?? []).toString()).toBe('new a.ts');
  expect(await readFile(join(worktree.dir, 'hard.ts'), 'utf8')).toBe('b\n');
  expect((await stat(join(worktree.dir, 'c.sh'))).mode & 0o777).toBe(0o755);
  expect(await outside.repository.read('a.ts')).toBe('theirs\n');
});

test('a repository that borrows objects shows its own commit, and nothing else of the store that it borrows from', async () => {
  await using lender = await sandboxOf({ 'a.txt': 'a\n' });
  const borrowed = join(lender.repository.dir, '.git/objects');
  await using given = await sandboxOf({ 'a.txt': 'a\n', 'b/c.txt': 'c\n' });
  await given.repository.write('.git/objects/info/alternates', `${borrowed}\n`);
  await lender.repository.write('secret.txt', 'SECRET\n');
  await lender.repository.git('add', '.');
  await lender.repository.git('commit', '--quiet', '--message', 'Secret');
  const secret = (await lender.repository.git('rev-parse', 'HEAD:secret.txt')).trim();
  const worktree = await given.open();
  const git = async (...args: string[]) => worktree.run({ command: ['git', ...args], timeoutMs: 20_000 }, never);
  expect(await git('status', '--porcelain')).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await git('show', 'HEAD:b/c.txt')).toMatchObject({ exitCode: 0, stdout: 'c\n' });
  expect(await git('log', '--oneline')).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await git('cat-file', '-p', secret)).stdout).not.toContain('SECRET');
  expect((await worktree.run({ command: ['ls', borrowed], timeoutMs: 20_000 }, never)).stdout).toBe('');
  expect(await worktree.exists('.git/objects/info/alternates')).toBe(false);
});

/** Numbers of the processes that work in a folder. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}
