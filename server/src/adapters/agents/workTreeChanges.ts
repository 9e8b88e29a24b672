// Finds the changes of an agent in its work tree. The tree is not trusted: links are not followed, and its git is not
// used. `EXCLUDED_NAMES` and ignored files do not count. If anything else than text files has changed, no change is taken,
// and the reason names the paths.

import { createHash } from 'node:crypto';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfCancelled } from '../../util/typedError.ts';
import { readBelow } from '../files/safeRead.ts';
import type { FileEdit } from '../../core/model.ts';
import { decodeUtf8 } from '../../util/values/bytes.ts';

/** Maximum number of bytes of a file that can be an edit. */
export const MAX_FILE_BYTES = 1024 * 1024;
/** Maximum number of changed files in one change. */
const MAX_FILES = 100;
/** Maximum number of new paths, including ignored ones. */
const MAX_NEW_PATHS = 50_000;
/** Maximum depth of folders. A deeper folder counts as one that cannot be read. */
const MAX_DEPTH = 64;
/** Maximum number of files that are read at the same time. */
const PARALLEL_READS = 16;
/** Maximum number of paths in a sentence. */
const MAX_NAMED_PATHS = 5;
/** Names of entries that are never part of a change: the history, and installed packages. */
const EXCLUDED_NAMES = new Set(['.git', 'node_modules']);

/** The descriptions of entries that cannot be an edit, by kind. */
const KIND_TEXTS = { large: 'too large', link: 'a link', other: 'not a file' } as const;

/**
 * The entry at a path: a file with a hash of its bytes, or anything that cannot be an edit. `stamp`: a text that
 * changes when the entry does.
 */
type Entry =
  | { readonly kind: 'file'; readonly hash: string; readonly stamp: string }
  | { readonly kind: 'large' | 'other'; readonly stamp: string }
  | { readonly kind: 'link'; readonly stamp: string };

/**
 * The entries of a tree, by path with `/`. A folder has an entry only if it cannot be read; its path then ends with
 * `/`.
 */
export type TreeEntries = ReadonlyMap<string, Entry>;

/** Access to the user's tree, from which the agent started. */
export interface UserTree {
  /** Returns the paths among these that git ignores. */
  ignored(paths: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** The current bytes of a file; null if it does not exist. */
  read(path: string): Promise<Uint8Array | null>;
}

/** The changes of an agent, or the reason why none of them are taken. */
export interface AgentChanges {
  readonly edits: readonly FileEdit[];
  /** The reason for refusing the edits, as a sentence; null if they are accepted. */
  readonly refused: string | null;
}

/**
 * The entries below `dir` (absolute, without links). No process may run in the folder in the meantime. `before`: the
 * earlier entries. If it is set, reading stops after more than `MAX_NEW_PATHS` new paths. Throws `cancelled`.
 */
export async function readEntries(
  dir: string,
  signal: AbortSignal,
  before: TreeEntries | null = null,
): Promise<TreeEntries> {
  const entries = new Map<string, Entry>();
  const folders = [''];
  let newPathCount = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    throwIfCancelled(signal);
    const isTooDeep = folder.split('/').length > MAX_DEPTH;
    const names = isTooDeep ? null : await readdir(join(dir, folder), { withFileTypes: true }).catch(() => null);
    if (names === null) {
      entries.set(`${folder}/`, { kind: 'other', stamp: 'closed' });
      continue;
    }
    const files: string[] = [];
    for (const entry of names) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (EXCLUDED_NAMES.has(entry.name)) continue;
      if (entry.isDirectory()) folders.push(path);
      else files.push(path);
    }
    for (let index = 0; index < files.length; index += PARALLEL_READS)
      for (const [path, entry] of await Promise.all(
        files
          .slice(index, index + PARALLEL_READS)
          .map(async (path) => [path, await readEntry(dir, path, before?.get(path))] as const),
      )) {
        entries.set(path, entry);
        if (!before?.has(path)) newPathCount += 1;
      }
    // An agent may fill its tree with files, so reading stops at a limit.
    if (before !== null && newPathCount > MAX_NEW_PATHS) break;
  }
  return entries;
}

