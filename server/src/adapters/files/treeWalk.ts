// Walks the tree once and lists all files to index, and the skipped files with the reason.

import { lstatSync, type Dirent, type Stats } from 'node:fs';
import { lstat, opendir, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkippedPath } from '../../core/model.ts';
import { isOutputFolder } from '../../core/paths/nonSourcePaths.ts';
import { SelfwareError, throwIfCancelled } from '../../util/typedError.ts';
import { listByGit, type GitListing } from '../git/gitListing.ts';
import { createIgnoreRules, type IgnoreRules } from './ignoreRules.ts';
import { TEMPORARY_PREFIX } from './diskWriter.ts';
import { readBelow, openAndClose } from './safeRead.ts';
import { findPathInside } from './resolvedPath.ts';
import type { Log } from '../../core/ports/system.ts';
import type { Files, FileStat } from '../../core/ports/files.ts';

/** Names of folders that are never walked. */
const NEVER_ENTERED = new Set(['.git', 'node_modules']);

/** Maximum number of simultaneous file system calls. More would only queue in the thread pool. */
const PARALLEL_CALLS = 64;
/** If a call about a file takes more milliseconds, the answer did not come from memory. */
const SLOW_MS = 2;

/** The files and the skipped paths so far. */
interface WalkResult {
  readonly files: { readonly path: string; readonly stat: FileStat }[];
  readonly skipped: SkippedPath[];
}

/** A folder to visit, with the rules that apply in it. */
interface Folder {
  readonly path: string;
  readonly gitRules: IgnoreRules;
  readonly selfwareRules: IgnoreRules;
}

/** One walk. */
interface Walk {
  readonly root: string;
  readonly maxBytes: number;
  readonly selection: Selection | null;
  readonly result: WalkResult;
  /** True if the disk responds slowly. */
  isSlow: boolean;
}

/** The entries that git includes, as keys from `createKey`, which ignore case and Unicode forms if the file system does. */
interface Selection {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  readonly nestedFolders: ReadonlySet<string>;
  createKey(path: string): string;
}

/**
 * Creates `Files.walk` for a real folder. If git lists the files, its listing decides; otherwise .gitignore files are
 * read here.
 */
export function createTreeWalk(root: string, isCaseInsensitive: boolean, log?: Log): Files['walk'] {
  return async (limits, signal) => {
    throwIfCancelled(signal);
    const listing = await listByGit(root, signal, log);
    const walk: Walk = {
      root,
      maxBytes: limits.maxBytes,
      selection: listing && selectFiles(listing, isCaseInsensitive),
      result: { files: [], skipped: [] },
      isSlow: false,
    };
    const unlistedFolders: string[] = [];
    let currentFolders: Folder[] = [
      {
        path: '',
        gitRules: createIgnoreRules([], isCaseInsensitive),
        selfwareRules: createIgnoreRules(limits.exclude, isCaseInsensitive),
      },
    ];
    while (currentFolders.length > 0) {
      const nextFolders: Folder[] = [];
      await mapInBatches(currentFolders, signal, async (folder) =>
        nextFolders.push(...(await visitFolder(walk, folder, unlistedFolders, signal))),
      );
      currentFolders = nextFolders;
    }
    if (listing) await reportUnreadable(walk, listing, unlistedFolders, signal);
    return { files: walk.result.files.sort(comparePaths), skipped: walk.result.skipped.sort(comparePaths) };
  };
}

/** Adds the files of one folder and returns the folders to visit next. */
async function visitFolder(
  walk: Walk,
  folder: Folder,
  unlistedFolders: string[],
  signal: AbortSignal,
): Promise<Folder[]> {
  const entries = await readFolder(walk, folder.path);
  if (entries === null) return [];
  if (folder.path !== '' && !walk.selection && entries.some((entry) => entry.name === '.git')) {
    walk.result.skipped.push({ path: folder.path, reason: 'nested repository' });
    return [];
  }
  // Only real files count: git does not follow links to ignore files either, and reading a pipe would never end.
  const names = new Set(entries.filter((entry) => entry.isFile()).map((entry) => entry.name));
  const gitRules =
    !walk.selection && names.has('.gitignore')
      ? await addRules(walk, folder.gitRules, folder.path, '.gitignore')
      : folder.gitRules;
  const selfwareRules = names.has('.selfwareignore')
    ? await addRules(walk, folder.selfwareRules, folder.path, '.selfwareignore')
    : folder.selfwareRules;
  const current: Folder = { path: folder.path, gitRules, selfwareRules: selfwareRules };
  const folders: Folder[] = [];
  const files: Dirent[] = [];
  for (const entry of entries) {
    if (NEVER_ENTERED.has(entry.name) || entry.name.startsWith(TEMPORARY_PREFIX)) continue;
    const path = childOf(folder.path, entry.name);
    if (!entry.isDirectory()) {
      if (isWantedFile(walk, current, path)) files.push(entry);
    } else if (walk.selection?.nestedFolders.has(walk.selection.createKey(path))) {
      if (!selfwareRules.ignoresFolder(path)) walk.result.skipped.push({ path, reason: 'nested repository' });
    } else if (isWantedFolder(walk, current, path, entry.name)) {
      folders.push({ path, gitRules, selfwareRules: selfwareRules });
    } else if (walk.selection && !selfwareRules.ignoresFolder(path)) {
      unlistedFolders.push(path);
    }
  }
  await mapInBatches(files, signal, (entry) => addFile(walk, childOf(folder.path, entry.name), entry));
  return folders;
}

