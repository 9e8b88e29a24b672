// Finds the places that a sandbox shows to its commands: the system, the programs in the path and the shared packages;
// none of the user's other files. Also finds its temporary folders, and the sockets to hide from it.

import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, sep } from 'node:path';
import type { Environment, SandboxFolders } from '../environment.ts';
import { createLayers, findVisibility, type Enclosure } from './enclosure.ts';
import { findClosedConfiguration, findLinkedToolFolders, findToolRoot, listSystemPlaces } from './machine.ts';
import { isEnterable, isReachable } from './reachable.ts';
import { isInside } from '../isInside.ts';
import { findSelfwareHome } from '../../files/stateFolder.ts';

/**
 * Folders that contain home folders or are one. All of them are hidden, and so is the user's own home, wherever it is.
 */
const HOME_FOLDERS = ['/home', '/root', '/Users', '/var/home'];
/**
 * Folders with sockets of services (containers, message bus, keys), and with secrets that are mounted into containers.
 */
const SERVICE_FOLDERS = ['/run', '/var/run'];
/**
 * A folder for temporary files. Its path must be short, because the path of a socket has at most 108 bytes (unix(7)).
 */
const SHORT_TEMPORARY = '/var/tmp';
/** Folders for temporary files that all programs share. */
const TEMPORARY_FOLDERS = ['/tmp', SHORT_TEMPORARY, '/dev/shm'];

/**
 * Folders of programs and packages below a home folder that belong to version managers and package managers, and need
 * not be in the path. They contain no credentials.
 */
const PROGRAMS_AT_HOME = [
  '.nvm/versions',
  '.local/share/pnpm',
  'Library/pnpm',
  '.local/share/uv',
  '.local/share/fnm',
  '.local/share/mise',
  '.local/share/nvm',
  '.local/pipx',
  '.local/lib',
  '.cache/pnpm',
  '.yarn/berry',
  '.cargo/registry',
  '.cargo/git',
  '.rustup',
  '.m2/repository',
  '.gradle/caches',
];
/** Variables in the environment of commands that name further folders to show. */
const TOOL_FOLDER_VARIABLES = [
  'RUSTUP_HOME',
  'PYENV_ROOT',
  'VOLTA_HOME',
  'ASDF_DATA_DIR',
  'MISE_DATA_DIR',
  'COREPACK_HOME',
  'GOMODCACHE',
  'PLAYWRIGHT_BROWSERS_PATH',
  'VIRTUAL_ENV',
  'JAVA_HOME',
  'GOROOT',
];

/** The places of a sandbox, without those that belong to a single command. */
export type VisiblePaths = Omit<Enclosure, 'scratch' | 'callFilter' | 'overlays'>;

/** The input from which the places of a sandbox are found. */
export interface VisiblePathsInput {
  readonly folders: SandboxFolders;
  readonly env: Environment;
  /** Top of the user's work tree. */
  readonly repository: string;
  readonly stateDir: string;
  /** Installed packages and git objects, which are read but never written. */
  readonly sharedFolders: readonly string[];
}

/**
 * The places of a sandbox on this machine. If one rule hides a folder because it is personal and another one shows it
 * because it has programs, it stays hidden.
 */
