// Makes the user's installed packages available in a sandbox: under an overlay, or in node_modules folders whose
// entries are links. The folders in the tree of an overlay contain only the differences from the user's folders: copies
// and links that replace entries outside of the repository, and marks (whiteouts of overlayfs) for hidden entries.

import { lstat, mkdir, readdir, readlink, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { copyRegularSync, readRegular } from '../files/safeRead.ts';
import type { FolderOverlay } from './isolation/enclosure.ts';
import { canMountOverlay, hideLowerEntry } from './isolation/overlay.ts';
import { readPublishedFiles } from './publishedFiles.ts';
import type { RepositoryContent } from './repositoryContent.ts';
import type { Log } from '../../core/ports/system.ts';
import { isInside } from './isInside.ts';

/** Dot folders in which a package manager stores packages. All other dot folders are caches and are not shared. */
const STORE_FOLDER_NAMES = new Set(['.pnpm', '.store', '.prisma', '.bun']);

/**
 * Name of Selfware's own folder in a sandbox. A work tree contains such a folder if a person has run a command of
 * Selfware in it.
 */
const SELFWARE_FOLDER = '.selfware';

/**
 * Packages, or a file about them, that lie outside of the user's tree, and the place in the sandbox's tree at which
 * they are shared.
 */
export interface SharedPackageTree {
  /** Absolute, without links. Links from there to a folder of the repository are redirected to the sandbox's copy. */
  readonly root: string;
  /** Path below `root` and below the top of the tree: `packages/a/node_modules`. */
  readonly path: string;
}

/** The packages that are shared with a sandbox, and the way of sharing. */
export interface PackageSharing {
  /** True if commands can be shown folders under an overlay. */
  readonly usesOverlays: boolean;
  /** Entries of node_modules that are not shared, with their programs, as paths from the top of the tree. */
  readonly excludedPaths?: readonly string[];
  /** Packages that are shared instead of those that the user has installed at the same places. */
  readonly storedTrees: readonly SharedPackageTree[];
  /**
   * The top of another copy of the repository, whose installed packages are shared. If omitted, those of the repository
   * itself are shared.
   */
  readonly packagesOf?: string;
  /** True if packages that the user has installed are shared. */
  readonly sharesInstalled: boolean;
  /** Folders of programs that come first in the path: a package manager. Absolute, without links. */
  readonly programs: readonly string[];
  /** Folders that these programs also need. */
  readonly shownFolders: readonly string[];
}

/** The packages that were shared. */
export interface SharedPackages {
  /** Targets of the links, including links to links: absolute folders without links. They must be readable. */
  readonly folders: readonly string[];
  /** The overlays to mount: folders of packages that commands see below the tree's own contents. */
  readonly overlays: readonly FolderOverlay[];
  /** False if a folder that was listed or a file that was copied has changed since the packages were shared. */
  isCurrent(): Promise<boolean>;
}

/** The packages of one tree while they are being shared. */
interface TreeSharing {
  /** Root of the source tree (the user's tree or a stored one). Links that lead out of it are checked. */
  readonly top: string;
  /** The sandbox's tree. */
  readonly tree: string;
  /**
   * The overlays so far, to which new ones are added; null if links are used instead, for instance because no mount
   * accepts the paths.
   */
  readonly overlays: FolderOverlay[] | null;
  /** Absolute paths in the tree at which nothing is shared. */
  readonly absent: ReadonlySet<string>;
  /** Folders of packages that were shared. */
  readonly sources: Set<string>;
  /** Time of the last change of each folder that was listed and each file that was copied. */
  readonly changeTimes: Map<string, bigint>;
  readonly log: Log;
}

/**
 * Shares the packages of each package folder (one with a package.json) that has some installed. The folder itself is
 * real, because tools write caches into it; a link to a folder of the repository (a workspace package) is redirected to
 * the sandbox's copy of that folder.
 */
export async function sharePackages(
  content: RepositoryContent,
  tree: string,
  sharing: PackageSharing,
  log: Log,
): Promise<SharedPackages> {
  const overlays: FolderOverlay[] = [];
  const treeSharing: TreeSharing = {
    top: await realpath(sharing.packagesOf ?? content.top),
    tree,
    overlays: sharing.usesOverlays ? overlays : null,
    absent: new Set((sharing.excludedPaths ?? []).map((path) => join(tree, content.prefix, path))),
    sources: new Set(),
    changeTimes: new Map(),
    log,
  };
  // Git may track installed packages, so the work tree may contain excluded ones, which are removed.
  for (const path of treeSharing.absent) await rm(path, { recursive: true, force: true });
  const storedTreePaths = new Set(sharing.storedTrees.map(({ path }) => path));
  for (const { root, path } of sharing.storedTrees)
    await shareFromPackageTree(join(root, path), path, { ...treeSharing, top: root });
  const packageFolders = new Set(
    content.files
      .filter((path) => /(^|\/)package\.json$/.test(path) && !path.split('/').includes('node_modules'))
      .map((path) => dirname(path)),
  );
  for (const folder of ['.', dirname(`${content.prefix}.`)]) packageFolders.add(folder);
  for (const folder of sharing.sharesInstalled ? packageFolders : []) {
    const path = join(folder, 'node_modules');
    const source = storedTreePaths.has(path) ? null : await resolveFolder(join(treeSharing.top, path));
    if (!source || !(isInside(treeSharing.top, source) || (await containsPackages(source)))) continue;
    // A folder with another name may contain other files in addition to packages.
    const containsOnlyPackages = isInside(treeSharing.top, source) || basename(source) === 'node_modules';
    if (containsOnlyPackages) treeSharing.sources.add(source);
    await shareNodeModules(
      source,
      join(tree, path),
      containsOnlyPackages ? treeSharing : { ...treeSharing, overlays: null },
    );
  }
  return {
    folders: [...treeSharing.sources, ...sharing.shownFolders],
    overlays,
    async isCurrent() {
      for (const [folder, changeTime] of treeSharing.changeTimes)
        if ((await readModifiedTime(folder)) !== changeTime) return false;
      return true;
    },
  };
}

/** The time of the last change, in nanoseconds since the epoch; null if it cannot be read. */
async function readModifiedTime(folder: string): Promise<bigint | null> {
  return (await stat(folder, { bigint: true }).catch(() => null))?.mtimeNs ?? null;
}

/**
 * Shares a folder or file from a stored tree. Does nothing if it is missing. A folder other than node_modules becomes a
 * link if no overlay can be used.
 */
async function shareFromPackageTree(source: string, path: string, treeSharing: TreeSharing): Promise<void> {
  if ((await lstat(source).catch(() => null))?.isFile() && !(await pathExists(join(treeSharing.tree, path)))) {
    await mkdir(dirname(join(treeSharing.tree, path)), { recursive: true });
    return copyRegularSync(source, join(treeSharing.tree, path));
  }
  if ((await resolveFolder(source)) !== source) return;
  treeSharing.sources.add(source);
  const target = join(treeSharing.tree, path);
  if (basename(path) === 'node_modules') return shareNodeModules(source, target, treeSharing);
  if (await pathExists(target)) return;
  treeSharing.changeTimes.set(source, (await readModifiedTime(source)) ?? 0n);
  await mkdir(dirname(target), { recursive: true });
  if (treeSharing.overlays === null || !canMountOverlay({ lower: source, path: target }))
    return symlink(source, target);
  await mkdir(target);
  treeSharing.overlays.push({ lower: source, path: target });
}

async function shareNodeModules(source: string, target: string, treeSharing: TreeSharing): Promise<void> {
  const overlay = { lower: source, path: target };
  const isOverlaid = treeSharing.overlays !== null && canMountOverlay(overlay);
  if (isOverlaid) treeSharing.overlays.push(overlay);
  await mkdir(target, { recursive: true });
  await shareEntries(source, target, isOverlaid ? treeSharing : { ...treeSharing, overlays: null });
}

async function shareEntries(source: string, target: string, treeSharing: TreeSharing): Promise<void> {
  if (treeSharing.overlays === null) await mkdir(target, { recursive: true });
  treeSharing.changeTimes.set(source, (await readModifiedTime(source)) ?? 0n);
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const sourcePath = join(source, entry.name);
    const targetPath = join(target, entry.name);
    if (treeSharing.absent.has(targetPath) || (await isProgramOfAbsent(sourcePath, targetPath, treeSharing))) {
      await rm(targetPath, { recursive: true, force: true });
      await hideEntry(targetPath, treeSharing);
      continue;
    }
    if (await pathExists(targetPath)) continue; // Tracked by git, so the sandbox has a copy already.
    if (entry.isDirectory() && (entry.name.startsWith('@') || entry.name === '.bin'))
      await shareEntries(sourcePath, targetPath, treeSharing);
    else if (entry.isFile()) await shareFile(sourcePath, targetPath, treeSharing);
    else if (!entry.name.startsWith('.') || STORE_FOLDER_NAMES.has(entry.name))
      await shareEntry(sourcePath, targetPath, treeSharing);
    else if (entry.name === SELFWARE_FOLDER && entry.isDirectory())
      await hideContents(sourcePath, targetPath, treeSharing);
    else await hideEntry(targetPath, treeSharing);
  }
}

