// Isolates commands by bubblewrap (bwrap(1)): separate namespaces for users, mounts, processes, network and messages.

import { existsSync } from 'node:fs';
import { createLimitLines } from '../limits.ts';
import { createLayers, type Enclosure, type MountLayer } from './enclosure.ts';
import {
  explainMissingPrograms,
  quoteForShell,
  findSystemProgram,
  type CommandLine,
  type Mechanism,
} from './mechanism.ts';
import { createOverlayLines } from './overlay.ts';

/** Parts of /proc that belong to the whole machine, and that root can write even without a capability (proc(5)). */
export const MACHINE_WIDE_PATHS = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs'].map((name) => `/proc/${name}`);

/**
 * Mount points of kernel file systems that root can read without a capability: traces, and programs loaded into the
 * kernel.
 */
const KERNEL_FOLDERS = ['/sys/kernel/debug', '/sys/kernel/tracing', '/sys/fs/bpf'];

/** The file descriptor from which bwrap reads the filter of system calls. */
const FILTER_DESCRIPTOR = 9;

/** Isolation by bubblewrap. It needs Linux, bwrap, and permission to create user namespaces. */
export const bubblewrap: Mechanism = {
  kind: 'bubblewrap',
  canMount: true,
  canOverlay: true,
  filtersCalls: true,
  explainMissing: () => (process.platform === 'linux' ? explainMissingPrograms(['bwrap']) : 'only on Linux'),
  enclose(command, cwd, enclosure, limits) {
    const layers = createLayers(enclosure);
    const hiddenFolders = layers.filter(({ kind }) => kind === 'hidden').map(({ path }) => path);
    // The shell is the first process of the namespace: when it ends, the kernel ends all others before this process is
    // notified.
    const init = ['/bin/sh', '-c', [...createLimitLines(limits, true), '"$@"', 'exit $?'].join('\n'), 'sh'];
    const bubblewrapCommand = [
      findSystemProgram('bwrap') ?? 'bwrap',
      ...[
        '--unshare-user',
        '--unshare-ipc',
        '--unshare-pid',
        '--unshare-net',
        '--unshare-uts',
        '--unshare-cgroup-try',
        '--die-with-parent',
        '--as-pid-1',
        '--cap-drop',
        'ALL',
        ...(enclosure.overlays.length === 0 ? [] : createUserOptions()),
      ],
      // Without the rest of the machine, the root is an empty folder in memory.
      ...(enclosure.otherPlaces === 'readable' ? ['--ro-bind', '/', '/'] : ['--ro-bind-try', '/sys', '/sys']),
      ...enclosure.links.flatMap(({ path, target }) => ['--symlink', target, path]),
      ...['--dev', '/dev', '--remount-ro', '/dev', '--proc', '/proc'],
      ...MACHINE_WIDE_PATHS.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
      ...KERNEL_FOLDERS.filter((path) => existsSync(path)).flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
      ...layers.flatMap(createLayerArguments),
      ...enclosure.blanked.flatMap((path) => ['--ro-bind', '/dev/null', path]),
      ...hiddenFolders.flatMap((path) => ['--remount-ro', path]),
      ...(enclosure.otherPlaces === 'absent' ? ['--remount-ro', '/'] : []),
      ...(enclosure.callFilter === null ? [] : ['--seccomp', String(FILTER_DESCRIPTOR)]),
      ...['--chdir', cwd, '--'],
      ...init,
      ...command,
    ] as const;
    if (enclosure.callFilter === null) return wrapInOverlays(enclosure, bubblewrapCommand);
    // bwrap reads the filter from an open file, which the shell opens.
    return wrapInOverlays(enclosure, [
      '/bin/sh',
      '-c',
      `exec ${FILTER_DESCRIPTOR}< ${quoteForShell(enclosure.callFilter)} && exec "$@"`,
      'sh',
      ...bubblewrapCommand,
    ]);
  },
};

/** bwrap 0.8 cannot mount overlays, but it shows existing ones, so they are mounted in a namespace around it. */
function wrapInOverlays({ overlays }: Enclosure, command: CommandLine): CommandLine {
  if (overlays.length === 0) return command;
  const script = [...createOverlayLines(overlays), 'exec "$@"'].join('\n');
  const unshare = findSystemProgram('unshare') ?? 'unshare';
  return [unshare, '--user', '--map-root-user', '--mount', '/bin/sh', '-c', script, 'sh', ...command];
}

/** Options with which commands keep their user, although this process is root in the namespace around bwrap. */
function createUserOptions(): readonly string[] {
  const { getuid, getgid } = process;
  return ['--uid', String(getuid?.() ?? 0), '--gid', String(getgid?.() ?? 0)];
}

function createLayerArguments({ path, kind, source }: MountLayer): readonly string[] {
  if (kind === 'hidden') return ['--tmpfs', path];
  return [kind === 'readable' ? '--ro-bind' : '--bind', source, path];
}
