// Isolation by unshare(1) and mount(1) of util-linux, for machines without bubblewrap.
//
// A shell in new namespaces copies the mounts to a folder, applies the layers, makes everything else read-only and
// makes the folder the root (pivot_root(2)). The command then runs in a nested user namespace: whatever it gains there,
// the mounts and the network belong to the namespace above (user_namespaces(7), mount_namespaces(7)).

import { existsSync } from 'node:fs';
import { isLinuxSince, limitLines, type Limits } from '../limits.ts';
import { MACHINE_WIDE } from './bubblewrap.ts';
import { layersOf, type Enclosure, type Layer } from './enclosure.ts';
import { missingPrograms, quoted, systemProgram, type Mechanism } from './mechanism.ts';

const PROGRAMS = ['unshare', 'setpriv', 'mount', 'umount', 'pivot_root', 'mkdir', 'touch', 'ln', 'sed'];
/** What a program may expect of /dev; no disk among it. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

export const unshare: Mechanism = {
  kind: 'unshare',
  mounts: true,
  filtersCalls: false,
  missing: () => (process.platform === 'linux' ? missingPrograms(PROGRAMS) : 'only on Linux'),
  enclose(command, cwd, enclosure, limits) {
    const script = [...preparation(enclosure, limits), `cd ${quoted(cwd)}`, ...start(limits), 'exit $?'].join('\n');
    return [
      // Should we be killed, the command goes as well.
      ...([systemProgram('setpriv') ?? 'setpriv', '--pdeathsig', 'KILL', '--'] as const),
      ...[
        systemProgram('unshare') ?? 'unshare',
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

function preparation(enclosure: Enclosure, limits: Limits): readonly string[] {
  const root = enclosure.mountPoint;
  const layers = layersOf(enclosure);
  const at = (path: string) => quoted(root + path);
  const mount = program('mount');
  return [
    'set -e',
    ...loopback(),
    ...(enclosure.rest === 'readable' ? [`${mount} --rbind / ${quoted(root)}`] : emptyRoot(enclosure)),
    `${mount} -t proc -o nosuid,nodev,noexec proc ${at('/proc')}`,
    // From Linux 6.14 on, this number is the namespace's own; before, it is the machine's.
    ...(isLinuxSince(6, 14) ? [`echo ${limits.tasks} > ${at('/proc/sys/kernel/pid_max')} || :`] : []),
    ...MACHINE_WIDE.filter((path) => existsSync(path)).flatMap((path) => [
      `${mount} --bind ${at(path)} ${at(path)}`,
      `${mount} -o remount,bind,ro,nosuid,nodev,noexec none ${at(path)}`,
    ]),
    `${mount} -t sysfs -o ro,nosuid,nodev,noexec sysfs ${at('/sys')}`,
    ...devices(root),
    ...layers.flatMap((layer) => lay(layer, root)),
    ...enclosure.blanked.map((path) => `[ ! -e ${at(path)} ] || ${mount} --bind /dev/null ${at(path)}`),
    ...closeTheRest(root, layers),
    `cd ${quoted(root)}`,
    `${program('pivot_root')} . .`,
    `${program('umount')} -l .`,
  ];
}

/** A root in memory that holds nothing but the places on which the rest is laid. */
function emptyRoot({ mountPoint, links }: Enclosure): readonly string[] {
  const folders = ['/proc', '/sys', '/dev'].map((path) => quoted(mountPoint + path)).join(' ');
  return [
    `${program('mount')} -t tmpfs -o nosuid,nodev,mode=755 tmpfs ${quoted(mountPoint)}`,
    `${program('mkdir')} ${folders}`,
    ...links.map(({ path, target }) => `${program('ln')} -s ${quoted(target)} ${quoted(mountPoint + path)}`),
  ];
}

/** The command in a namespace of its own user, who owns nothing of what was set up. */
function start(limits: Limits): readonly string[] {
  const { getuid, getgid } = process;
  const user = `--map-user=${getuid?.() ?? 0} --map-group=${getgid?.() ?? 0}`;
  const inner = [...limitLines(limits, true), 'exec "$@"'].join('\n');
  return [
    'set +e',
    `${program('setpriv')} --no-new-privs -- ${program('unshare')} --user ${user} -- /bin/sh -c ${quoted(inner)} sh "$@"`,
  ];
}

