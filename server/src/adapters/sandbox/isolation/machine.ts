// Finds the parts of a Linux machine that commands can see: its programs, libraries and their configuration.
// `visiblePaths.ts` adds the tree and its other folders; nothing else exists for commands.

import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../isInside.ts';

/** Folders of programs, libraries and configuration. People do not usually store data there. */
const SYSTEM_FOLDERS = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/libexec',
  '/etc',
  '/nix/store',
  '/nix/var/nix/profiles',
  '/gnu/store',
  '/var/lib/ca-certificates',
  '/var/cache/fontconfig',
];
/** Folders in which secrets of services may be among files that every user may read. */
const CONFIGURATION_FOLDERS = ['/etc', '/usr/local/etc'];
/**
 * Mount points of other disks, including those of Windows. A folder of programs there may lie next to any other files,
 * so only the folder itself is shown.
 */
const DISK_FOLDERS = ['/mnt', '/media'];
/** Names of entries by which a home folder is recognised, wherever it is. */
const HOME_MARKERS = ['.profile', '.bashrc', '.ssh', '.config', '.git', 'AppData'];

/** The parts of the machine that commands see. */
export interface VisibleMachine {
  /** Absolute paths of folders, without links. */
  readonly folders: readonly string[];
  /** Links that lead to folders of the system, such as `/bin` to `usr/bin`. */
  readonly links: readonly SymbolicLink[];
}

/** A link at `path` to `target`. */
export interface SymbolicLink {
  readonly path: string;
  readonly target: string;
}

/**
 * The folders of the system, and the links to them. Null on systems other than Linux, on which all places are shown
 * that are not hidden, because nobody has tested which places programs need there.
 */
export function listSystemPlaces(): VisibleMachine | null {
  if (process.platform !== 'linux') return null;
  const entries = SYSTEM_FOLDERS.map((path) => ({ path, stats: lstatSync(path, { throwIfNoEntry: false }) }));
  return {
    folders: entries.filter(({ stats }) => stats?.isDirectory()).map(({ path }) => path),
    links: entries
      .filter(({ stats }) => stats?.isSymbolicLink())
      .map(({ path }) => ({ path, target: readlinkSync(path) })),
  };
}

/** Places of configuration that commands must not read. */
export interface ClosedPlaces {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/**
 * Configuration that not every user may read. Commands of a repository must not read it, even if this process may, as
 * root or as a member of a group. Both lists are empty on systems other than Linux.
 */
export function findClosedConfiguration(): ClosedPlaces {
  const [folders, files]: [string[], string[]] = [[], []];
  const queue = process.platform === 'linux' ? CONFIGURATION_FOLDERS.filter(isRealFolder) : [];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    for (const name of listEntries(folder)) {
      const path = join(folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isDirectory()) ((stats.mode & 0o005) === 0o005 ? queue : folders).push(path);
      else if (stats?.isFile() && (stats.mode & 0o004) === 0) files.push(path);
    }
  }
  return { folders, files };
}

/**
 * The folder to show for a folder of programs: a program in `…/tool/1.2/bin` needs the neighbouring folders. At the top
 * of a disk and in a home folder, only the folder of programs itself is shown.
 */
export function findToolRoot(folder: string): string {
  const parent = dirname(folder);
  const isProgramFolder = /\/(?:s?bin|shims)$/.test(folder) && dirname(parent) !== '/' && parent !== '/';
  if (!isProgramFolder || DISK_FOLDERS.some((disk) => isInside(disk, folder))) return folder;
  return listEntries(parent).some((name) => HOME_MARKERS.includes(name)) ? folder : parent;
}

/** By folder and the time of its last change. */
const toolFoldersByKey = new Map<string, readonly string[]>();

/**
 * Folders outside of the system to which links in these folders of programs lead, such as `/usr/local/bin/mvn` to
 * `/opt/maven/bin/mvn`.
 */
export function findLinkedToolFolders(programs: readonly string[]): readonly string[] {
  const folders = [...new Set([...programs, '/etc/alternatives'])].filter(isRealFolder);
  return [
    ...new Set(
      folders.flatMap((folder) => {
        const key = `${folder} ${lstatSync(folder).mtimeMs}`;
        const toolFolders = toolFoldersByKey.get(key) ?? collectLinkTargets(folder);
        toolFoldersByKey.set(key, toolFolders);
        return toolFolders;
      }),
    ),
  ];
}

function collectLinkTargets(folder: string): readonly string[] {
  const targets: string[] = [];
  for (const name of listEntries(folder)) {
    const target = readLinkTarget(join(folder, name));
    if (target === null || isInside(folder, resolve(folder, target)) || isSystemPath(resolve(folder, target))) continue;
    const realPath = resolveRealPath(join(folder, name));
    // A folder at the top of the disk may contain other things in addition to the program, so it is not shown.
    if (realPath !== null && !isSystemPath(realPath) && dirname(dirname(realPath)) !== '/')
      targets.push(findToolRoot(dirname(realPath)));
  }
  return targets;
}

/** True for a path in a folder of the system, which commands see anyway. */
export function isSystemPath(path: string): boolean {
  return SYSTEM_FOLDERS.some((folder) => isInside(folder, path));
}

function readLinkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    // The path is not a link, or it no longer exists.
    return null;
  }
}

function resolveRealPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function listEntries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // This process may not read the folder.
    return [];
  }
}