/** True for a link in `.bin` whose target lies in an excluded package. */
async function isProgramOfAbsent(sourcePath: string, targetPath: string, { absent }: TreeSharing): Promise<boolean> {
  if (absent.size === 0 || basename(dirname(targetPath)) !== '.bin') return false;
  const target = await readlink(sourcePath).catch(() => null);
  if (target === null) return false;
  const path = resolve(dirname(targetPath), target);
  return [...absent].some((entry) => isInside(entry, path));
}

/**
 * Shares a file of node_modules if no overlay shows it. Programs are linked, because they locate their package by their
 * own path. Metadata files of the package manager (dot files) are copied.
 */
async function shareFile(sourcePath: string, targetPath: string, { overlays }: TreeSharing): Promise<void> {
  if (overlays !== null) return;
  if (basename(sourcePath).startsWith('.')) await writeFile(targetPath, await readRegular(sourcePath, sourcePath));
  else await symlink(sourcePath, targetPath);
}

/** Hides an entry that the overlay would show. Without an overlay there is nothing to hide. */
async function hideEntry(targetPath: string, { overlays }: TreeSharing): Promise<void> {
  if (overlays === null) return;
  await mkdir(dirname(targetPath), { recursive: true });
  await hideLowerEntry(targetPath);
}

/** Hides the contents of a folder. The folder itself stays, because tools write into it. */
async function hideContents(sourcePath: string, targetPath: string, treeSharing: TreeSharing): Promise<void> {
  for (const name of await readdir(sourcePath)) await hideEntry(join(targetPath, name), treeSharing);
}

