// Isolates commands by unshare(1) and mount(1) of util-linux, for machines without bubblewrap. A shell in new
// namespaces copies the mounts to a folder, applies the layers, makes everything else read-only and makes the folder
// the root (pivot_root(2)). The command then runs in a nested user namespace: whatever rights it gains there, the
// mounts and the network belong to the namespace above (user_namespaces(7), mount_namespaces(7)). All this happens
// before every command, and each program that the shell starts costs a millisecond or two. So mounts are written as
// tables, and the shell starts few programs.

import { existsSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { isLinuxSince, createLimitLines, computeSystemTaskLimit, type CommandLimits } from '../limits.ts';
import { MACHINE_WIDE_PATHS } from './bubblewrap.ts';
import { createLayers, type Enclosure, type MountLayer } from './enclosure.ts';
import type { SymbolicLink } from './machine.ts';
import { explainMissingPrograms, quoteForShell, findSystemProgram, type Mechanism } from './mechanism.ts';
import { createOverlayLines } from './overlay.ts';
import {
  createBindMount,
  isNoexec,
  groupByDepth,
  createMountLines,
  createMountLinesForExistingTargets,
  readMounts,
  type Mount,
  type ExistingMount,
} from './mountTable.ts';

const REQUIRED_PROGRAMS = ['unshare', 'setpriv', 'mount', 'umount', 'pivot_root', 'mkdir', 'touch', 'ln', 'rm', 'sed'];
/** Names of the devices in /dev that programs may expect. Disks are not among them. */
const DEVICE_NAMES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

/**
 * Isolation by unshare(1). It needs Linux with the programs in `REQUIRED_PROGRAMS`, and permission to create user
 * namespaces.
 */
export const unshare: Mechanism = {
  kind: 'unshare',
  canMount: true,
  canOverlay: true,
  filtersCalls: false,
  explainMissing: () => (process.platform === 'linux' ? explainMissingPrograms(REQUIRED_PROGRAMS) : 'only on Linux'),
  enclose(command, cwd, enclosure, limits) {
    const script = [
      ...createPreparationLines(enclosure, limits),
      `cd ${quoteForShell(cwd)}`,
      ...createStartLines(limits),
      'exit $?',
    ].join('\n');
    return [
      // If this process is killed, the command is killed as well.
      ...([findSystemProgram('setpriv') ?? 'setpriv', '--pdeathsig', 'KILL', '--'] as const),
      ...[
        findSystemProgram('unshare') ?? 'unshare',
        '--user',
        '--map-root-user',
        '--mount',
        '--net',
        '--pid',
        '--ipc',
        '--uts',
        '--fork',
        '--kill-child',
      ],
      ...['/bin/sh', '-c', script, 'sh', ...command],
    ];
  },
};

/** The shell's lines that make the new root, before the command starts. */
function createPreparationLines(enclosure: Enclosure, limits: CommandLimits): readonly string[] {
  const root = enclosure.mountPoint;
  const layers = createLayers(enclosure);
  const mounts = readMounts();
  const mount = quoteProgramPath('mount');
  /** The table is on a file system in memory that no command has seen yet. */
  const mountTable = `${root}/dev/.mounts`;
  const [topLayers = [], ...deeperLayers] = groupByDepth(layers).map((generation) =>
    generation.map((layer) => createLayerMount(layer, layers, root, mounts)),
  );
  return [
    'set -e',
    // Mounted on the tree itself; the mounts are then copied to the new root.
    ...createOverlayLines(enclosure.overlays),
    ...createLoopbackLines(),
    ...(enclosure.otherPlaces === 'readable'
      ? [`${mount} --rbind / ${quoteForShell(root)}`]
      : createEmptyRootLines(enclosure)),
    `${mount} -t tmpfs -o nosuid,mode=755,size=1m tmpfs ${quoteForShell(`${root}/dev`)}`,
    ...createDeviceLines(root),
    ...createFolderLines(topLayers),
    ...createMountLines(mount, mountTable, [...listSystemMounts(root), ...topLayers]),
    ...deeperLayers.flatMap((generation) => [
      ...createFolderLines(generation),
      ...createMountLines(mount, mountTable, generation),
    ]),
    // Since Linux 6.14, this limit belongs to the namespace; before, to the machine.
    ...(isLinuxSince(6, 14)
      ? [`echo ${computeSystemTaskLimit(limits)} > ${quoteForShell(`${root}/proc/sys/kernel/pid_max`)} || :`]
      : []),
    ...createMountLinesForExistingTargets(mount, mountTable, [
      ...MACHINE_WIDE_PATHS.filter((path) => existsSync(path)).map((path) =>
        createBindMount(root + path, root + path, 'ro,nosuid,nodev,noexec'),
      ),
      ...enclosure.blanked.map((path) => createBindMount('/dev/null', root + path, 'ro,nosuid,nodev')),
    ]),
    `${quoteProgramPath('rm')} ${quoteForShell(mountTable)}`,
    `${mount} -o remount,bind,ro,nosuid none ${quoteForShell(`${root}/dev`)}`,
    ...createReadOnlyLines(root, [
      ...layers.filter(({ kind }) => kind === 'writable' || kind === 'scratch'),
      ...enclosure.overlays,
    ]),
    `cd ${quoteForShell(root)}`,
    `${quoteProgramPath('pivot_root')} . .`,
    `${quoteProgramPath('umount')} -l .`,
  ];
}

/** Lines that make a root in memory. It contains only mount points and links. */
function createEmptyRootLines({ mountPoint, links }: Enclosure): readonly string[] {
  const places = ['/proc', '/sys', '/dev'].map((path) => quoteForShell(mountPoint + path)).join(' ');
  return [
    `${quoteProgramPath('mount')} -t tmpfs -o nosuid,nodev,mode=755 tmpfs ${quoteForShell(mountPoint)}`,
    `${quoteProgramPath('mkdir')} ${places}`,
    ...createLinkLines(links, mountPoint),
  ];
}

function createFolderLines(mounts: readonly Mount[]): readonly string[] {
  return mounts.length === 0
    ? []
    : [`${quoteProgramPath('mkdir')} -p ${mounts.map(({ target }) => quoteForShell(target)).join(' ')}`];
}

function listSystemMounts(root: string): readonly Mount[] {
  return [
    { source: 'proc', target: `${root}/proc`, type: 'proc', options: 'nosuid,nodev,noexec' },
    { source: 'sysfs', target: `${root}/sys`, type: 'sysfs', options: 'ro,nosuid,nodev,noexec' },
    ...DEVICE_NAMES.map((name) => createBindMount(`/dev/${name}`, `${root}/dev/${name}`, '')),
    {
      source: 'devpts',
      target: `${root}/dev/pts`,
      type: 'devpts',
      options: 'newinstance,ptmxmode=0666,mode=620',
    },
  ];
}

/** The mount of a layer. It is read-only from the start if possible, so that it need not be remounted later. */
function createLayerMount(
  { path, kind, source }: MountLayer,
  layers: readonly MountLayer[],
  root: string,
  mounts: readonly ExistingMount[],
): Mount {
  if (kind === 'hidden') {
    const isEmpty = !layers.some((otherLayer) => otherLayer.path.startsWith(path + sep));
    const options = `${isEmpty ? 'ro,' : ''}nosuid,nodev,mode=755`;
    return { source: 'tmpfs', target: root + path, type: 'tmpfs', options };
  }
  if (kind !== 'readable') return createBindMount(source, root + path, '', true);
  return createBindMount(source, root + path, `ro,nosuid,nodev${isNoexec(source, mounts) ? ',noexec' : ''}`, true);
}

/**
 * Lines that create links in a folder with as few programs as possible: one ln(1) creates all links that are named like
 * their targets.
 */
function createLinkLines(links: readonly SymbolicLink[], folder: string): readonly string[] {
  const sameNamed = links.filter(({ path, target }) => basename(path) === basename(target));
  const renamed = links.filter((link) => !sameNamed.includes(link));
  const ln = `${quoteProgramPath('ln')} -s`;
  return [
    ...(sameNamed.length === 0
      ? []
      : [`${ln} ${sameNamed.map(({ target }) => quoteForShell(target)).join(' ')} ${quoteForShell(folder)}`]),
    ...renamed.map(({ path, target }) => `${ln} ${quoteForShell(target)} ${quoteForShell(folder + path)}`),
  ];
}

/** Lines that create the files and folders on which devices are mounted, and links to them. */
function createDeviceLines(root: string): readonly string[] {
  const dev = `${root}/dev`;
  return [
    `${quoteProgramPath('touch')} ${DEVICE_NAMES.map((name) => quoteForShell(`${dev}/${name}`)).join(' ')}`,
    `${quoteProgramPath('mkdir')} ${quoteForShell(`${dev}/shm`)} ${quoteForShell(`${dev}/pts`)}`,
    ...createLinkLines(
      [
        { path: '/ptmx', target: 'pts/ptmx' },
        { path: '/fd', target: '/proc/self/fd' },
        { path: '/stdin', target: '/proc/self/fd/0' },
        { path: '/stdout', target: '/proc/self/fd/1' },
        { path: '/stderr', target: '/proc/self/fd/2' },
      ],
      dev,
    ),
  ];
}

/**
 * Lines that start the command in a nested user namespace, in which it has no rights over the mounts and the network.
 */
function createStartLines(limits: CommandLimits): readonly string[] {
  const { getuid, getgid } = process;
  const user = `--map-user=${getuid?.() ?? 0} --map-group=${getgid?.() ?? 0}`;
  const innerScript = [...createLimitLines(limits, true), 'exec "$@"'].join('\n');
  return [
    'set +e',
    `${quoteProgramPath('setpriv')} --no-new-privs -- ${quoteProgramPath('unshare')} --user ${user} -- /bin/sh -c ${quoteForShell(innerScript)} sh "$@"`,
  ];
}

/**
 * Lines that start the loopback of a new network, which is down at first. The first tool that is installed is used; if
 * there is none, the probe reports that the local network does not work.
 */
function createLoopbackLines(): readonly string[] {
  const ip = findSystemProgram('ip');
  if (ip) return [`${quoteForShell(ip)} link set lo up`];
  const ifconfig = findSystemProgram('ifconfig');
  if (ifconfig) return [`${quoteForShell(ifconfig)} lo up`];
  const perl = findSystemProgram('perl');
  // SIOCSIFFLAGS with IFF_UP | IFF_RUNNING, see netdevice(7).
  return perl
    ? [`${quoteForShell(perl)} -e 'socket(S,2,2,0) && ioctl(S,0x8914,pack("a16s","lo",0x41)) or die $!'`]
    : [];
}

/**
 * Lines that make every mount below the new root read-only, except those at the paths in `writablePlaces`. They do it one by
 * one, because only recent versions of mount(8) can do it in one call. A mount that is covered by another mount cannot
 * be reached and is skipped: the mount that is visible at its place has another number. If a mount cannot be made
 * read-only, the set-up fails.
 */
function createReadOnlyLines(root: string, writablePlaces: readonly { readonly path: string }[]): readonly string[] {
  const writablePoints = writablePlaces.map(({ path }) => quoteForShell(root + path));
  const systemPoints = ['/dev', '/proc', '/sys'].map((path) => quoteForShell(root + path));
  return [
    'while read -r id _ _ _ point flags _; do',
    // Spaces and similar characters are written as octal numbers.
    `  case "$point" in *'\\'*) point=$(printf '%b' "$(printf '%s' "$point" | ${quoteProgramPath('sed')} 's/\\\\/\\\\0/g')");; esac`,
    '  case "$point" in',
    `    ${[...writablePoints, ...systemPoints].join('|')}|${systemPoints.map((path) => `${path}/*`).join('|')}) continue;;`,
    `    ${quoteForShell(root)}|${quoteForShell(root)}/*) ;;`,
    '    *) continue;;',
    '  esac',
    '  case "$flags" in ro,nosuid,nodev|ro,nosuid,nodev,*) continue;; esac',
    '  [ -e "$point" ] || continue',
    // The machine's own restrictions cannot be lifted, so they must be repeated.
    '  kept=; case ",$flags," in *,noexec,*) kept=,noexec;; esac',
    `  trouble=$(${quoteProgramPath('mount')} -o "remount,bind,ro,nosuid,nodev$kept" none "$point" 2>&1) && continue`,
    `  seen=$({ ${quoteProgramPath('sed')} -n 's/^mnt_id:[[:space:]]*//p' /proc/self/fdinfo/8; } 8< "$point") || seen=`,
    '  if [ -z "$seen" ] || [ "$seen" = "$id" ]; then echo "$trouble" >&2; exit 1; fi',
    'done < /proc/self/mountinfo',
  ];
}

function quoteProgramPath(name: string): string {
  return quoteForShell(findSystemProgram(name) ?? name);
}
