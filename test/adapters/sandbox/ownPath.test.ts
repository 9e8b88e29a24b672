// The scripts that set up the isolation start no program that the command's own path offers: that path begins with the
// repository's programs, and the isolation is not complete yet. For containers, see container.test.ts.

import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFirstWorking, MECHANISMS } from '../../../server/src/adapters/sandbox/isolation/choose.ts';
import { computeMachineLimits } from '../../../server/src/adapters/sandbox/limits.ts';
import { hostilePrograms } from './hostilePrograms.ts';

const choices = await Promise.all(
  MECHANISMS.map(async (mechanism) => ({ mechanism, ...(await findFirstWorking([mechanism])).isolation })),
);
const working = choices.filter(({ mechanism, confined }) => confined && mechanism.kind !== 'container');

test.each(working.map(({ mechanism }) => [mechanism.kind, mechanism] as const))('%s', async (_kind, mechanism) => {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'selfware-path-')));
  try {
    // The place of a mount with a blank is written in another way.
    const folder = join(top, 'a folder');
    const [lower, work, mountPoint] = [join(top, 'lower'), join(top, 'work'), join(top, 'root')];
    for (const place of [folder, lower, work, mountPoint]) await mkdir(place);
    const hostile = await hostilePrograms(join(folder, 'bin'));
    const enclosure = {
      otherPlaces: 'readable' as const,
      links: [],
      overlays: [],
      callFilter: null,
      writable: [folder],
      readable: [lower],
      hidden: ['/root'],
      scratch: [],
      blanked: [],
      mountPoint,
    };
    const [program, ...args] = mechanism.enclose(['/usr/bin/true'], folder, enclosure, computeMachineLimits());
    const { status, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      env: { PATH: hostile.path },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    expect({ status, stderr, started: await hostile.started() }).toEqual({ status: 0, stderr: '', started: [] });
  } finally {
    await rm(top, { recursive: true });
  }
});
