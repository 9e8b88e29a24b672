// Installed packages in a sandbox: there to be used, out of reach to be changed.

import { lstat, mkdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fingerprint, never, sandboxOf, type SandboxOf } from './sandboxOf.ts';

/** A workspace of two packages: `a` needs `b`, an outside package and a tool. */
async function workspace(): Promise<SandboxOf> {
  const given = await sandboxOf({
    '.gitignore': 'node_modules\n',
    'package.json': '{"private": true, "workspaces": ["packages/*"]}\n',
    'packages/a/package.json': '{"name": "@own/a", "type": "module"}\n',
    'packages/a/main.js':
      "import { b } from '@own/b';\nimport outside from 'outside';\nimport scoped from '@scope/inner';\nconsole.log(b, outside, scoped);\n",
    'packages/b/package.json': '{"name": "@own/b", "type": "module", "exports": "./index.js", "bin": "cli.js"}\n',
    'packages/b/index.js': "export const b = 'committed b';\n",
    'packages/b/cli.js': '#!/usr/bin/env node\nconsole.log(import.meta.filename);\n',
  });
  const { repository } = given;
  const root = (path: string) => join(repository.dir, path);
  await repository.write('node_modules/outside/package.json', '{"main": "index.js"}');
  await repository.write('node_modules/outside/index.js', "module.exports = 'outside';\n");
  await repository.write('node_modules/@scope/inner/index.js', "module.exports = 'scoped';\n");
  await repository.write('node_modules/.cache/tool/entry', 'cached');
  await repository.write('node_modules/.package-lock.json', '{}');
  await repository.write('packages/a/node_modules/private/index.js', "module.exports = 'private';\n");
  await mkdir(root('node_modules/@own'), { recursive: true });
  await mkdir(root('node_modules/.bin'), { recursive: true });
  await symlink('../../packages/a', root('node_modules/@own/a'));
  await symlink('../../packages/b', root('node_modules/@own/b'));
  await symlink('../@own/b/cli.js', root('node_modules/.bin/own-b'));
  await symlink('gone', root('node_modules/broken'));
  await mkdir(root('node_modules/.pnpm/store@1/node_modules/stored'), { recursive: true });
  await repository.write('node_modules/.pnpm/store@1/node_modules/stored/index.js', "module.exports = 'stored';\n");
  await symlink('.pnpm/store@1/node_modules/stored', root('node_modules/stored'));
  return given;
}

test('imports resolve, and workspace packages are the sandbox’s own', async () => {
  await using given = await workspace();
  const worktree = await given.open();
  await worktree.write([
    {
      path: 'packages/b/index.js',
      before: "export const b = 'committed b';\n",
      after: "export const b = 'edited b';\n",
    },
  ]);
  const run = await worktree.run({ command: ['node', 'main.js'], cwd: 'packages/a', timeoutMs: 20_000 }, never);
  expect(run.stdout + run.stderr).toBe('edited b outside scoped\n');
  const stored = await worktree.run(
    { command: ['node', '-e', "console.log(require('stored'))"], timeoutMs: 20_000 },
    never,
  );
  expect(stored.stdout).toBe('stored\n');
  const nested = await worktree.run(
    {
      command: ['node', '--input-type=commonjs', '-e', "console.log(require('private'))"],
      cwd: 'packages/a',
      timeoutMs: 20_000,
    },
    never,
  );
  expect(nested.stdout).toBe('private\n');
});

test('a tool of a workspace package runs from the sandbox, found by its name', async () => {
  await using given = await workspace();
  const { chmod } = await import('node:fs/promises');
  await chmod(join(given.repository.dir, 'packages/b/cli.js'), 0o755);
  const worktree = await given.open();
  const run = await worktree.run({ command: ['own-b'], timeoutMs: 20_000 }, never);
  expect(run.stdout.trim(), run.stderr).toBe(join(worktree.dir, 'packages/b/cli.js'));
});