async function readEntry(folder: string, path: string, oldEntry: Entry | undefined): Promise<Entry> {
  const absolutePath = join(folder, path);
  const stats = await lstat(absolutePath, { bigint: true }).catch(() => null);
  if (stats === null) return { kind: 'other', stamp: 'unnamed' };
  if (stats.isSymbolicLink()) return { kind: 'link', stamp: await readlink(absolutePath).catch(() => '') };
  const stamp = `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
  if (!stats.isFile()) return { kind: 'other', stamp };
  if (stats.size > MAX_FILE_BYTES) return { kind: 'large', stamp };
  // No process in the sandbox can set the time of the last change (ctime), so the hash of the old entry is valid.
  if (oldEntry?.kind === 'file' && oldEntry.stamp === stamp) return oldEntry;
  const bytes = await readBelow(folder, path, MAX_FILE_BYTES).catch(() => null);
  return bytes === null ? { kind: 'other', stamp } : { kind: 'file', hash: computeHash(bytes), stamp };
}

/** The changes from `before`, the entries of `folder` at the start, to the current entries. Throws `cancelled`. */
export async function computeDifference(
  before: TreeEntries,
  folder: string,
  origin: UserTree,
  signal: AbortSignal,
): Promise<AgentChanges> {
  const after = await readEntries(folder, signal, before);
  const newPaths = [...after.keys()].filter((path) => !before.has(path));
  if (newPaths.length > MAX_NEW_PATHS) return createRefusal(`It made more than ${MAX_NEW_PATHS} files.`);
  const ignored = await origin.ignored(
    newPaths.filter((path) => !path.endsWith('/')),
    signal,
  );
  const changedPaths = [
    ...newPaths.filter((path) => !ignored.has(path)),
    ...[...before].filter(([path, entry]) => !isSameEntry(entry, after.get(path))).map(([path]) => path),
  ].sort();
  if (changedPaths.length > MAX_FILES)
    return createRefusal(`It changed ${changedPaths.length} files, and at most ${MAX_FILES} are one change.`);
  const edits: FileEdit[] = [];
  const obstacles: string[] = [];
  for (const path of changedPaths) {
    const edit = await createEdit(path, before.get(path), after.get(path), folder, origin);
    if (typeof edit === 'string') obstacles.push(`${path} ${edit}`);
    else edits.push(edit);
  }
  if (obstacles.length === 0) return { edits, refused: null };
  const remainingText = obstacles.length > MAX_NAMED_PATHS ? `, and ${obstacles.length - MAX_NAMED_PATHS} more` : '';
  return createRefusal(
    `Not everything that it changed can be taken: ${obstacles.slice(0, MAX_NAMED_PATHS).join('; ')}${remainingText}.`,
  );
}

/** The edit at a path, or the reason why it cannot be taken, as the end of a sentence. */
async function createEdit(
  path: string,
  oldEntry: Entry | undefined,
  newEntry: Entry | undefined,
  folder: string,
  origin: UserTree,
): Promise<FileEdit | string> {
  if (oldEntry && oldEntry.kind !== 'file') return `was ${KIND_TEXTS[oldEntry.kind]}`;
  if (newEntry && newEntry.kind !== 'file') return `is ${KIND_TEXTS[newEntry.kind]}`;
  const [oldBytes, newBytes] = await Promise.all([
    oldEntry ? origin.read(path).catch(() => null) : null,
    newEntry ? readBelow(folder, path, MAX_FILE_BYTES).catch(() => null) : null,
  ]);
  // The user's own file must still be the one from which the agent started.
  if (oldEntry && (oldBytes === null || computeHash(oldBytes) !== oldEntry.hash))
    return 'has been edited here meanwhile';
  if (newEntry && newBytes === null) return 'cannot be read';
  const [before, after] = [decodeTreeText(oldBytes), decodeTreeText(newBytes)];
  if (before === undefined || after === undefined) return 'is not text';
  return { path, before, after };
}

function isSameEntry(entry: Entry, otherEntry: Entry | undefined): boolean {
  if (otherEntry === undefined || entry.kind !== otherEntry.kind) return false;
  return entry.kind === 'file' && otherEntry.kind === 'file'
    ? entry.hash === otherEntry.hash
    : entry.stamp === otherEntry.stamp;
}

/** True for a path that is never part of a change, even if git does not ignore it. */
export function isExcluded(path: string): boolean {
  return path.split('/').some((segment) => EXCLUDED_NAMES.has(segment));
}

function createRefusal(refused: string): AgentChanges {
  return { edits: [], refused };
}

/** The hash of a file's bytes, in the form of `Entry`. */
export function computeHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}

/** The text of these bytes; undefined if they are not text in UTF-8, null if `bytes` is null. */
export function decodeTreeText(bytes: Uint8Array | null): string | null | undefined {
  if (bytes === null) return null;
  return bytes.includes(0) ? undefined : (decodeUtf8(bytes) ?? undefined);
}
