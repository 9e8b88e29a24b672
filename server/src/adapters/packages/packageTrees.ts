// Stores the results of installations: moves each from its scratch copy to the state folder, and checks before its use
// that it is unchanged.

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { throwIfCancelled } from '../../util/typedError.ts';
import { readRegular } from '../files/safeRead.ts';
import { replaceFile } from '../files/durableFile.ts';
import { removeTree } from '../sandbox/removeTree.ts';
import { collectStamps } from '../sandbox/fileStamps.ts';
import type { PackageTree } from '../../core/ports/packages.ts';

/** Name of the folder with the packages in the folder of a kept tree. */
export const TREE_FOLDER = 'tree';
/** Name of the folder with the package manager in the folder of a kept tree. */
export const MANAGER_FOLDER = 'manager';
/** Name of the file with the record of a kept tree, in the folder of the tree. */
const RECORD_FILE = 'record.json';
/** Name of the file that names the shared tree, in the folder of all kept trees. */
export const SHARED_TREE_FILE = 'lent.json';
/** Matches the names of kept trees. */
export const TREE_NAME_PATTERN = /^[a-f0-9]{8,64}$/;
/** Maximum number of results that are kept; older ones are removed. */
const MAX_KEPT_TREES = 3;
/** Maximum size of a manifest or record in bytes. A larger one is ignored. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;
/**
 * Maximum depth at which folders of packages are searched. Deeper ones are unlikely to belong to the repository
 * itself.
 */
const MAX_FOLDER_DEPTH = 12;

interface StoredRecord extends PackageTree {
  /** Time of the installation or of the last use, in milliseconds since 1970. */
  readonly at: number;
  /** A hash of the files' sizes and times (`hashStamps`), which is quicker to compare than the content. */
  readonly quick: string;
}

/** The stored results of installations. */
export interface PackageTrees {
  /** The path of the folder of a kept tree. */
  place(name: string): string;
  /**
   * Moves the packages and `toKeep.entries` out of the folder `from`. `now`: milliseconds since 1970. If it throws,
   * nothing is kept. Throws `cancelled`, and the errors of the disk.
   */
  keep(from: string, toKeep: TreeToKeep, now: number, signal: AbortSignal): Promise<PackageTree>;
  /** Returns the kept tree of this name; null if it is missing, or has changed since it was kept. */
  find(name: string): Promise<PackageTree | null>;
  /** Makes this tree the one that sandboxes get; null if they get none. */
  share(name: string | null): Promise<void>;
  /** The tree that sandboxes get; null if none is set, or if it is not sound. */
  shared(): Promise<PackageTree | null>;
  /**
   * The kept tree for a shape: the shared one if it has this shape, otherwise the newest one with this shape; null if
   * none is sound. `shape` is called only if anything is kept. If it returns null, the files need no packages, and the
   * result is `none`.
   */
  fitting(shape: () => Promise<string | null>): Promise<PackageTree | 'none' | null>;
}

/** The result of an installation that is to be stored. */
export interface TreeToKeep {
  readonly name: string;
  readonly shape: string;
  /** Path of the repository's root below the top of its work tree, with a slash at its end, or empty. */
  readonly prefix: string;
  readonly managerFolder: string;
  readonly entries: readonly string[];
}