/**
 * Shares an installed package. A link into the repository leads to the sandbox's copy; a package outside is shared as a
 * whole or, under development, as the files that it would publish; anything else is skipped.
 */
async function shareEntry(sourcePath: string, targetPath: string, treeSharing: TreeSharing): Promise<void> {
  const realPath = (await realpath(sourcePath).catch(() => null)) ?? (await findFolderInTree(sourcePath, treeSharing));
  if (realPath === null) return hideEntry(targetPath, treeSharing); // A link that leads nowhere.
  const isWorkspacePackage =
    isInside(treeSharing.top, realPath) && !relative(treeSharing.top, realPath).split(/[\\/]/).includes('node_modules');
  if (!isInside(treeSharing.top, realPath)) {
    // Commands can read the target of a link, so it may only be a package, and of a package under development only the
    // files that it would publish.
    if (!(await isPackaged(realPath, basename(sourcePath)))) return hideEntry(targetPath, treeSharing);
    if ((await isFolder(realPath)) && !isInstalled(realPath, basename(sourcePath)))
      return sharePublishedFiles(realPath, targetPath, treeSharing);
    treeSharing.sources.add(realPath);
  }
  // The overlay already shows the entry.
  if (treeSharing.overlays !== null && isInside(treeSharing.top, realPath) && !isWorkspacePackage) return;
  await mkdir(dirname(targetPath), { recursive: true });
  // Other entries are linked to the original entry, so that a package manager's layout of links stays unchanged.
  await symlink(
    isWorkspacePackage ? join(treeSharing.tree, relative(treeSharing.top, realPath)) : sourcePath,
    targetPath,
  );
}

