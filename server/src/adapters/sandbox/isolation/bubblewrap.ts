// Isolation by bubblewrap (bwrap(1)): namespaces of its own for users, mounts, processes, network and messages.

import { existsSync } from 'node:fs';
import { limitLines } from '../limits.ts';
import { layersOf, type Layer } from './enclosure.ts';
import { missingPrograms, systemProgram, type Mechanism } from './mechanism.ts';

/** Parts of /proc that are the whole machine's, and root's to write even without a capability (proc(5)). */
export const MACHINE_WIDE = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs'].map((name) => `/proc/${name}`);

export const bubblewrap: Mechanism = {
  kind: 'bubblewrap',
  mounts: true,
  missing: () => (process.platform === 'linux' ? missingPrograms(['bwrap']) : 'only on Linux'),
  enclose(command, cwd, enclosure, limits) {
    const layers = layersOf(enclosure);
    const empty = layers.filter(({ kind }) => kind === 'hidden').map(({ path }) => path);
    // The shell is the first process of the namespace: when it ends, the kernel ends all others, before we are told.
    const init = ['/bin/sh', '-c', [...limitLines(limits, true), '"$@"', 'exit $?'].join('\n'), 'sh'];
    return [
      systemProgram('bwrap') ?? 'bwrap',
      ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try', '--die-with-parent', '--as-pid-1', '--cap-drop', 'ALL'],
      ...['--ro-bind', '/', '/', '--dev', '/dev', '--remount-ro', '/dev', '--proc', '/proc'],
      ...MACHINE_WIDE.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
      ...layers.flatMap(argumentsFor),
      ...enclosure.blanked.flatMap((path) => ['--ro-bind', '/dev/null', path]),
      ...empty.flatMap((path) => ['--remount-ro', path]),
      ...['--chdir', cwd, '--'],
      ...init,
      ...command,
    ];
  },
};

function argumentsFor({ path, kind, source }: Layer): readonly string[] {
  if (kind === 'hidden') return ['--tmpfs', path];
  return [kind === 'readable' ? '--ro-bind' : '--bind', source, path];
}
