// What a command sees of the machine: the system and the programs in the path with what lies beside them, and nothing
// else of it.

import { access, chmod, constants, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { chooseIsolation } from '../../../server/src/adapters/sandbox/isolation/choose.ts';
import { findToolRoot } from '../../../server/src/adapters/sandbox/isolation/machine.ts';
import { createSandbox } from '../../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../../server/src/adapters/system/system.ts';
import { never, sandboxOf, silentLog, type SandboxOf } from './sandboxOf.ts';
import type { Worktree } from '../../../server/src/core/ports/sandbox.ts';

/** Nothing is promised where nothing isolates. */
const walls = [(await chooseIsolation()).isolation].filter(({ confined }) => confined);
const SYSTEM = [
  'bin',
  'dev',
  'etc',
  'gnu',
  'lib',
  'lib32',
  'lib64',
  'libexec',
  'libx32',
  'nix',
  'proc',
  'sbin',
  'sys',
  'usr',
];

/**
 * Neither in a home nor in a temporary folder: a place for which nobody has made a rule. This clone may lie in either.
 */
async function somewhere(): Promise<{ readonly dir: string; [Symbol.asyncDispose](): Promise<void> }> {
  const cache = join(import.meta.dirname, '../../../node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const mayWrite = await access('/srv', constants.W_OK).then(
    () => true,
    () => false,
  );
  const dir = await mkdtemp(join(mayWrite ? '/srv' : cache, 'machine-'));
  return { dir, [Symbol.asyncDispose]: async () => (vi.unstubAllEnvs(), rm(dir, { recursive: true, force: true })) };
}

/** Shown nothing of ours, among which the place lies. */
async function open(given: SandboxOf): Promise<Worktree> {
  const deps = { clock: systemClock, ids: createIds(systemClock), log: silentLog };
  return createSandbox(given.repository.dir, given.stateDir, deps).open(never);
}

async function program(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  await chmod(file, 0o755);
}

test.each(walls)(
  'data outside of homes is not there, and configuration that not everybody may read is empty',
  async () => {
    await using place = await somewhere();
    await writeFile(join(place.dir, 'customers.csv'), 'SECRET\n');
    await using given = await sandboxOf({ 'a.txt': 'a\n' });
    const worktree = await open(given);
    const run = async (line: string) =>
      (await worktree.run({ command: [line], shell: true, timeoutMs: 20_000 }, never)).stdout;
    expect(await run(`cat '${place.dir}/customers.csv'`)).toBe('');
    for (const folder of ['/srv', '/opt', '/mnt', '/media', '/boot', '/var/log', '/var/lib/dpkg'])
      expect(await run(`ls -A ${folder}`)).toBe('');
    for (const file of ['/etc/shadow', '/etc/gshadow', '/etc/sudoers']) expect(await run(`cat ${file}`)).toBe('');
    expect(await run('head -c 4 /etc/passwd; test -w / && echo writable; ls /usr/bin/env')).toBe('root/usr/bin/env\n');
    const top = (await run('ls /')).trim().split('\n');
    const shown = new Set([
      ...SYSTEM,
      ...[place.dir, given.stateDir, '/home', '/root', '/run', '/var', '/tmp', process.execPath].map(
        (path) => path.split('/')[1] ?? '',
      ),
    ]);
    expect(top.filter((name) => !shown.has(name))).toEqual([]);
  },
);

test.each(walls)('a tool in the path finds what lies beside it, by its folder and by a link', async () => {
  await using place = await somewhere();
  const at = (path: string) => join(place.dir, path);
  await program(at('tool/1.2/bin/beside'), '#!/bin/sh\ncat "$(dirname "$(realpath "$0")")/../lib/data"\n');
  await program(at('other/2.0/bin/behind'), '#!/bin/sh\ncat "$(dirname "$(realpath "$0")")/../lib/data"\n');
  for (const tool of ['tool/1.2', 'other/2.0']) await program(at(`${tool}/lib/data`), `data of ${tool}\n`);
  await mkdir(at('links'));
  await symlink(at('other/2.0/bin/behind'), at('links/behind'));
  await symlink(at('tool/1.2'), at('current'));
  await writeFile(at('tool/notes'), 'SECRET\n');
  vi.stubEnv('PATH', `${at('current/bin')}:${at('links')}:${process.env['PATH'] ?? ''}`);
  await using given = await sandboxOf({ 'a.txt': 'a\n' });
  const worktree = await open(given);
  const run = async (...command: string[]) => worktree.run({ command, timeoutMs: 20_000 }, never);
  expect(await run('beside')).toMatchObject({ stdout: 'data of tool/1.2\n' });
  expect(await run('behind')).toMatchObject({ stdout: 'data of other/2.0\n' });
  expect((await run('cat', at('tool/notes'))).stdout).toBe('');
});

test('what lies beside programs is not shown at the top of a disk, on a disk of Windows, and in a home', async () => {
  await using place = await somewhere();
  const home = join(place.dir, 'people/me');
  await mkdir(join(home, 'bin'), { recursive: true });
  await writeFile(join(home, '.bashrc'), '');
  const folders = [
    '/opt/bin',
    '/srv/bin',
    '/mnt/c/Users/me/bin',
    '/media/disk/tool/bin',
    join(home, 'bin'),
    '/opt/google/chrome',
  ];
  expect(folders.map(findToolRoot)).toEqual(folders);
  expect(['/opt/tool/bin', '/opt/tool/1.2/sbin'].map(findToolRoot)).toEqual(['/opt/tool', '/opt/tool/1.2']);
});