test('folders are real, caches are not lent, links that lead nowhere are left out', async () => {
  await using given = await workspace();
  const worktree = await given.open();
  for (const folder of [
    'node_modules',
    'node_modules/@scope',
    'node_modules/@own',
    'node_modules/.bin',
    'packages/a/node_modules',
  ]) {
    expect((await lstat(join(worktree.dir, folder))).isDirectory(), folder).toBe(true);
  }
  expect(await readlink(join(worktree.dir, 'node_modules/@own/b'))).toBe(join(worktree.dir, 'packages/b'));
  expect(await readlink(join(worktree.dir, 'node_modules/outside'))).toBe(
    join(given.repository.dir, 'node_modules/outside'),
  );
  expect((await lstat(join(worktree.dir, 'node_modules/.package-lock.json'))).isFile()).toBe(true);
  expect(await worktree.exists('node_modules/.cache')).toBe(false);
  expect(await worktree.exists('node_modules/broken')).toBe(false);
});

test('removing or caching in node_modules of the sandbox does not touch the user’s', async () => {
  await using given = await workspace();
  const before = await fingerprint(given.repository.dir);
  const worktree = await given.open();
  const script =
    'mkdir -p node_modules/.cache/x && echo 1 > node_modules/.cache/x/y && rm -rf node_modules/outside && rm -rf node_modules/@scope && rm -rf node_modules && node -e "fs.rmSync(\'packages/a/node_modules\', {recursive: true})"';
  expect(await worktree.run({ command: [script], shell: true, timeoutMs: 20_000 }, never)).toMatchObject({
    exitCode: 0,
  });
  await worktree.dispose();
  expect(await fingerprint(given.repository.dir)).toEqual(before);
});

test('a node_modules that is itself a link is lent by its entries, and one that git does not ignore is not copied', async () => {
  await using elsewhere = await sandboxOf(
    { 'shared/x/package.json': '{}\n', 'shared/x/index.js': "module.exports = 'x';\n" },
    { git: false },
  );
  await using linked = await sandboxOf({ 'package.json': '{}\n' });
  await symlink(join(elsewhere.repository.dir, 'shared'), join(linked.repository.dir, 'node_modules'));
  await using plain = await sandboxOf({ 'package.json': '{}\n' });
  await plain.repository.write('node_modules/x/index.js', "module.exports = 'x';\n");
  for (const given of [linked, plain]) {
    const worktree = await given.open();
    expect((await lstat(join(worktree.dir, 'node_modules'))).isDirectory()).toBe(true);
    // Somebody's own package is copied, an installed one is linked.
    expect((await lstat(join(worktree.dir, 'node_modules/x'))).isSymbolicLink()).toBe(given === plain);
    expect(await worktree.exists('node_modules/x/index.js')).toBe(true);
  }
});

test('of a package that somebody works on elsewhere, commands get what it would publish, as it is now', async () => {
  await using elsewhere = await sandboxOf({
    'package.json': '{"files": ["dist/**"], "main": "./start.js"}\n',
    'start.js': "module.exports = require('./dist/inner/a.js') + require('needed');\n",
    'dist/inner/a.js': "module.exports = 'one';\n",
    'dist/.env': 'SECRET\n',
    'dist/server.key': 'SECRET\n',
    '.env': 'SECRET\n',
    'notes.txt': 'SECRET\n',
    'node_modules/needed/index.js': "module.exports = ' needed';\n",
  });
  await using given = await sandboxOf({ 'package.json': '{}\n', '.gitignore': 'node_modules\n' });
  await mkdir(join(given.repository.dir, 'node_modules'));
  await symlink(elsewhere.repository.dir, join(given.repository.dir, 'node_modules/linked'));
  const tell = async () => {
    const worktree = await given.open();
    const run = async (line: string) =>
      (await worktree.run({ command: [line], shell: true, timeoutMs: 20_000 }, never)).stdout;
    const found = [
      await run(`node -p "require('linked')"`),
      await run(`grep -rl SECRET node_modules/linked/ '${elsewhere.repository.dir}'`),
    ];
    await worktree.dispose();
    return found;
  };
  expect(await tell()).toEqual(['one needed\n', '']);
  await elsewhere.repository.write('dist/inner/a.js', "module.exports = 'two';\n");
  expect(await tell()).toEqual(['two needed\n', '']);
});
