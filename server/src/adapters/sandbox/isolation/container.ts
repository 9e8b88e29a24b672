// Isolates commands by a Docker container (docker-run(1)), for machines on which users may not create namespaces but
// may use Docker. Nothing is downloaded: the image is empty, and the machine's own files are mounted read-only. The
// daemon runs the container, so the container must notice when this process ends: its standard input ends with the
// client, and then the container ends itself.

import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { homedir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { createLimitLines, computeSystemTaskLimit, STARTED_DESCRIPTOR, type CommandLimits } from '../limits.ts';
import { createLayers, findVisibility, type Enclosure, type MountLayer } from './enclosure.ts';
import { readMounts } from './mountTable.ts';
import { explainMissingPrograms, quoteForShell, findSystemProgram, SYSTEM_PATH, type Mechanism } from './mechanism.ts';
import { isInside } from '../isInside.ts';

const IMAGE_NAME = 'selfware-empty';
/** Folders that every container has of its own, so that those of the machine are not mounted. */
const CONTAINER_FOLDERS = ['/proc', '/sys', '/dev'];
/** The exit code of docker(1) if it could not start the container. It is not a verdict on the command. */
const NOT_STARTED = 125;
/** Maximum number of milliseconds to wait for an answer of the daemon. */
const ANSWER_MS = 5_000;

/** Isolation by a Docker container. It needs Linux, Docker, setpriv, mkfifo, and permission to use Docker's daemon. */
export const container: Mechanism = {
  kind: 'container',
  canMount: true,
  canOverlay: false,
  filtersCalls: false,
  explainMissing: () =>
    process.platform === 'linux'
      ? (explainMissingPrograms(['docker', 'setpriv', 'mkfifo']) ??
        (findDaemonFolder() === null ? 'the daemon of Docker does not answer, or this user may not ask it' : null))
      : 'only on Linux',
  enclose(command, cwd, enclosure, limits) {
    const docker = `${quoteForShell(findSystemProgram('docker') ?? 'docker')} ${createClientOptions().map(quoteForShell).join(' ')}`;
    const pipe = quoteForShell(join(enclosure.mountPoint, 'input'));
    const script = [
      // Everything except the command runs outside of the container, so none of its programs may come from the
      // command's own path. This includes programs that the client starts, such as ssh(1) for a daemon on another
      // machine.
      `commandPath=$PATH; PATH=${SYSTEM_PATH}`,
      // Two empty tar blocks are an archive without files.
      `${docker} image inspect ${IMAGE_NAME} > /dev/null 2>&1 || head -c 1024 /dev/zero | ${docker} import ` +
        `- ${IMAGE_NAME} > /dev/null || exit ${NOT_STARTED}`,
      // A pipe that is open for reading and writing never ends while the client lives.
      `rm -f ${pipe} && mkfifo ${pipe} && exec 0<> ${pipe} && rm -f ${pipe} || exit ${NOT_STARTED}`,
      `names=$(env | sed -n '/^PATH=/d; s/^\\([A-Za-z_][A-Za-z0-9_]*\\)=.*/--env \\1/p')`,
      `setpriv --pdeathsig KILL -- ${docker} run $names --env ` +
        `"PATH=$commandPath" ${createRunOptions(cwd, enclosure, limits).map(quoteForShell).join(' ')} ${IMAGE_NAME} /bin/sh ` +
        `-c ${quoteForShell(formatInitScript(limits))} sh "$@" ${STARTED_DESCRIPTOR}>&-`,
      'code=$?',
      `[ $code = ${NOT_STARTED} ] || echo >&${STARTED_DESCRIPTOR}`,
      'exit $code',
    ].join('\n');
    return [
      findSystemProgram('setpriv') ?? 'setpriv',
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

/**
 * Options of docker(1) that name the user's own daemon. They are needed because docker(1) runs in the environment of
 * the command, which has another home and no variables of Docker.
 */
function createClientOptions(): readonly string[] {
  const host = process.env['DOCKER_HOST'];
  return ['--config', process.env['DOCKER_CONFIG'] ?? join(homedir(), '.docker'), ...(host ? ['--host', host] : [])];
}

let daemonAnswer: { readonly folder: string | null } | null = null;

/**
 * The folder in which the daemon stores its data, which it does not mount in containers; null if it does not answer.
 * Determined once per process, by a call that blocks the thread for up to `ANSWER_MS`.
 */
function findDaemonFolder(): string | null {
  if (daemonAnswer === null) {
    const { status, stdout } = spawnSync(
      findSystemProgram('docker') ?? 'docker',
      [...createClientOptions(), 'info', '--format', '{{.DockerRootDir}}'],
      { encoding: 'utf8', timeout: ANSWER_MS },
    );
    daemonAnswer = { folder: status === 0 && stdout.startsWith('/') ? stdout.trim() : null };
  }
  return daemonAnswer.folder;
}

function createRunOptions(cwd: string, enclosure: Enclosure, limits: CommandLimits): readonly string[] {
  const { getuid, getgid } = process;
  // At this limit the kernel ends single processes, and the command continues without them. `watchLimits` ends all of
  // them at a lower limit, unless the machine has hardly more memory than that limit.
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
      String(computeSystemTaskLimit(limits)),
      '--memory',
      memory,
      '--memory-swap',
      memory,
      '--workdir',
      cwd,
    ],
    ...listMountedPlaces(enclosure).flatMap((path) => createBindOptions(path, path, true)),
    // The image has no links, so their targets are shown in their place.
    ...enclosure.links.flatMap(({ path, target }) => createBindOptions(resolve('/', target), path, true)),
    ...createLayers(enclosure).flatMap(createLayerOptions),
    ...enclosure.blanked.flatMap((path) => createBindOptions('/dev/null', path, true)),
  ];
}

function createLayerOptions({ path, kind, source }: MountLayer): readonly string[] {
  return kind === 'hidden'
    ? ['--mount', `type=tmpfs,${formatCsvField('destination', path)},tmpfs-size=1048576,tmpfs-mode=0555`]
    : createBindOptions(source, path, kind === 'readable');
}

function createBindOptions(source: string, path: string, isReadOnly: boolean): readonly string[] {
  return [
    '--mount',
    `type=bind,${formatCsvField('source', source)},${formatCsvField('destination', path)},bind-propagation=rprivate${isReadOnly ? ',readonly' : ''}`,
  ];
}

/** A part of the value of `--mount`, which is one CSV record. */
function formatCsvField(name: string, value: string): string {
  return `"${`${name}=${value}`.replaceAll('"', '""')}"`;
}

/**
 * The folders of the machine to mount read-only in the container: those at the top, and all mounts below them, because
 * Docker makes a mount read-only, but not always the mounts inside it. Places that a layer covers or that commands must
 * not read, a container's own folders, and the daemon's folder with the folders above it (usually `/var`) are omitted.
 */
function listMountedPlaces(enclosure: Enclosure): readonly string[] {
  const layers = createLayers(enclosure);
  const topFolders = readdirSync('/')
    .map((name) => `/${name}`)
    .filter(isFolder);
  const mountPoints = readMounts().map(({ mountPoint }) => mountPoint);
  const daemonFolder = findDaemonFolder();
  const isExcluded = (path: string) =>
    CONTAINER_FOLDERS.some((folder) => isInside(folder, path)) ||
    (daemonFolder !== null && (isInside(daemonFolder, path) || isInside(path, daemonFolder)));
  const isVisible = (path: string) =>
    path !== '/' && path.startsWith('/') && !isExcluded(path) && findVisibility(path, layers, enclosure) === 'readable';
  return [...new Set([...topFolders, ...mountPoints])]
    .filter((path) => isVisible(path) && !layers.some((layer) => layer.path === path) && pathExists(path))
    .sort();
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function pathExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // This process may not enter the folder, and so no process in the container can.
    return false;
  }
}

/**
 * The script of the container's first process. The process ends when the command or its own input ends, and all other
 * processes of the container end with it.
 */
function formatInitScript(limits: CommandLimits): string {
  return [
    `exec ${STARTED_DESCRIPTOR}> /dev/null 4<&0 < /dev/null`,
    ...createLimitLines(limits, false),
    '"$@" 4<&- &',
    'command=$!',
    `{ ${quoteForShell(findSystemProgram('cat') ?? 'cat')} <&4 > /dev/null; kill -KILL -1; } > /dev/null 2>&1 &`,
    'exec 4<&-',
    'wait $command',
    'exit $?',
  ].join('\n');
}