/** A new network has a loopback that is down. Whichever tool is there; the probe tells whether it worked. */
function loopback(): readonly string[] {
  const ip = systemProgram('ip');
  if (ip) return [`${quoted(ip)} link set lo up`];
  const ifconfig = systemProgram('ifconfig');
  if (ifconfig) return [`${quoted(ifconfig)} lo up`];
  const perl = systemProgram('perl');
  // SIOCSIFFLAGS with IFF_UP | IFF_RUNNING, see netdevice(7).
  return perl ? [`${quoted(perl)} -e 'socket(S,2,2,0) && ioctl(S,0x8914,pack("a16s","lo",0x41)) or die $!'`] : [];
}

function devices(root: string): readonly string[] {
  const dev = `${root}/dev`;
  const mount = program('mount');
  return [
    `${mount} -t tmpfs -o nosuid,mode=755,size=1m tmpfs ${quoted(dev)}`,
    ...DEVICES.map(
      (name) =>
        `${program('touch')} ${quoted(`${dev}/${name}`)} && ${mount} --bind /dev/${name} ${quoted(`${dev}/${name}`)}`,
    ),
    `${program('mkdir')} ${quoted(`${dev}/shm`)} ${quoted(`${dev}/pts`)}`,
    `${mount} -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts ${quoted(`${dev}/pts`)}`,
    ...[
      ['pts/ptmx', 'ptmx'],
      ['/proc/self/fd', 'fd'],
      ['/proc/self/fd/0', 'stdin'],
      ['/proc/self/fd/1', 'stdout'],
      ['/proc/self/fd/2', 'stderr'],
    ].map(([target = '', name = '']) => `${program('ln')} -s ${target} ${quoted(`${dev}/${name}`)}`),
    `${mount} -o remount,bind,ro,nosuid none ${quoted(dev)}`,
  ];
}

function lay({ path, kind, source }: Layer, root: string): readonly string[] {
  const target = quoted(root + path);
  return [
    `${program('mkdir')} -p ${target}`,
    `${program('mount')} ${kind === 'hidden' ? '-t tmpfs -o nosuid,nodev,mode=755 tmpfs' : `--rbind ${quoted(source)}`} ${target}`,
  ];
}

/**
 * Every mount below the new root but the writable ones is made read-only, one by one, because mount(8) learned to do it
 * at one
 * go only lately. A mount that is covered by another one cannot be reached and is passed over: what is seen at its
 * place has
 * another number. A mount that cannot be closed ends it all.
 */
function closeTheRest(root: string, layers: readonly Layer[]): readonly string[] {
  const open = layers
    .filter(({ kind }) => kind === 'writable' || kind === 'scratch')
    .map(({ path }) => quoted(root + path));
  const done = ['/dev', '/proc', '/sys'].map((path) => quoted(root + path));
  return [
    'while read -r id _ _ _ point flags _; do',
    // Blanks and the like are written as octal numbers.
    `  case "$point" in *'\\'*) point=$(printf '%b' "$(printf '%s' "$point" | sed 's/\\\\/\\\\0/g')");; esac`,
    '  case "$point" in',
    `    ${[...open, ...done].join('|')}|${done.map((path) => `${path}/*`).join('|')}) continue;;`,
    `    ${quoted(root)}|${quoted(root)}/*) ;;`,
    '    *) continue;;',
    '  esac',
    '  [ -e "$point" ] || continue',
    // What the machine has forbidden cannot be allowed again, so it is said again.
    '  kept=; case ",$flags," in *,noexec,*) kept=,noexec;; esac',
    `  trouble=$(${program('mount')} -o "remount,bind,ro,nosuid,nodev$kept" none "$point" 2>&1) && continue`,
    `  seen=$({ ${program('sed')} -n 's/^mnt_id:[[:space:]]*//p' /proc/self/fdinfo/8; } 8< "$point") || seen=`,
    '  if [ -z "$seen" ] || [ "$seen" = "$id" ]; then echo "$trouble" >&2; exit 1; fi',
    'done < /proc/self/mountinfo',
  ];
}

function program(name: string): string {
  return quoted(systemProgram(name) ?? name);
}
