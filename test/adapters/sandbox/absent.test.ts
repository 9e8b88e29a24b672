// Packages that a sandbox is not lent: commands find neither them nor their programs, and the user keeps them.

import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fingerprint, never, sandboxOf } from './sandboxOf.ts';

const WAYS = [{ links: false }, { links: true }];

/** Prints which of the packages can be loaded from the root. */
const LOADS = `for (const name of ['left-pad', '@scope/inner', '@scope/kept', 'kept'])
  try { console.log(name, require(name)); } catch (error) { console.log(name, error.code); }`;

test.each(WAYS)('an absent package cannot be loaded or run, and its neighbours can: %o', async (way) => {
  await using given = await sandboxOf({ '.gitignore': 'node_modules\n', 'package.json': '{}' }, way);
  const { repository } = given;
  for (const name of ['left-pad', '@scope/inner', '@scope/kept', 'kept'])
    await repository.write(`node_modules/${name}/index.js`, `#!/usr/bin/env node\nmodule.exports = 'loaded';\n`);
  await mkdir(join(repository.dir, 'node_modules/.bin'));
  for (const name of ['left-pad', 'kept']) {
    await chmod(join(repository.dir, `node_modules/${name}/index.js`), 0o755);
    await symlink(`../${name}/index.js`, join(repository.dir, `node_modules/.bin/${name}`));
  }
  const before = await fingerprint(repository.dir);
  const absent = ['node_modules/left-pad', 'node_modules/@scope/inner'];
  await using worktree = disposable(await given.sandbox.open(never, undefined, absent));
  const { stdout } = await worktree.run({ command: ['node', '-e', LOADS], timeoutMs: 20_000 }, never);
  expect(stdout).toBe('left-pad MODULE_NOT_FOUND\n@scope/inner MODULE_NOT_FOUND\n@scope/kept loaded\nkept loaded\n');
  expect(await worktree.exists('node_modules/left-pad')).toBe(false);
  expect(await worktree.exists('node_modules/kept')).toBe(true);
  const programs = await worktree.run(
    { command: ['kept && ! command -v left-pad'], shell: true, timeoutMs: 20_000 },
    never,
  );
  expect(programs.exitCode, programs.stderr).toBe(0);
  expect(await fingerprint(repository.dir)).toEqual(before);
});

test.each(WAYS)('an absent package that git tracks is left out, too: %o', async (way) => {
  await using given = await sandboxOf(
    {
      'package.json': '{}',
      'node_modules/left-pad/index.js': `module.exports = 'loaded';\n`,
      'node_modules/kept/index.js': `module.exports = 'loaded';\n`,
    },
    way,
  );
  await using worktree = disposable(await given.sandbox.open(never, undefined, ['node_modules/left-pad']));
  const { stdout } = await worktree.run({ command: ['node', '-e', LOADS], timeoutMs: 20_000 }, never);
  expect(stdout).toContain('left-pad MODULE_NOT_FOUND');
  expect(stdout).toContain('\nkept loaded');
  expect(await worktree.exists('node_modules/left-pad')).toBe(false);
});

test.each(WAYS)('from a folder of the repository, packages at its top are seen: %o', async (way) => {
  const files = { '.gitignore': 'node_modules\n', 'package.json': '{}', 'app/package.json': '{}' };
  await using given = await sandboxOf(files, { ...way, below: 'app' });
  await given.repository.write('node_modules/left-pad/index.js', '');
  await using worktree = disposable(await given.sandbox.open(never));
  expect(worktree.prefix).toBe('app');
  expect(await worktree.exists('node_modules/left-pad')).toBe(false);
  expect(await worktree.exists('../node_modules/left-pad')).toBe(true);
  expect(await worktree.exists('../../tree/node_modules/left-pad')).toBe(false);
});

function disposable<T extends { dispose(): Promise<void> }>(worktree: T): T & AsyncDisposable {
  return Object.assign(worktree, { [Symbol.asyncDispose]: () => worktree.dispose() });
}
