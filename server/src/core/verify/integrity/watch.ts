// Watches what a command does to the judge files of its work tree: changes are detected by content and reverted.

import { createHash } from 'node:crypto';
import { SelfwareError } from '../../../util/typedError.ts';
import type { FileEdit } from '../../model.ts';
import { isWrittenByRuns } from '../../paths/others.ts';
import { isNamedTest, isSnapshot } from '../../paths/tests.ts';
import type { Worktree } from '../../ports/sandbox.ts';

/** A file that a command changed. Hashes; null = no file. */
export interface Touched {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface Watch {
  /** To be called before the first command. */
  look(): Promise<void>;
  /** Returns what has changed since, after reverting it. */
  restore(): Promise<readonly Touched[]>;
}

interface Seen {
  readonly hash: string;
  /** Null if the file is not text or is too large to keep: then it cannot be reverted. */
  readonly text: string | null;
}

/** A new file counts only if runners and tools search for its name, because tests leave data behind. */
const LOOKED_FOR =
  /(^|\/)(package\.json|[jt]sconfig[^/]*\.json|[^/]*\.config\.[cm]?[jt]s|\.[^/]*rc(\.[a-z]+)?|[^/]*\.ini|\.npmrc)$/i;
const KEPT_CHARACTERS = 2_000_000;
const AT_ONCE = 64;

/** `edited`: files of the proposal, which must stay as it made them, whether or not they are judge files. */
export function createWatch(worktree: Worktree, isJudge: (path: string) => boolean, edited: readonly string[]): Watch {
  const ours = new Set(edited);
  let before: ReadonlyMap<string, Seen> | null = null;
  return {
    async look() {
      before ??= await see();
    },
    async restore() {
      const was = before ?? new Map<string, Seen>();
      const is = await see();
      const touched = [...new Set([...was.keys(), ...is.keys()])]
        .map((path) => ({ path, before: was.get(path)?.hash ?? null, after: is.get(path)?.hash ?? null }))
        .filter((one) => one.before !== one.after && (one.before !== null || counts(one.path)));
      if (touched.length === 0) return [];
      const lasting = new Map(was);
      for (const { path } of touched) {
        const old = was.get(path);
        if (old?.text !== null && (await putBack({ path, before: null, after: old?.text ?? null }))) continue;
        const now = is.get(path);
        if (now) lasting.set(path, now);
        else lasting.delete(path);
      }
      before = lasting;
      return touched;
    },
  };

  /** False if it cannot be reverted, for instance if a link replaced a file. */
  async function putBack(edit: FileEdit): Promise<boolean> {
    try {
      await worktree.write([edit]);
      return true;
    } catch (error) {
      if (error instanceof SelfwareError && error.reason === 'forbidden') return false;
      throw error;
    }
  }

  async function see(): Promise<ReadonlyMap<string, Seen>> {
    const paths = (await worktree.list()).filter((path) => ours.has(path) || isJudge(path));
    const seen = new Map<string, Seen>();
    for (let at = 0; at < paths.length; at += AT_ONCE) {
      const slice = paths.slice(at, at + AT_ONCE);
      const found = await Promise.all(slice.map((path) => worktree.read(path)));
      for (const [index, bytes] of found.entries()) if (bytes) seen.set(slice[index]!, seenAs(bytes));
    }
    return seen;
  }

  function counts(path: string): boolean {
    return (
      ours.has(path) || ((isNamedTest(path) || isSnapshot(path) || LOOKED_FOR.test(path)) && !isWrittenByRuns(path))
    );
  }
}

function seenAs(bytes: Uint8Array): Seen {
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (bytes.byteLength > KEPT_CHARACTERS) return { hash, text: null };
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { hash, text: text.includes('\uFFFD') ? null : text };
}
