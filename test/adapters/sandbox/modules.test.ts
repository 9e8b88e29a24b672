// Installed packages in a sandbox: there to be used, and the user's never changed.

import { lstat, mkdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseIsolation } from '../../../server/src/adapters/sandbox/isolation/choose.ts';
import { fingerprint, never, sandboxOf, type SandboxOf } from './sandboxOf.ts';

const { supportsOverlays } = await chooseIsolation();
/** Where no overlay works, both ways are links. */
const WAYS = [{ links: false }, { links: true }];

/** A workspace of two packages: `a` needs `b`, an outside package and a tool. */
async function workspace(way: { readonly links: boolean } = { links: true }): Promise<SandboxOf> {
  const given = await sandboxOf(
    {
      '.gitignore': 'node_modules\n',
      'package.json': '{"private": true, "workspaces": ["packages/*"]}\n',
      'packages/a/package.json': '{"name": "@own/a", "type": "module"}\n',
      'packages/a/main.js':
        "import { b } from '@own/b';\nimport outside from 'outside';\nimport scoped from '@scope/inner';\nconsole.log(b, outside, scoped);\n",
      'packages/b/package.json': '{"name": "@own/b", "type": "module", "exports": "./index.js", "bin": "cli.js"}\n',
      'packages/b/index.js': "export const b = 'committed b';\n",
      'packages/b/cli.js': '#!/usr/bin/env node\nconsole.log(import.meta.filename);\n',
    },
    way,
  );
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

test.each(WAYS)('imports resolve, and workspace packages are the sandbox’s own: %o', async (way) => {
  await using given = await workspace(way);
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

test.each(WAYS)('a tool of a workspace package runs from the sandbox, found by its name: %o', async (way) => {
  await using given = await workspace(way);
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

test.each(WAYS)('removing or caching in node_modules of the sandbox does not touch the user’s: %o', async (way) => {
  await using given = await workspace(way);
  const before = await fingerprint(given.repository.dir);
  const worktree = await given.open();
  const script =
    'mkdir -p node_modules/.cache/x && echo 1 > node_modules/.cache/x/y && rm -rf node_modules/outside && rm -rf node_modules/@scope; rm -rf node_modules; ls -A node_modules | grep . || node -e "fs.rmSync(\'packages/a/node_modules/private\', {recursive: true})"';
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
  await using linked = await sandboxOf({ 'package.json': '{}\n' }, { links: true });
  await symlink(join(elsewhere.repository.dir, 'shared'), join(linked.repository.dir, 'node_modules'));
  await using plain = await sandboxOf({ 'package.json': '{}\n' }, { links: true });
  await plain.repository.write('node_modules/x/index.js', "module.exports = 'x';\n");
  for (const given of [linked, plain]) {
    const worktree = await given.open();
    expect((await lstat(join(worktree.dir, 'node_modules'))).isDirectory()).toBe(true);
    // Somebody's own package is copied, an installed one is linked.
    expect((await lstat(join(worktree.dir, 'node_modules/x'))).isSymbolicLink()).toBe(given === plain);
    expect(await worktree.exists('node_modules/x/index.js')).toBe(true);
  }
});

test.each(WAYS)(
  'of a package that somebody works on elsewhere, commands get what it would publish, as it is now',
  async (way) => {
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
    await using given = await sandboxOf({ 'package.json': '{}\n', '.gitignore': 'node_modules\n' }, way);
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
  },
);

test('under an overlay a package can be written, changed and removed, in the sandbox alone', async () => {
  await using given = await workspace({ links: false });
  const before = await fingerprint(given.repository.dir);
  const worktree = await given.open();
  const run = (line: string) => worktree.run({ command: [line], shell: true, timeoutMs: 20_000 }, never);
  const write =
    'echo "module.exports = 2" > node_modules/outside/index.js && echo 1 > node_modules/@scope/inner/tsconfig.tmp && rm -r packages/a/node_modules/private';
  expect((await run(write)).exitCode === 0).toBe(supportsOverlays);
  if (!supportsOverlays) return;
  // The next command of the sandbox sees it, and so do we.
  expect(
    (await run(`node -p "require('outside')" && cat node_modules/@scope/inner/* && ls -A node_modules`)).stdout,
  ).toBe("2\nmodule.exports = 'scoped';\n1\n.bin\n.package-lock.json\n.pnpm\n@own\n@scope\noutside\nstored\n");
  const [read, removed] = [await worktree.read('node_modules/outside/index.js'), 'packages/a/node_modules/private'];
  expect(String(read)).toBe('module.exports = 2\n');
  expect(String(await worktree.read('node_modules/.package-lock.json'))).toBe('{}');
  expect([await worktree.exists('node_modules/stored/index.js'), await worktree.exists(removed)]).toEqual([
    true,
    false,
  ]);
  expect(await worktree.exists('node_modules/.cache')).toBe(false);
  await worktree.dispose();
  expect(await fingerprint(given.repository.dir)).toEqual(before);
  const again = await given.open();
  expect(await again.read('node_modules/@scope/inner/tsconfig.tmp')).toBe(null);
});

test.each(WAYS)('notes of ours in the user’s packages are not seen, and new ones can be written: %o', async (way) => {
  await using given = await workspace(way);
  for (const name of ['README', 'report-1', 'order.json'])
    await given.repository.write(`node_modules/.selfware/${name}`, 'of the user');
  const worktree = await given.open();
  const path = 'node_modules/.selfware/report-1';
  await worktree.write([{ path: 'node_modules/.selfware/README', before: null, after: 'ours' }]);
  expect(await worktree.read(path)).toBe(null);
  await worktree.run({ command: [`cat ${path}; echo new > ${path}`], shell: true, timeoutMs: 20_000 }, never);
  expect(String(await worktree.read(path))).toBe('new\n');
  const seen = await worktree.run(
    { command: ['cd node_modules/.selfware && cat README && ls'], shell: true, timeoutMs: 20_000 },
    never,
  );
  expect(seen.stdout).toBe('oursREADME\nreport-1\n');
});

test('an overlay is not laid where a command has put a link: nothing is written behind it', async () => {
  await using given = await workspace({ links: false });
  const outside = join(given.stateDir, 'outside');
  await mkdir(join(outside, 'a/node_modules'), { recursive: true });
  const worktree = await given.open();
  const run = (line: string) => worktree.run({ command: [line], shell: true, timeoutMs: 20_000 }, never);
  await run(`mv packages gone; ln -s '${outside}' packages`);
  expect(await run('echo x > node_modules/written; cat packages/a/node_modules/private/index.js')).toMatchObject({
    outcome: 'exited',
    exitCode: 1,
  });
  expect(await fingerprint(outside)).toEqual({});
});

test.each(WAYS)('packages that are kept elsewhere are lent in place of the user’s: %o', async (way) => {
  await using kept = await sandboxOf(
    {
      'node_modules/outside/index.js': "module.exports = 'kept';\n",
      'packages/a/node_modules/more/index.js': "module.exports = ' more';\n",
      'env/data.txt': 'data\n',
    },
    { git: false },
  );
  const root = kept.repository.dir;
  await mkdir(join(root, 'node_modules/@own'));
  await symlink('../../packages/b', join(root, 'node_modules/@own/b'));
  await using given = await sandboxOf(
    {
      'package.json': '{}\n',
      '.gitignore': 'node_modules\n',
      'packages/a/package.json': '{}\n',
      'packages/b/index.js': "module.exports = ' own';\n",
    },
    { ...way, kept: ['node_modules', 'packages/a/node_modules', 'env', 'gone'].map((path) => ({ root, path })) },
  );
  await given.repository.write('node_modules/outside/index.js', "module.exports = 'installed';\n");
  await writeFile(join(given.repository.dir, 'node_modules/theirs.js'), '');
  const before = await fingerprint(root);
  const worktree = await given.open();
  const script = "['outside', '@own/b', 'more'].map((name) => require(name)).join('')";
  const line = `node -p "${script}" && cat ../../env/data.txt && ls ../../node_modules; echo x > ../../env/new`;
  const { stdout, stderr } = await worktree.run(
    { command: [line], shell: true, cwd: 'packages/a', timeoutMs: 20_000 },
    never,
  );
  expect(stdout, stderr).toBe('kept own more\ndata\n@own\noutside\n');
  await worktree.dispose();
  expect(await fingerprint(root)).toEqual(before);
});