/** Creates the store of the trees in `stateDir`/packages. */
export function createPackageTrees(stateDir: string): PackageTrees {
  const packagesFolder = join(stateDir, 'packages');
  const resolveTreePath = (name: string) => join(packagesFolder, name);
  /** Trees by name. Each is checked only once per process, because a sandbox cannot write to shared packages. */
  const checkedTrees = new Map<string, Promise<PackageTree | null>>();
  const trees: PackageTrees = {
    place: resolveTreePath,
    async keep(from, { name, shape, prefix, managerFolder, entries }, now, signal) {
      const partialFolder = `${resolveTreePath(name)}.part`;
      await removeTree(partialFolder);
      await mkdir(join(partialFolder, TREE_FOLDER), { recursive: true, mode: 0o700 });
      try {
        const present = keepOutermost([
          ...listPackageFolders(from),
          ...entries.filter((path) => existsUnlinked(join(from, path))),
        ]);
        const placed = present.map((path) => ({ path, place: `${prefix}${path}` }));
        for (const { path, place: target } of placed) {
          await mkdir(dirname(join(partialFolder, TREE_FOLDER, target)), { recursive: true });
          await rename(join(from, path), join(partialFolder, TREE_FOLDER, target));
        }
        const keptPaths = placed.map(({ place: target }) => target);
        if (existsUnlinked(join(from, managerFolder)))
          await rename(join(from, managerFolder), join(partialFolder, MANAGER_FOLDER));
        throwIfCancelled(signal);
        const measuredFolder = await measureFolder(partialFolder, signal);
        const wantScripts = await listPackagesWithScripts(join(partialFolder, TREE_FOLDER), keptPaths);
        const storedRecord: StoredRecord = {
          name,
          shape,
          entries: keptPaths,
          wantScripts,
          ...measuredFolder,
          at: now,
          quick: await hashStamps(partialFolder),
        };
        await replaceFile(join(partialFolder, RECORD_FILE), Buffer.from(JSON.stringify(storedRecord)));
        await removeTree(resolveTreePath(name));
        await rename(partialFolder, resolveTreePath(name));
        checkedTrees.set(name, Promise.resolve(storedRecord));
        await removeOldTrees(packagesFolder, name, await readCurrentName());
        return storedRecord;
      } catch (error) {
        await removeTree(partialFolder);
        throw error;
      }
    },
    async find(name) {
      const tree = checkedTrees.get(name) ?? readChecked(name);
      checkedTrees.set(name, tree);
      return tree;
    },
    async share(name) {
      await mkdir(packagesFolder, { recursive: true, mode: 0o700 });
      if (name === null) await rm(join(packagesFolder, SHARED_TREE_FILE), { force: true });
      else await replaceFile(join(packagesFolder, SHARED_TREE_FILE), Buffer.from(JSON.stringify({ name })));
    },
    async shared() {
      const name = await readCurrentName();
      return name === null ? null : trees.find(name);
    },
    async fitting(shape) {
      const keptEntries = await listEntries(packagesFolder);
      if (keptEntries.length === 0) return null;
      const wantedShape = await shape();
      if (wantedShape === null) return 'none';
      const current = await readCurrentName();
      const rankCurrentFirst = (name: string) => (name === current ? 0 : 1);
      const entriesOfShape = keptEntries.filter((entry) => entry.shape === wantedShape);
      for (const { name } of entriesOfShape.sort(
        (a, b) => rankCurrentFirst(a.name) - rankCurrentFirst(b.name) || b.at - a.at,
      )) {
        const tree = await trees.find(name);
        if (tree === null) continue;
        await markAsUsed(name, keptEntries);
        return tree;
      }
      return null;
    },
  };
  return trees;

  /** Makes a tree the newest one, so that trees in use are not removed to make room for others. */
  async function markAsUsed(name: string, keptEntries: readonly Entry[]): Promise<void> {
    const newest = Math.max(...keptEntries.map(({ at }) => at));
    const storedRecord = await readJson<StoredRecord>(join(resolveTreePath(name), RECORD_FILE));
    if (storedRecord === null || storedRecord.at === newest) return;
    await replaceFile(
      join(resolveTreePath(name), RECORD_FILE),
      Buffer.from(JSON.stringify({ ...storedRecord, at: newest + 1 })),
    );
  }

  async function readCurrentName(): Promise<string | null> {
    const name = (await readJson<{ readonly name: string }>(join(packagesFolder, SHARED_TREE_FILE)))?.name;
    return typeof name === 'string' && TREE_NAME_PATTERN.test(name) ? name : null;
  }

  /**
   * The tree if it is unchanged since it was kept: its names, sizes and times are the same, or at least its content is;
   * otherwise null.
   */
  async function readChecked(name: string): Promise<PackageTree | null> {
    const storedRecord = await readJson<StoredRecord>(join(resolveTreePath(name), RECORD_FILE));
    if (storedRecord === null || storedRecord.name !== name) return null;
    if ((await hashStamps(resolveTreePath(name)).catch(() => null)) === storedRecord.quick) return storedRecord;
    // Times change when a disk is copied or restored, so the content decides.
    const { contentHash } = await measureFolder(resolveTreePath(name), new AbortController().signal);
    return contentHash === storedRecord.contentHash ? storedRecord : null;
  }
}

/** The paths of all folders with the name `node_modules` that are not inside another one. Links are not followed. */
function listPackageFolders(root: string): readonly string[] {
  const folders: string[] = [];
  const walk = (relativeFolder: string, depth: number): void => {
    for (const entry of readdirSync(join(root, relativeFolder), { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name === '.git' || entry.name.startsWith('.selfware')) continue;
      const path = relativeFolder === '' ? entry.name : `${relativeFolder}/${entry.name}`;
      if (entry.name === 'node_modules') folders.push(path);
      else if (depth < MAX_FOLDER_DEPTH) walk(path, depth + 1);
    }
  };
  walk('', 0);
  return folders;
}

/**
 * The paths that are not below any of the others: Yarn unplugs packages into folders that each contain a
 * `node_modules`.
 */
function keepOutermost(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((otherPath) => path.startsWith(`${otherPath}/`))).sort();
}

/** A hash of the names, modes, sizes and times of everything in the folder except the record. */
async function hashStamps(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const stamps = await collectStamps(folder);
  for (const path of [...stamps.keys()].sort()) if (path !== RECORD_FILE) hash.update(`${path}\0${stamps.get(path)}\n`);
  return hash.digest('hex');
}

