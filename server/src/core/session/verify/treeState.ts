// Describes the state of the working tree at one time: HEAD, and every file that differs from it. Trees with equal keys
// are equal.

import { canonicalJson } from '../../../util/canonicalJson.ts';
import { sha256 } from '../../../util/hash.ts';
import type { FileEdit } from '../../model.ts';
import type { SessionContext } from '../context.ts';
import { decodeUtf8 } from '../../../util/values/bytes.ts';

/** An uncommitted file. */
export interface TreeFile {
  readonly path: string;
  /** Hash of the text, or `base64:` and the hash of the base64 form of the bytes; null for a deleted file. */
  readonly content: string | null;
}

/** The record in the store of texts, to which a receipt refers as its base. */
export interface TreeRecord {
  readonly head: string;
  /** The files that differ from HEAD, sorted by path. */
  readonly files: readonly TreeFile[];
}

/** The state of the tree: HEAD and all uncommitted work. */
export interface TreeState {
  /** Hash of `text`. */
  readonly key: string;
  /** A `TreeRecord` as canonical JSON. */
  readonly text: string;
  /** The texts of the record. The store keeps them under the hashes in the record. */
  readonly contents: readonly string[];
}

/** Marks the content of a file that is not text. */
export const BINARY_PREFIX = 'base64:';
/**
 * Maximum number of bytes of one untracked file. Larger files are skipped, because they are not copied into a sandbox
 * either.
 */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
/**
 * Maximum number of bytes of all files. More uncommitted work is not recorded, because that would cost more than it
 * proves.
 */
const MAX_BYTES = 64 * 1024 * 1024;
/** Maximum number of files with uncommitted work. If there are more, the state counts as unknown. */
const MAX_FILES = 2_000;

/**
 * The state of the tree. Null if there is no commit, if there is too much uncommitted work to record, or if a symbolic
 * link was changed, because its target is not known here.
 */
export async function readTreeState({ ports: { git, files } }: SessionContext): Promise<TreeState | null> {
  const repository = await git.state();
  if (!repository?.head) return null;
  const uncommittedChanges = await git.listUncommittedChanges();
  if (uncommittedChanges.length > MAX_FILES) return null;
  const treeFiles: TreeFile[] = [];
  const contents: string[] = [];
  let size = 0;
  for (const { path, kind } of uncommittedChanges) {
    const stat = await files.stat(path);
    if (kind === 'untracked' && (stat?.size ?? 0) > MAX_FILE_BYTES) continue;
    size += stat?.size ?? 0;
    if (size > MAX_BYTES) return null;
    const bytes = stat?.kind === 'file' ? await files.read(path) : null;
    if (bytes === null && kind !== 'untracked' && kind !== 'deleted' && (await isLink(files, path))) return null;
    const text = bytes && decodeUtf8(bytes);
    const content = bytes && (text ?? Buffer.from(bytes).toString('base64'));
    if (content !== null) contents.push(content);
    treeFiles.push({
      path,
      content: content === null ? null : `${text === null ? BINARY_PREFIX : ''}${sha256(content)}`,
    });
  }
  const record: TreeRecord = {
    head: repository.head,
    files: treeFiles.sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
  const text = canonicalJson(record);
  return { key: sha256(text), text, contents };
}

/** True for a symbolic link, or a path through one. */
async function isLink(files: SessionContext['ports']['files'], path: string): Promise<boolean> {
  const absolutePath = await files.resolve(path);
  return absolutePath === null || absolutePath.throughLink;
}

/** The text of a `TreeRecord` without some files. Two trees that are equal in all other files have equal texts. */
export function removeFiles(text: string, paths: readonly string[]): string {
  const { head, files } = JSON.parse(text) as TreeRecord;
  return canonicalJson({ head, files: files.filter(({ path }) => !paths.includes(path)) });
}

/**
 * Compares the tree before and after these edits were committed. True if both states describe the same files: every
 * file that still differs from HEAD is unchanged, and every file that no longer differs has the content that the edits
 * have committed.
 */
export function isSameAfterCommit(before: TreeState, after: TreeState, committed: readonly FileEdit[]): boolean {
  const readContents = ({ text }: TreeState) =>
    new Map((JSON.parse(text) as TreeRecord).files.map(({ path, content }) => [path, content]));
  const [contentsBefore, contentsAfter] = [readContents(before), readContents(after)];
  const isCommitted = (path: string, content: string | null) => {
    const edit = committed.findLast((candidate) => candidate.path === path);
    return edit !== undefined && (edit.after === null ? null : sha256(edit.after)) === content;
  };
  return (
    [...contentsAfter].every(([path, content]) => contentsBefore.has(path) && contentsBefore.get(path) === content) &&
    [...contentsBefore].every(([path, content]) => contentsAfter.has(path) || isCommitted(path, content))
  );
}