/**
 * The folder of the repository to which a link of a stored tree would lead; null if the link does not lead there. The
 * folder does not exist next to the stored tree, so it is looked up in the sandbox's tree.
 */
async function findFolderInTree(sourcePath: string, { top, tree }: TreeSharing): Promise<string | null> {
  const target = await readlink(sourcePath).then(
    (text) => resolve(dirname(sourcePath), text),
    () => null,
  );
  if (target === null || !isInside(top, target) || target.split(/[\\/]/).includes('node_modules')) return null;
  return (await pathExists(join(tree, relative(top, target)))) ? target : null;
}

/** Copies the files that the package would publish; its own installed packages are linked. */
async function sharePublishedFiles(sourcePath: string, targetPath: string, treeSharing: TreeSharing): Promise<void> {
  const { files, isIncomplete, inspectedPaths } = await readPublishedFiles(sourcePath);
  if (isIncomplete)
    treeSharing.log.write(
      'warn',
      `Only ${files.length} files of the package ${sourcePath} are in the sandbox: it holds more than that.`,
    );
  for (const path of inspectedPaths)
    treeSharing.changeTimes.set(join(sourcePath, path), (await readModifiedTime(join(sourcePath, path))) ?? 0n);
  for (const path of files) {
    // Asynchronous, so that the thread can answer other requests in between.
    await mkdir(dirname(join(targetPath, path)), { recursive: true });
    copyRegularSync(join(sourcePath, path), join(targetPath, path));
  }
  const installedFolder = await resolveFolder(join(sourcePath, 'node_modules'));
  if (installedFolder !== join(sourcePath, 'node_modules') || (await pathExists(join(targetPath, 'node_modules'))))
    return;
  treeSharing.sources.add(installedFolder);
  await mkdir(targetPath, { recursive: true });
  await symlink(installedFolder, join(targetPath, 'node_modules'));
}

/**
 * True for a package that a package manager has put into a node_modules folder or its store. False for other entries
 * below one, such as a folder inside a package.
 */
function isInstalled(realPath: string, name: string): boolean {
  if (STORE_FOLDER_NAMES.has(name) && basename(realPath) === name) return true;
  const parts = realPath.split(/[\\/]/);
  const [first = '.', ...deeper] = parts.slice(parts.lastIndexOf('node_modules') + 1);
  if (!parts.includes('node_modules') || STORE_FOLDER_NAMES.has(first)) return parts.includes('node_modules');
  return !first.startsWith('.') && deeper.length === (first.startsWith('@') ? 1 : 0);
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}

/**
 * True for an installed package, a store under its own name, a folder with a manifest, or an executable file below a
 * folder with a manifest that does not contain the home folder.
 */
async function isPackaged(realPath: string, name: string): Promise<boolean> {
  if (isInstalled(realPath, name)) return true;
  const { mode, directory } = await stat(realPath).then((stats) => ({
    mode: stats.mode,
    directory: stats.isDirectory(),
  }));
  if (directory) return pathExists(join(realPath, 'package.json'));
  if ((mode & 0o111) === 0) return false;
  const home = await realpath(homedir()).catch(() => homedir());
  for (let folder = dirname(realPath); !isInside(folder, home) && dirname(folder) !== folder; folder = dirname(folder))
    if (await pathExists(join(folder, 'package.json'))) return true;
  return false;
}

/** True if the folder, which is used in place of node_modules, contains packages. */
async function containsPackages(folder: string): Promise<boolean> {
  if (basename(folder) === 'node_modules') return true;
  const names = await readdir(folder);
  const areFolders = await Promise.all(
    names.filter((name) => !name.startsWith('.')).map((name) => pathExists(join(folder, name, 'package.json'))),
  );
  return areFolders.includes(true);
}

async function resolveFolder(path: string): Promise<string | null> {
  try {
    const realPath = await realpath(path);
    return (await stat(realPath)).isDirectory() ? realPath : null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

async function pathExists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