/** The number of the files, their size in bytes, and a hash of all names, modes and contents. Throws `cancelled`. */
async function measureFolder(
  folder: string,
  signal: AbortSignal,
): Promise<Pick<PackageTree, 'contentHash' | 'files' | 'bytes'>> {
  const hash = createHash('sha256');
  let [files, bytes] = [0, 0];
  for (const path of [...(await collectStamps(folder)).keys()].sort()) {
    if (path === RECORD_FILE) continue;
    const absolutePath = join(folder, path);
    const stat = lstatSync(absolutePath);
    hash.update(`${path}\0${stat.mode}\0`);
    if (stat.isSymbolicLink()) hash.update(readlinkSync(absolutePath));
    if (!stat.isFile()) continue;
    files += 1;
    bytes += stat.size;
    if (files % 64 === 0) await turn();
    throwIfCancelled(signal);
    hash.update(await readRegular(absolutePath, path));
  }
  return { contentHash: hash.digest('hex'), files, bytes };
}

/** Names of installed packages with an install script or native code. */
async function listPackagesWithScripts(tree: string, entries: readonly string[]): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const modules of entries.flatMap((entry) => collectModules(tree, entry)))
    for (const folder of listInstalled(join(tree, modules))) {
      const manifest = await readJson<{ name?: unknown; scripts?: Record<string, unknown> }>(
        join(folder, 'package.json'),
      );
      const scripts = manifest?.scripts ?? {};
      const hasScript = ['preinstall', 'install', 'postinstall'].some((name) => typeof scripts[name] === 'string');
      if ((hasScript || existsUnlinked(join(folder, 'binding.gyp'))) && typeof manifest?.name === 'string')
        names.add(manifest.name);
    }
  return [...names].sort();
}

/** The `node_modules` that a kept entry is, or the ones with the packages that Yarn unplugged into it. */
function collectModules(tree: string, entry: string): readonly string[] {
  if (entry.endsWith('node_modules')) return [entry];
  if (!entry.endsWith('.yarn/unplugged')) return [];
  return listEntryNames(join(tree, entry))
    .map((name) => `${entry}/${name}/node_modules`)
    .filter((modules) => existsUnlinked(join(tree, modules)));
}

/** The folders of the packages in a `node_modules`, including those in the stores of pnpm and Bun there. */
function listInstalled(modules: string): readonly string[] {
  const folders: string[] = [];
  for (const entry of readdirSync(modules, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(modules, entry.name);
    if (entry.name.startsWith('@')) folders.push(...listEntryNames(path).map((name) => join(path, name)));
    else if (entry.name === '.pnpm' || entry.name === '.bun')
      for (const name of listEntryNames(path)) {
        const inner = join(path, name, 'node_modules');
        if (name !== 'node_modules' && existsUnlinked(inner)) folders.push(...listInstalled(inner));
      }
    else if (!entry.name.startsWith('.')) {
      folders.push(path);
      if (existsUnlinked(join(path, 'node_modules'))) folders.push(...listInstalled(join(path, 'node_modules')));
    }
  }
  return folders;
}

function listEntryNames(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** True if something other than a link is at this path. */
function existsUnlinked(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && !stat.isSymbolicLink();
}

interface Entry {
  readonly name: string;
  readonly shape: string | null;
  readonly at: number;
}

/** The kept trees as their records describe them, without checking their contents. */
async function listEntries(packagesFolder: string): Promise<Entry[]> {
  if (!existsUnlinked(packagesFolder)) return [];
  const entries: Entry[] = [];
  for (const name of listEntryNames(packagesFolder)) {
    if (name.endsWith('.part')) continue;
    const storedRecord = await readJson<StoredRecord>(join(packagesFolder, name, RECORD_FILE));
    entries.push({ name, shape: storedRecord?.shape ?? null, at: storedRecord?.at ?? 0 });
  }
  return entries;
}

/** Removes the oldest trees, so that at most `MAX_KEPT_TREES` are left. Never removes the tree `newest` or the shared one. */
async function removeOldTrees(packagesFolder: string, newest: string, sharedName: string | null): Promise<void> {
  const otherEntries = (await listEntries(packagesFolder)).filter(({ name }) => name !== newest && name !== sharedName);
  const keptCount = MAX_KEPT_TREES - (sharedName === null || sharedName === newest ? 1 : 2);
  for (const { name } of otherEntries.sort((a, b) => b.at - a.at).slice(keptCount))
    await removeTree(join(packagesFolder, name));
}

/** The parsed content of a JSON file; null if it cannot be read or parsed. */
async function readJson<T>(path: string): Promise<T | null> {
  try {
    return JSON.parse(new TextDecoder().decode(await readRegular(path, path, MAX_RECORD_BYTES))) as T;
  } catch {
    // Without a readable record, a tree counts as missing, so that it is not shared.
    return null;
  }
}
