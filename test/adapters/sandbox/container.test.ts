// The command line of a container: what it closes, and that no name of a folder is taken for an option. What it holds
// back is attacked in test/redteam where a daemon answers.

import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { container } from '../../../server/src/adapters/sandbox/isolation/container.ts';
import { computeMachineLimits } from '../../../server/src/adapters/sandbox/limits.ts';
import { hostilePrograms } from './hostilePrograms.ts';

test('folders with commas, quotes and blanks are shown as they are, nothing else is open, no program of the path is started', async () => {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'selfware-container-')));
  try {
    const odd = join(top, `a, "b" 'c'`);
    const [programs, mountPoint] = [join(top, 'programs'), join(top, 'root')];
    for (const folder of [odd, programs, mountPoint]) await mkdir(folder);
    // Stands for the client alone, to see what it is asked for.
    await writeFile(
      join(programs, 'docker'),
      '#!/bin/sh\n[ "$3" = run ] || exit 0\nfor word in "$@"; do printf "%s\\n" "$word"; done\n',
      { mode: 0o755 },
    );
    vi.stubEnv('DOCKER_HOST', '');
    const enclosure = {
      otherPlaces: 'readable' as const,
      links: [],
      overlays: [],
      callFilter: null,
      writable: [odd],
      readable: [],
      hidden: ['/root'],
      scratch: [{ path: '/tmp', source: join(odd, 'tmp') }],
      blanked: ['/var/lib/service.sock'],
      mountPoint,
    };
    const [program, ...args] = container.enclose(['/usr/bin/env', 'true'], odd, enclosure, computeMachineLimits());
    vi.unstubAllEnvs();
    expect(program).toMatch(/setpriv$/);
    const script = args
      .find((word) => word.includes('mkfifo'))!
      .replace(/('?)[^\s']*docker\1 '--config'/g, `'${join(programs, 'docker')}' '--config'`);
    const hostile = await hostilePrograms(join(top, 'hostile'));
    const { stdout, status, stderr } = spawnSync('/bin/sh', ['-c', script, 'sh', 'true'], {
      encoding: 'utf8',
      env: { PATH: hostile.path, KEPT: 'a\nNOT=b' },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const words = stdout.split('\n');
    const variables = words.filter((_, at) => words[at - 1] === '--env');
    expect(variables).toEqual(expect.arrayContaining(['KEPT', `PATH=${hostile.path}`]));
    expect(variables).not.toContain('PATH');
    expect(await hostile.started()).toEqual([]);
    expect(words.find((word) => word.includes('<&4 >'))).toMatch(/^\{ '\/\S+\/cat' <&4 /);
    const mounts = words.filter((_, at) => words[at - 1] === '--mount');
    expect(words).toEqual(expect.arrayContaining(['--read-only', 'no-new-privileges', '--pids-limit']));
    for (const [option, value] of [
      ['--network', 'none'],
      ['--cap-drop', 'ALL'],
      ['--pull', 'never'],
      ['--workdir', odd],
    ] as const)
      expect(words[words.indexOf(option) + 1]).toBe(value);
    const doubled = odd.replaceAll('"', '""');
    expect(mounts).toContain(`type=bind,"source=${doubled}","destination=${doubled}",bind-propagation=rprivate`);
    expect(mounts).toContain(
      'type=bind,"source=/dev/null","destination=/var/lib/service.sock",bind-propagation=rprivate,readonly',
    );
    expect(
      mounts
        .filter((mount) => !mount.endsWith(',readonly') && !mount.includes('tmpfs'))
        .map((mount) => /"destination=(.*?)",bind/.exec(mount)?.[1]),
    ).toEqual(['/tmp', doubled]);
    expect(mounts.filter((mount) => mount.startsWith('type=tmpfs'))).toEqual([
      'type=tmpfs,"destination=/root",tmpfs-size=1048576,tmpfs-mode=0555',
    ]);
    expect(mounts.some((mount) => /"destination=\/(?:proc|sys|dev)(?:\/|")/.test(mount))).toBe(false);
  } finally {
    await rm(top, { recursive: true });
  }
});