export async function collectVisiblePaths({
  folders,
  env,
  repository,
  stateDir,
  sharedFolders,
}: VisiblePathsInput): Promise<VisiblePaths> {
  const homes = await resolvePaths([homedir(), findSelfwareHome()]);
  const systemPaths = listSystemPlaces();
  const closedConfiguration = findClosedConfiguration();
  const personalFolders = (
    await resolvePaths([...homes, ...HOME_FOLDERS, ...SERVICE_FOLDERS, repository, stateDir])
  ).filter(isApartFromSystem);
  const hidden = await filterAsync(isReachable, [...personalFolders, ...closedConfiguration.folders]);
  const pathFolders = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder.startsWith(sep) && !isInside(folders.folder, folder));
  const programFolders = await resolvePaths([dirname(process.execPath), ...pathFolders]);
  // Inside a home or the repository, no folder is shown just because a program is near it; the user decides that.
  const isPersonal = (folder: string) =>
    [...personalFolders, ...TEMPORARY_FOLDERS].some((variableFolder) => isInside(variableFolder, folder));
  const linkedToolFolders =
    systemPaths === null ? [] : findLinkedToolFolders(programFolders).filter((folder) => !isPersonal(folder));
  const toolRoots =
    systemPaths === null ? [] : programFolders.filter((folder) => !isPersonal(folder)).map(findToolRoot);
  const programs = [
    ...programFolders.flatMap((folder) => [folder, findToolRootAtHome(folder, homes)]),
    ...linkedToolFolders,
    ...toolRoots,
  ];
  const foldersFromVariables = TOOL_FOLDER_VARIABLES.map((name) => env[name]).filter(
    (place): place is string => place !== undefined,
  );
  const programsAtHome = homes.flatMap((home) => PROGRAMS_AT_HOME.map((relativePath) => join(home, relativePath)));
  // A path may contain folders of another user; a folder that this process cannot enter cannot be shown either.
  const isVisible = async (folder: string) => (await isReachable(folder)) && isEnterable(folder);
  const candidates = [
    ...programs,
    ...(await resolvePaths([...foldersFromVariables, ...programsAtHome, ...sharedFolders])),
    folders.programs,
  ];
  const readable = (await filterAsync(isVisible, candidates)).filter(
    (place) => !hidden.some((folder) => isInside(place, folder)),
  );
  return {
    otherPlaces: systemPaths === null ? 'readable' : 'absent',
    links: systemPaths?.links ?? [],
    writable: [folders.tree, folders.home, folders.temporary],
    // `readable` contains no folder with a hidden folder in it, except folders of the system, in which the hidden ones
    // are masked.
    readable: [...(systemPaths?.folders ?? []), ...readable],
    hidden,
    blanked: closedConfiguration.files,
    mountPoint: folders.mountPoint,
  };
}

/**
 * A short path at which the sandbox's temporary folder is shown, because the path of a socket has at most 108 bytes
 * (unix(7)). Null if the system has no such folder.
 */
export async function findShortTemporaryFolder(): Promise<string | null> {
  return (await realpath(SHORT_TEMPORARY).catch(() => null)) === SHORT_TEMPORARY ? SHORT_TEMPORARY : null;
}

/** Empty folders for one command, shown in place of folders that all programs share. */
export async function createScratchFolders(folder: string): Promise<Enclosure['scratch']> {
  const places = await resolvePaths(TEMPORARY_FOLDERS);
  return places.map((path) => ({ path, source: join(folder, path.slice(1).replaceAll(sep, '-')) }));
}

/**
 * Paths of listening sockets that commands could still reach. They must be masked, because the service behind a socket
 * runs outside of the sandbox (unix(7)).
 */
export async function findReachableSockets(
  enclosure: VisiblePaths & Pick<Enclosure, 'scratch'>,
): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [];
  const layers = createLayers(enclosure);
  const text = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const paths = new Set(
    text
      .split('\n')
      .map((line) => line.split(/\s+/, 8)[7] ?? '')
      .filter((path) => path.startsWith('/')),
  );
  const readablePaths = [...paths].filter((path) => findVisibility(path, layers, enclosure) === 'readable');
  return filterAsync(
    async (path) => ((await stat(path).catch(() => null))?.isSocket() ?? false) && isReachable(path),
    readablePaths,
  );
}

/**
 * The folder to show for a folder of programs below a home: a program in `…/tool/1.2/bin` needs the neighbouring
 * folders. A folder directly below a home may contain credentials next to its `bin` (`~/.docker`, `~/.cargo`), so only
 * the folder of programs is shown there.
 */
function findToolRootAtHome(folder: string, homes: readonly string[]): string {
  const parent = dirname(folder);
  const belowHome = homes.find((home) => isInside(home, folder));
  if (!['bin', 'sbin', 'shims'].includes(basename(folder)) || belowHome === undefined) return folder;
  return parent.slice(belowHome.length).split(sep).length > 2 ? parent : folder;
}

/**
 * True unless the folder contains a folder of the system. In a container, a home may be `/`, and hiding it would hide
 * everything.
 */
function isApartFromSystem(path: string): boolean {
  return !['/usr', '/etc', '/bin', '/lib'].some((system) => isInside(path, system));
}

async function filterAsync(isFitting: (path: string) => Promise<boolean>, paths: readonly string[]): Promise<string[]> {
  const matches = await Promise.all([...new Set(paths)].map(async (path) => ((await isFitting(path)) ? path : null)));
  return matches.filter((path) => path !== null);
}

async function resolvePaths(paths: readonly string[]): Promise<string[]> {
  const realPaths = await Promise.all(paths.map((path) => realpath(path).catch(() => null)));
  return [...new Set(realPaths.filter((path) => path !== null))];
}
