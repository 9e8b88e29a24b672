// A sandbox that is opened again is exactly what a new one would be, whatever was done in it and in the repository
// meanwhile.

import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { computeMaxCommands } from '../../../server/src/adapters/sandbox/admission.ts';
import { computeMachineLimits } from '../../../server/src/adapters/sandbox/limits.ts';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { fingerprint, never, sandboxOf, silentLog, type SandboxOf } from './sandboxOf.ts';
import type { Sandbox, Worktree } from '../../../server/src/core/ports/sandbox.ts';

const FILES = {
  '.gitignore': 'node_modules\nout\n',
  'package.json': '{}\n',
  'a.txt': 'a\n',
  'b.txt': 'b\n',
  'deep/er/c.txt': 'c\n',
  'deep/d.txt': 'd\n',
  'other/e.txt': 'e\n',
};

/** What commands may have left; `$OUTSIDE` is a folder that is nobody's business. */
const MEDDLING: Readonly<Record<string, string>> = {
  nothing: 'true',
  'files changed, made and removed': 'echo x >> a.txt; rm b.txt; echo new > new.txt; mkdir -p new/folder; mkdir empty',
  'a file changed without a trace in size and time': 'printf "A\\n" > a.txt; touch -r b.txt a.txt',
  'build outputs and caches':
    'mkdir -p out node_modules/.cache/tool; echo x > out/x; echo x > node_modules/.cache/tool/x',
  'packages changed':
    'rm node_modules/lent; mkdir node_modules/lent; echo "module.exports = 1" > node_modules/lent/index.js; echo x > node_modules/added',
  'a commit, hooks and configuration':
    'git config user.name X; git config user.email x@example.com; git config core.fsmonitor "touch $HOME/ran"; git config core.hooksPath hooks; echo "* filter=evil" > .gitattributes; git config filter.evil.clean "touch $HOME/ran"; git add -A; git commit -qm mine; git checkout -q -b other; echo "touch $HOME/ran" > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout',
  'no git at all': 'rm -rf .git; echo gitdir: /nowhere > .git',
  'a folder replaced by a link to somewhere else': 'rm -rf deep; ln -s "$OUTSIDE" deep',
  'a file replaced by a link and a link by a file': 'rm a.txt; ln -s "$OUTSIDE/theirs" a.txt; rm link; echo x > link',
  'a file replaced by a folder and a folder by a file':
    'rm a.txt; mkdir -p a.txt/x; echo x > a.txt/x/y; rm -rf deep; echo x > deep',
  'modes changed': 'chmod 777 a.txt; chmod 500 deep; chmod 000 other',
  'a second name': 'ln a.txt second; rm a.txt; mv second a.txt; echo x >> a.txt',
  'everything removed': 'rm -rf .[a-z]* *',
};

interface Pool extends SandboxOf {
  readonly pool: Sandbox;
  readonly outside: string;
}

async function pooled(): Promise<Pool> {
  const given = await sandboxOf(FILES, { links: true });
  await given.repository.write('node_modules/lent/index.js', 'theirs\n');
  await given.repository.write('node_modules/@scope/lent/index.js', 'theirs\n');
  await symlink('a.txt', join(given.repository.dir, 'link'));
  const outside = join(given.stateDir, 'outside');
  await mkdir(join(outside, 'er'), { recursive: true });
  for (const path of ['theirs', 'd.txt', 'er/c.txt']) await writeFile(join(outside, path), 'theirs');
  // Without isolation, so that the meddling can do what it wants.
  const pool = createSandbox(given.repository.dir, given.stateDir, {
    clock: systemClock,
    ids: createIds(systemClock),
    log: silentLog,
    maxIdle: 1,
    chooseMechanism: async () => ({
      mechanism: null,
      isolation: { kind: 'none', confined: false, tried: [] },
      supportsOverlays: false,
    }),
  });
  return {
    ...given,
    pool,
    outside,
    async [Symbol.asyncDispose]() {
      await pool.close();
      await given[Symbol.asyncDispose]();
    },
  };
}

/** Everything in a folder but times, with the folder's own place left out; `.git` and packages included. */
async function contentOf(dir: string, below = ''): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const name of (await readdir(join(dir, below))).sort()) {
    const path = below === '' ? name : `${below}/${name}`;
    const stat = await lstat(join(dir, path));
    if (stat.isDirectory())
      Object.assign(content, { [path]: `folder ${stat.mode.toString(8)}` }, await contentOf(dir, path));
    else
      content[path] = stat.isSymbolicLink()
        ? `-> ${await readlink(join(dir, path))}`
        : `${stat.mode.toString(8)} ${createHash('sha256')
            .update(await readFile(join(dir, path)))
            .digest('hex')}`;
  }
  return content;
}

/** The sandbox's whole folder, as a new one in its place would be. */
async function expectAsNew(given: Pool, worktree: Worktree): Promise<void> {
  const fresh = await given.open();
  const [ours, theirs] = await Promise.all(
    [worktree, fresh].map(
      async ({ dir }) =>
        JSON.parse(JSON.stringify(await contentOf(join(dir, '..'))).replaceAll(join(dir, '..'), '$SANDBOX')) as Record<
          string,
          string
        >,
    ),
  );
  expect({ ...ours, 'owner.json': '' }).toEqual({ ...theirs, 'owner.json': '' });
  await fresh.dispose();
}

