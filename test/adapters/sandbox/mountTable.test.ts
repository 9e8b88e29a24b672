// Tables of mounts: any path can be written in one, what lies in another layer comes after it, and bans are kept.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { MountLayer } from '../../../server/src/adapters/sandbox/isolation/enclosure.ts';
import {
  createBindMount,
  isNoexec,
  groupByDepth,
  createMountLines,
  createMountLinesForExistingTargets,
  readMounts,
} from '../../../server/src/adapters/sandbox/isolation/mountTable.ts';
import { quoteForShell } from '../../../server/src/adapters/sandbox/isolation/mechanism.ts';
import { unshare } from '../../../server/src/adapters/sandbox/isolation/unshare.ts';
import { probeMechanism } from '../../../server/src/adapters/sandbox/isolation/probe.ts';

const run = promisify(execFile);
const works = (await probeMechanism(unshare)).trouble === null;

test('layers that lie in others come in a later generation', () => {
  const layer = (path: string): MountLayer => ({ path, kind: 'readable', source: path });
  const layers = ['/etc', '/tmp', '/etc/deep/down', '/tmp/a', '/tmp/a/b/c', '/tmpfiles'].map(layer);
  expect(groupByDepth(layers).map((some) => some.map(({ path }) => path))).toEqual([
    ['/etc', '/tmp', '/tmpfiles'],
    ['/etc/deep/down', '/tmp/a'],
    ['/tmp/a/b/c'],
  ]);
});

test('a ban on programs is that of the mount which is seen', () => {
  const here = { root: '/', mountPoint: '/', type: 'ext4', options: 'rw', device: 1, isNoexec: false };
  expect(isNoexec('/nowhere/at/all', [here])).toBe(false);
  expect(isNoexec('/nowhere/at/all', [here, { ...here, mountPoint: '/nowhere', device: 2, isNoexec: true }])).toBe(
    true,
  );
  expect(isNoexec('/nowhereelse', [here, { ...here, mountPoint: '/nowhere', device: 2, isNoexec: true }])).toBe(false);
});

test.each(process.platform === 'linux' ? ['mountinfo'] : [])('the mounts of this machine are read from %s', () => {
  const mounts = readMounts();
  expect(mounts.map(({ mountPoint }) => mountPoint)).toContain('/proc');
  expect(mounts.find(({ mountPoint }) => mountPoint === '/')).toMatchObject({ device: expect.any(Number) });
});

// Without `unshare` nothing is mounted by a table.
test.each(
  works ? ['plain', 'with blanks', 'line\nbreak', 'back\\slash', 'quo\'te"s', '#number', 'tab\t, comma=ü'] : [],
)('a folder named %j is mounted on another of that name, and what is missing is passed over', async (name) => {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'selfware-table-')));
  try {
    const [source, target, table] = [join(top, 'from', name), join(top, 'to', name), join(top, 'table')];
    for (const folder of [join(source, 'seen'), target]) await mkdir(folder, { recursive: true });
    const script = [
      'set -e',
      ...createMountLines('mount', table, [createBindMount(source, target, 'ro,nosuid,nodev', true)]),
      ...createMountLinesForExistingTargets('mount', table, [
        createBindMount(source, join(top, 'missing'), 'ro'),
        { source: 'tmpfs', target: join(target, 'seen'), type: 'tmpfs', options: 'mode=755' },
      ]),
      `touch ${quoteForShell(join(target, 'seen/in memory'))}`,
      `ls ${quoteForShell(target)} ${quoteForShell(join(target, 'seen'))}`,
      `! touch ${quoteForShell(join(target, 'new'))} 2>/dev/null`,
    ];
    const { stdout } = await run('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script.join('\n')]);
    expect(stdout.match(/^seen$/m)).not.toBeNull();
    expect(stdout.match(/^in memory$/m)).not.toBeNull();
  } finally {
    await rm(top, { recursive: true, force: true });
  }
});

test.each(works ? ['/nowhere'] : [])('a table with a mount of %s fails', async (source) => {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'selfware-table-')));
  try {
    const script = [
      'set -e',
      ...createMountLines('mount', join(top, 'table'), [createBindMount(source, top, '')]),
    ].join('\n');
    await expect(run('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script])).rejects.toThrow(
      'nowhere',
    );
  } finally {
    await rm(top, { recursive: true, force: true });
  }
});
