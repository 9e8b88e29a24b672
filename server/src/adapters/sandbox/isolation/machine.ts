// Which parts of a Linux machine commands can see: its programs and libraries and what these need. Nothing else exists
// for them.

import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../inside.ts';

/** Programs, libraries and the configuration that everybody may read. No data of anybody lies there. */
const SYSTEM = [
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
/** Where secrets of services may lie between what everybody reads. */
const CONFIGURATION = ['/etc', '/usr/local/etc'];
/** Disks of others (of Windows as well): what lies beside a folder of programs there may be anything. */
const DISKS = ['/mnt', '/media'];
/** What tells a home folder, wherever it is. */
const MARKS_OF_HOME = ['.profile', '.bashrc', '.ssh', '.config', '.git', 'AppData'];

export interface Machine {
  /** Folders, without links. */
  readonly folders: readonly string[];
  /** Links at the top that lead to these, as `/bin` to `usr/bin`. */
  readonly links: readonly Link[];
}

export interface Link {
  readonly path: string;
  readonly target: string;
}

/** Null if everything is shown that is not hidden: outside Linux, nobody has tested what is needed. */
export function shownMachine(): Machine | null {
  if (process.platform !== 'linux') return null;
  const found = SYSTEM.map((path) => ({ path, stats: lstatSync(path, { throwIfNoEntry: false }) }));
  return {
    folders: found.filter(({ stats }) => stats?.isDirectory()).map(({ path }) => path),
    links: found
      .filter(({ stats }) => stats?.isSymbolicLink())
      .map(({ path }) => ({ path, target: readlinkSync(path) })),
  };
}

export interface Closed {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/**
 * Configuration that not everybody may read. Root may, and a member of the right group, but no command of a repository.
 */
export function closedConfiguration(): Closed {
  const [folders, files]: [string[], string[]] = [[], []];
  const queue = process.platform === 'linux' ? CONFIGURATION.filter(isRealFolder) : [];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isDirectory()) ((stats.mode & 0o005) === 0o005 ? queue : folders).push(path);
      else if (stats?.isFile() && (stats.mode & 0o004) === 0) files.push(path);
    }
  }
  return { folders, files };
}

/**
 * A program in `…/tool/1.2/bin` needs what lies beside it. At the top of a disk, and in a home folder, only the folder
 * of programs itself is shown.
 */
export function rootOfTool(folder: string): string {
  const above = dirname(folder);
  const isProgramFolder = /\/(?:s?bin|shims)$/.test(folder) && dirname(above) !== '/' && above !== '/';
  if (!isProgramFolder || DISKS.some((disk) => isInside(disk, folder))) return folder;
  return namesIn(above).some((name) => MARKS_OF_HOME.includes(name)) ? folder : above;
}

const known = new Map<string, readonly string[]>();

/**
 * Folders outside the system to which links in these folders of programs lead, as `/usr/local/bin/mvn` to
 * `/opt/maven/bin/mvn`.
 */
export function linkedTools(programs: readonly string[]): readonly string[] {
  const folders = [...new Set([...programs, '/etc/alternatives'])].filter(isRealFolder);
  return [
    ...new Set(
      folders.flatMap((folder) => {
        const key = `${folder} ${lstatSync(folder).mtimeMs}`;
        const found = known.get(key) ?? linkedFrom(folder);
        known.set(key, found);
        return found;
      }),
    ),
  ];
}

function linkedFrom(folder: string): readonly string[] {
  const targets: string[] = [];
  for (const name of namesIn(folder)) {
    const target = linkTarget(join(folder, name));
    if (target === null || isInside(folder, resolve(folder, target)) || isOfSystem(resolve(folder, target))) continue;
    const real = realOrNull(join(folder, name));
    // A program that lies among other things at the top of a disk is not worth all of them.
    if (real !== null && !isOfSystem(real) && dirname(dirname(real)) !== '/') targets.push(rootOfTool(dirname(real)));
  }
  return targets;
}

export function isOfSystem(path: string): boolean {
  return SYSTEM.some((folder) => isInside(folder, path));
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    // No link, or gone.
    return null;
  }
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not ours to read.
    return [];
  }
}