test.each(Object.entries(MEDDLING))('%s', async (_name, script) => {
  await using given = await pooled();
  const outside = await fingerprint(given.outside);
  const first = await given.pool.open(never);
  await first.run({ command: [script], shell: true, env: { OUTSIDE: given.outside }, timeoutMs: 30_000 }, never);
  await first.run({ command: ['echo x > "$HOME/x"; echo x > "$TMPDIR/x"'], shell: true, timeoutMs: 30_000 }, never);
  await first.dispose();
  expect(await first.list()).toEqual([]);
  expect(await first.read('package.json')).toBeNull();
  const second = await given.pool.open(never);
  expect(second.dir).toBe(first.dir);
  await expectAsNew(given, second);
  // Again, because what was noted of a tree that was brought back has to be right, too.
  await second.write([{ path: 'b.txt', before: 'b\n', after: 'edited\n' }]);
  await second.dispose();
  const third = await given.pool.open(never);
  await expectAsNew(given, third);
  await third.dispose();
  expect(await fingerprint(given.outside)).toEqual(outside);
});

test('one that cannot be brought back is replaced by a new one', async () => {
  await using given = await pooled();
  const first = await given.pool.open(never);
  const tooDeep = "for (let i = 0; i < 60; i++) { fs.mkdirSync('x'.repeat(200)); process.chdir('x'.repeat(200)); }";
  expect(await first.run({ command: ['node', '-e', tooDeep], timeoutMs: 30_000 }, never)).toMatchObject({
    exitCode: 0,
  });
  await first.dispose();
  const second = await given.pool.open(never);
  expect(second.dir).not.toBe(first.dir);
  await expectAsNew(given, second);
  await second.dispose();
  expect(await readdir(join(given.stateDir, 'sandboxes'))).toHaveLength(1);
});

test('what changed in the repository comes along', async () => {
  await using given = await pooled();
  await (await given.pool.open(never)).dispose();
  const { repository } = given;
  await repository.write('a.txt', 'A\n');
  await repository.write('fresh/file.txt', 'new\n');
  await rm(join(repository.dir, 'other'), { recursive: true });
  await repository.git('commit', '--quiet', '--all', '--message', 'Second');
  await repository.write('node_modules/second/index.js', 'new\n');
  const worktree = await given.pool.open(never);
  await expectAsNew(given, worktree);
  expect(await worktree.exists('other')).toBe(false);
  await worktree.dispose();
});

test('what commands wrote into packages under an overlay is gone', async () => {
  await using given = await sandboxOf(FILES);
  await given.repository.write('node_modules/lent/index.js', 'theirs\n');
  const parts = { clock: systemClock, ids: createIds(systemClock), log: silentLog, maxIdle: 1 };
  const pool = createSandbox(given.repository.dir, given.stateDir, parts);
  const seen: string[] = [];
  for (const line of ['echo x >> node_modules/lent/index.js; mkdir node_modules/.cache; rm a.txt', 'true']) {
    const worktree = await pool.open(never);
    const command = [`cat node_modules/lent/index.js a.txt; ls -A node_modules; ${line}`];
    seen.push((await worktree.run({ command, shell: true, timeoutMs: 30_000 }, never)).stdout);
    await worktree.dispose();
  }
  await pool.close();
  expect(seen[0]).toMatch(/^theirs\na\n(.*\n)*lent\n/);
  expect(seen[1]).toBe(seen[0]);
  expect(await given.repository.read('node_modules/lent/index.js')).toBe('theirs\n');
});

test('as many as are asked for stay, and none after closing', async () => {
  await using given = await pooled();
  const [one, two] = [await given.pool.open(never), await given.pool.open(never)];
  await Promise.all([one.dispose(), two.dispose()]);
  expect(await readdir(join(given.stateDir, 'sandboxes'))).toHaveLength(1);
  const open = await given.pool.open(never);
  await given.pool.close();
  await open.dispose();
  expect(await readdir(join(given.stateDir, 'sandboxes'))).toEqual([]);
});

test('commands of several sandboxes run side by side, as many as are allowed; a cancelled one does not wait', async () => {
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const sandbox = createSandbox(given.repository.dir, given.stateDir, {
    clock: systemClock,
    ids: createIds(systemClock),
    log: silentLog,
    maxCommands: 2,
  });
  const worktrees = await Promise.all([1, 2, 3].map(() => sandbox.open(never)));
  const cancel = new AbortController();
  const [first, second, third] = worktrees.map((worktree, at) =>
    worktree.run(
      { command: ['node', '-e', 'setInterval(() => {}, 1000)'], timeoutMs: 2_000 },
      at === 2 ? cancel.signal : never,
    ),
  );
  cancel.abort();
  expect(await third).toMatchObject({ outcome: 'cancelled' });
  expect(await Promise.all([first, second])).toMatchObject([{ outcome: 'timedOut' }, { outcome: 'timedOut' }]);
  for (const worktree of worktrees) await worktree.dispose();
});

test('cores and memory say how many commands run at once', () => {
  const limits = computeMachineLimits();
  const gibibytes = (count: number) => count * 1024 ** 3;
  expect([
    computeMaxCommands(limits, 1, gibibytes(64)),
    computeMaxCommands(limits, 2, gibibytes(64)),
    computeMaxCommands(limits, 16, gibibytes(64)),
    computeMaxCommands(limits, 16, gibibytes(4)),
  ]).toEqual([1, 2, 8, 1]);
});