function isWantedFile(walk: Walk, folder: Folder, path: string): boolean {
  if (walk.selection ? !walk.selection.files.has(walk.selection.createKey(path)) : folder.gitRules.ignoresFile(path))
    return false;
  return !folder.selfwareRules.ignoresFile(path);
}

function isWantedFolder(walk: Walk, folder: Folder, path: string, name: string): boolean {
  if (
    walk.selection
      ? !walk.selection.folders.has(walk.selection.createKey(path))
      : isOutputFolder(name) || folder.gitRules.ignoresFolder(path)
  )
    return false;
  return !folder.selfwareRules.ignoresFolder(path);
}

async function addFile(walk: Walk, path: string, entry: Dirent): Promise<void> {
  const absolutePath = join(walk.root, path);
  const reason = entry.isSymbolicLink() ? await explainSkippedLink(walk.root, absolutePath) : undefined;
  if (reason) walk.result.skipped.push({ path, reason });
  // A link inside the root leads to a file that is walked under its own name, or that is excluded on purpose.
  if (entry.isSymbolicLink()) return;
  const stats = await statOrNull(walk, absolutePath);
  if (stats === null) {
    // The file was deleted after the folder was read, or its name is not UTF-8, so that no path can name it.
    if (path.includes('\uFFFD')) walk.result.skipped.push({ path, reason: 'unreadable' });
  } else if (!stats.isFile() || !(await mayRead(absolutePath, stats)))
    walk.result.skipped.push({ path, reason: 'unreadable' });
  else if (stats.size > walk.maxBytes) walk.result.skipped.push({ path, reason: 'too large' });
  else
    walk.result.files.push({
      path,
      stat: { size: stats.size, mtimeMs: stats.mtimeMs, mode: stats.mode & 0o7777, kind: 'file' },
    });
}

/**
 * The reason to report a link as skipped: it leads out of the root, or cannot be resolved. Undefined if it stays
 * inside.
 */
async function explainSkippedLink(root: string, path: string): Promise<SkippedPath['reason'] | undefined> {
  try {
    return findPathInside(root, await realpath(path)) === null ? 'symlink out of the repository' : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return 'unreadable';
  }
}

/**
 * True if this process may read the file, or if it was just deleted. A file that everybody may read is not opened to
 * find out.
 */
async function mayRead(path: string, stats: Stats): Promise<boolean> {
  return (stats.mode & 0o004) !== 0 || canOpen(() => openAndClose(path));
}

async function canOpen(attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    // A file that was just deleted does not count as unreadable.
    return code === 'ENOENT';
  }
}

/** Reports folders that git cannot open and would not ignore. Git itself does not report them. */
async function reportUnreadable(
  walk: Walk,
  listing: GitListing,
  unlistedFolders: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const unreadableFolders: string[] = [];
  await mapInBatches(unlistedFolders, signal, async (path) => {
    if (!(await canOpen(async () => (await opendir(join(walk.root, path))).close()))) unreadableFolders.push(path);
  });
  const ignored = await listing.ignored(unreadableFolders, signal);
  for (const path of unreadableFolders)
    if (!ignored.has(path)) walk.result.skipped.push({ path, reason: 'unreadable' });
}

async function readFolder(walk: Walk, path: string): Promise<Dirent[] | null> {
  try {
    return await readdir(join(walk.root, path), { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') walk.result.skipped.push({ path, reason: 'unreadable' });
    return null;
  }
}

async function addRules(walk: Walk, rules: IgnoreRules, folder: string, name: string): Promise<IgnoreRules> {
  const path = childOf(folder, name);
  try {
    const bytes = await readBelow(walk.root, path);
    // The walk reports a link that leads outside when it reaches the link among the files.
    return bytes === null ? rules : rules.with(folder, Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    if (!(error instanceof SelfwareError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    walk.result.skipped.push({ path, reason: 'unreadable' });
    return rules;
  }
}

/**
 * Looks up a file: synchronously while calls are fast, which takes a fifth of the time, and in the background on a slow
 * disk.
 */
async function statOrNull(walk: Walk, path: string): Promise<Stats | null> {
  try {
    if (walk.isSlow) return await lstat(path);
    const startedAt = performance.now();
    const stats = lstatSync(path, { throwIfNoEntry: false }) ?? null;
    if (performance.now() - startedAt > SLOW_MS) walk.isSlow = true;
    return stats;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** All tracked files, and new files outside of the usual folders of build output. */
function selectFiles(listing: GitListing, isCaseInsensitive: boolean): Selection {
  // A file system that ignores case also stores names in another Unicode form than git writes them.
  const keyOf = (path: string): string => (isCaseInsensitive ? path.normalize('NFC').toLowerCase() : path);
  const files = new Set<string>();
  const folders = new Set<string>();
  const add = (path: string): void => {
    files.add(keyOf(path));
    addFoldersAbove(path);
  };
  const addFoldersAbove = (path: string): void => {
    for (
      let index = path.lastIndexOf('/');
      index > 0 && !folders.has(keyOf(path.slice(0, index)));
      index = path.lastIndexOf('/', index - 1)
    )
      folders.add(keyOf(path.slice(0, index)));
  };
  listing.tracked.forEach(add);
  for (const path of listing.untracked)
    if (
      !path
        .split('/')
        .slice(0, -1)
        .some((name) => isOutputFolder(name))
    )
      add(path);
  listing.nested.forEach(addFoldersAbove);
  return { files, folders, nestedFolders: new Set([...listing.nested].map(keyOf)), createKey: keyOf };
}

async function mapInBatches<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < items.length; start += PARALLEL_CALLS) {
    throwIfCancelled(signal);
    await Promise.all(items.slice(start, start + PARALLEL_CALLS).map(work));
  }
}

function childOf(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function comparePaths(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
