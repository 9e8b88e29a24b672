// Homes, state folders and repositories that are mounts of their own: checks run there as anywhere, by every mechanism
// that works here.

import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findFirstWorking, MECHANISMS } from '../../../server/src/adapters/sandbox/isolation/choose.ts';
import { sample } from '../../helpers/thorough.ts';

const run = promisify(execFile);
const anywhere = await Promise.all(
  MECHANISMS.map(
    async (mechanism) => [mechanism.kind, (await findFirstWorking([mechanism])).isolation.confined] as const,
  ),
);
// The daemon of a container engine has mounts of its own, and sees none of these.
const working = anywhere.filter(([kind, works]) => works && kind !== 'container').map(([kind]) => kind);
/** Who may not mount makes itself a namespace in which it may. */
const OWN_MOUNTS = ['--mount', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])];

const LAYOUTS: readonly (readonly [name: string, layout: readonly (readonly [string, string, string])[]])[] = [
  ['nothing is a mount', []],
  ['the home is one', [['tmpfs', 'home', 'mode=755']]],
  ['the state folder is one', [['tmpfs', 'home/state', 'mode=755,nosuid,nodev,noatime']]],
  ['the repository is one', [['tmpfs', 'home/work/repository', 'mode=755,nosuid,nodev']]],
  ['the home allows no programs', [['tmpfs', 'home', 'mode=755,noexec,noatime']]],
  [
    'each is one in another',
    [
      ['tmpfs', 'home', 'mode=755,nodev'],
      ['tmpfs', 'home/state', 'mode=755'],
      ['bind', 'home/work', ''],
      ['tmpfs', 'home/work/repository', 'mode=755,nosuid'],
    ],
  ],
  [
    'folders are bound to themselves',
    [
      ['bind', 'home', ''],
      ['bind', 'home/state', ''],
      ['bind', 'home/work/repository', ''],
    ],
  ],
  [
    'one covers another',
    [
      ['tmpfs', 'home/state', 'mode=755'],
      ['tmpfs', 'home', 'mode=755'],
      ['tmpfs', 'home/state', 'mode=755'],
    ],
  ],
];

test.each(process.platform === 'linux' ? sample(LAYOUTS, 4) : [])('%s', async (_name, layout) => {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'selfware-mounts-')));
  try {
    const script = join(import.meta.dirname, 'mountedSandbox.ts');
    const { stdout } = await run('unshare', [...OWN_MOUNTS, process.execPath, script, top, JSON.stringify(layout)]);
    const told = JSON.parse(stdout) as Record<string, string>;
    expect(working.map((kind) => [kind, told[kind]])).toEqual(working.map((kind) => [kind, 'works']));
  } finally {
    await rm(top, { recursive: true, force: true });
  }
});
