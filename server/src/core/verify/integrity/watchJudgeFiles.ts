// Watches what a command does to the judge files of its work tree. Changes are detected by content and reverted.

import { SelfwareError } from '../../../util/typedError.ts';
import type { FileEdit } from '../../model.ts';
import { findCoverageFolder, isRunRecord, isWrittenByRuns } from '../../paths/nonSourcePaths.ts';
import { isNamedTest, isSnapshot } from '../../paths/tests.ts';
import type { Worktree } from '../../ports/sandbox.ts';
import { sha256 } from '../../../util/hash.ts';

/**
 * A judge file that a command changed. `before` and `after`: hashes of its content; null if the file does not exist.
 */
export interface TouchedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Detects and reverts changes of judge files by commands in one work tree. */
export interface JudgeFileWatch {
  /** Records the current state of the files. Call this before the first command; later calls do nothing. */
  look(): Promise<void>;
  /** Reverts all changes since `look`, and returns them. A change that cannot be reverted is expected from then on. */
  restore(): Promise<readonly TouchedFile[]>;
}

/** The state of a file when it was read. */
interface FileState {
  readonly hash: string;
  /** The text, for reverting the file; null if the file is not text or is too large to keep. */
  readonly text: string | null;
}

/**
 * Matches configuration files. A new judge file counts only if runners and tools search for its name (configuration
 * files, tests, snapshots), because tests leave data behind.
 */
const SEARCHED_NAME_PATTERN =
  /(^|\/)(package\.json|[jt]sconfig[^/]*\.json|[^/]*\.config\.[cm]?[jt]s|\.[^/]*rc(\.[a-z]+)?|[^/]*\.ini|\.npmrc)$/i;
/** Maximum number of bytes of a file whose text is stored for reverting. */
const MAX_STORED_BYTES = 2_000_000;
/** Maximum number of files that are read at the same time. */
const MAX_PARALLEL_READS = 64;

/**
 * Creates a watch for one work tree. `pathsOfEdits`: files of the proposal, which must stay as the proposal made them,
 * whether or not they are judge files.
 */
export function createWatch(
  worktree: Worktree,
  isJudge: (path: string) => boolean,
  pathsOfEdits: readonly string[],
): JudgeFileWatch {
  const editedPaths = new Set(pathsOfEdits);
  let before: ReadonlyMap<string, FileState> | null = null;
  return {
    async look() {
      before ??= await readFiles();
    },
    async restore() {
      const filesBefore = before ?? new Map<string, FileState>();
      const filesAfter = await readFiles();
      const changes = [...new Set([...filesBefore.keys(), ...filesAfter.keys()])]
        .map((path) => ({
          path,
          before: filesBefore.get(path)?.hash ?? null,
          after: filesAfter.get(path)?.hash ?? null,
        }))
        .filter((change) => change.before !== change.after && (change.before !== null || countsIfNew(change.path)));
      if (changes.length === 0) return [];
      const expected = new Map(filesBefore);
      for (const { path } of changes) {
        const old = filesBefore.get(path);
        if (old?.text !== null && (await restoreFile({ path, before: null, after: old?.text ?? null }))) continue;
        const now = filesAfter.get(path);
        if (now) expected.set(path, now);
        else expected.delete(path);
      }
      before = expected;
      return changes;
    },
  };

  /** Writes the old text back. False if that is impossible, for example because a link replaced the file. */
  async function restoreFile(edit: FileEdit): Promise<boolean> {
    try {
      await worktree.write([edit]);
      return true;
    } catch (error) {
      if (error instanceof SelfwareError && error.reason === 'forbidden') return false;
      throw error;
    }
  }

  async function readFiles(): Promise<ReadonlyMap<string, FileState>> {
    const paths = (await worktree.list()).filter((path) => editedPaths.has(path) || (isJudge(path) && !isReport(path)));
    const states = new Map<string, FileState>();
    for (let offset = 0; offset < paths.length; offset += MAX_PARALLEL_READS) {
      const slice = paths.slice(offset, offset + MAX_PARALLEL_READS);
      const contents = await Promise.all(slice.map((path) => worktree.read(path)));
      for (const [index, bytes] of contents.entries()) if (bytes) states.set(slice[index]!, createState(bytes));
    }
    return states;
  }

  /**
   * True for a record of the test runner, and for a file of a coverage report. A report among tests and their data does
   * not count, because the tests read it.
   */
  function isReport(path: string): boolean {
    if (isRunRecord(path)) return true;
    const coverageFolder = findCoverageFolder(path);
    return coverageFolder !== null && !isJudge(`${coverageFolder}/page.ts`.replace(/^\//, ''));
  }

  /** True if a new file at this path counts as a change: tools may find it, and runs do not write such a file. */
  function countsIfNew(path: string): boolean {
    return (
      editedPaths.has(path) ||
      ((isNamedTest(path) || isSnapshot(path) || SEARCHED_NAME_PATTERN.test(path)) && !isWrittenByRuns(path))
    );
  }
}

function createState(bytes: Uint8Array): FileState {
  const hash = sha256(bytes);
  if (bytes.byteLength > MAX_STORED_BYTES) return { hash, text: null };
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { hash, text: text.includes('\uFFFD') ? null : text };
}
