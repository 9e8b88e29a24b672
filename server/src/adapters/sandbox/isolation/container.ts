// Isolation by a Docker container (docker-run(1)), for machines on which users may not create namespaces but may use
// Docker. Nothing is downloaded: the image is empty, and the machine's own files are mounted read-only. The daemon runs
// the container, so the container must notice when this process ends: its standard input ends with the client, and then
// the container ends itself.

import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { homedir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { limitLines, mostTasks, STARTED, type Limits } from '../limits.ts';
import { layersOf, seenAt, type Enclosure, type Layer } from './enclosure.ts';
import { mountsOfMachine } from './mountTable.ts';
import { missingPrograms, quoted, systemProgram, type Mechanism } from './mechanism.ts';
import { isInside } from '../inside.ts';

const IMAGE = 'selfware-empty';
/** Folders that a container brings itself. */
const OWN = ['/proc', '/sys', '/dev'];
/** The exit code of docker(1) without a container, which is not a verdict on the command. */
const NOT_STARTED = 125;
const ANSWER_MS = 5_000;

export const container: Mechanism = {
  kind: 'container',
  mounts: true,
  overlays: false,
  filtersCalls: false,
  missing: () =>
    process.platform === 'linux'
      ? (missingPrograms(['docker', 'setpriv', 'mkfifo']) ??
        (daemonFolder() === null ? 'the daemon of Docker does not answer, or this user may not ask it' : null))
      : 'only on Linux',
  enclose(command, cwd, enclosure, limits) {
    const docker = `${quoted(systemProgram('docker') ?? 'docker')} ${client().map(quoted).join(' ')}`;
    const pipe = quoted(join(enclosure.mountPoint, 'input'));
    const script = [
      // Two empty tar blocks are an archive without files.
      `${docker} image inspect ${IMAGE} > /dev/null 2>&1 || head -c 1024 /dev/zero | ${docker} import - ${IMAGE} > /dev/null || exit ${NOT_STARTED}`,
      // A pipe that is open for reading and writing never ends while the client lives.
      `rm -f ${pipe} && mkfifo ${pipe} && exec 0<> ${pipe} && rm -f ${pipe} || exit ${NOT_STARTED}`,
      `names=$(env | sed -n 's/^\\([A-Za-z_][A-Za-z0-9_]*\\)=.*/--env \\1/p')`,
      `setpriv --pdeathsig KILL -- ${docker} run $names ${options(cwd, enclosure, limits).map(quoted).join(' ')} ${IMAGE} /bin/sh -c ${quoted(inside(limits))} sh "$@" ${STARTED}>&-`,
      'code=$?',
      `[ $code = ${NOT_STARTED} ] || echo >&${STARTED}`,
      'exit $code',
    ].join('\n');
    return [
      systemProgram('setpriv') ?? 'setpriv',
      '--pdeathsig',
      'KILL',
      '--',
      '/bin/sh',
      '-c',
      script,
      'sh',
      ...command,
    ];
  },
};

/** The user's own daemon. Commands have another home, and their environment does not mention the daemon. */
function client(): readonly string[] {
  const host = process.env['DOCKER_HOST'];
  return ['--config', process.env['DOCKER_CONFIG'] ?? join(homedir(), '.docker'), ...(host ? ['--host', host] : [])];
}

let asked: { readonly folder: string | null } | null = null;

/** The daemon's own folder, of which it shows nothing; null if it does not answer. Determined once per process. */
function daemonFolder(): string | null {
  if (asked === null) {
    const { status, stdout } = spawnSync(
      systemProgram('docker') ?? 'docker',
      [...client(), 'info', '--format', '{{.DockerRootDir}}'],
      { encoding: 'utf8', timeout: ANSWER_MS },
    );
    asked = { folder: status === 0 && stdout.startsWith('/') ? stdout.trim() : null };
  }
  return asked.folder;
}

function options(cwd: string, enclosure: Enclosure, limits: Limits): readonly string[] {
  const { getuid, getgid } = process;
  // At this limit the kernel ends single processes, and the command continues without them; the watch ends all of them
  // at a lower limit.
  const memory = String(Math.floor(Math.min(2 * limits.memoryBytes, 0.9 * totalmem())));
  return [
    ...[
      '--rm',
      '--interactive',
      '--pull',
      'never',
      '--log-driver',
      'none',
      '--network',
      'none',
      '--read-only',
      '--cap-drop',
      'ALL',
      '--security-opt',
      'no-new-privileges',
    ],
    ...[
      '--user',
      `${getuid?.() ?? 0}:${getgid?.() ?? 0}`,
      '--pids-limit',
      String(mostTasks(limits)),
      '--memory',
      memory,
      '--memory-swap',
      memory,
      '--workdir',
      cwd,
    ],
    ...shown(enclosure).flatMap((path) => bind(path, path, true)),
    // The image has no links, so their targets are shown in their place.
    ...enclosure.links.flatMap(({ path, target }) => bind(resolve('/', target), path, true)),
    ...layersOf(enclosure).flatMap(lay),
    ...enclosure.blanked.flatMap((path) => bind('/dev/null', path, true)),
  ];
}

function lay({ path, kind, source }: Layer): readonly string[] {
  return kind === 'hidden'
    ? ['--mount', `type=tmpfs,${field('destination', path)},tmpfs-size=1048576,tmpfs-mode=0555`]
    : bind(source, path, kind === 'readable');
}

function bind(source: string, path: string, readOnly: boolean): readonly string[] {
  return [
    '--mount',
    `type=bind,${field('source', source)},${field('destination', path)},bind-propagation=rprivate${readOnly ? ',readonly' : ''}`,
  ];
}

/** The values form one CSV record. */
function field(name: string, value: string): string {
  return `"${`${name}=${value}`.replaceAll('"', '""')}"`;
}

/**
 * Folders at the top, and mounts below them: Docker makes a mount read-only, but not always the mounts inside it.
 * Excluded are places that a layer covers, a container's own folders, and the daemon's files with the folders above
 * them (usually `/var`), which the daemon does not show.
 */
function shown(enclosure: Enclosure): readonly string[] {
  const layers = layersOf(enclosure);
  const tops = readdirSync('/')
    .map((name) => `/${name}`)
    .filter(isFolder);
  const mounted = mountsOfMachine().map(({ point }) => point);
  const daemon = daemonFolder();
  const own = (path: string) =>
    OWN.some((folder) => isInside(folder, path)) ||
    (daemon !== null && (isInside(daemon, path) || isInside(path, daemon)));
  const open = (path: string) =>
    path !== '/' && path.startsWith('/') && !own(path) && seenAt(path, layers, enclosure) === 'readable';
  return [...new Set([...tops, ...mounted])]
    .filter((path) => open(path) && !layers.some((layer) => layer.path === path) && exists(path))
    .sort();
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // The folder may not be entered, and so nobody in the container can enter it.
    return false;
  }
}

/** The first process of the container: it ends with the command or with its input, and ends all others with it. */
function inside(limits: Limits): string {
  return [
    `exec ${STARTED}> /dev/null 4<&0 < /dev/null`,
    ...limitLines(limits, false),
    '"$@" 4<&- &',
    'command=$!',
    '{ cat <&4 > /dev/null; kill -KILL -1; } > /dev/null 2>&1 &',
    'exec 4<&-',
    'wait $command',
    'exit $?',
  ].join('\n');
}
