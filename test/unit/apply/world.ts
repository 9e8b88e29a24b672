// A tree, a journal, a git and a charter in memory, and ways to make them fail.

import type { ApplyContext } from '../../../server/src/core/apply/apply.ts';
import { createCharter } from '../../../server/src/core/charter/charter.ts';
import type { FileEdit } from '../../../server/src/core/model.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createMemoryClock, createMemoryIds } from '../../helpers/memoryClock.ts';
import { createMemoryFiles } from '../../helpers/memoryFiles.ts';
import { createMemoryGit } from '../../helpers/memoryGit.ts';
import { createMemoryDocuments, createMemoryJournal, createMemoryLock } from '../../helpers/memoryState.ts';
import type { FileWrite, TreeWriter } from '../../../server/src/core/ports/files.ts';
import type { Git } from '../../../server/src/core/ports/git.ts';

export const start: Readonly<Record<string, string>> = { 'a.txt': 'a1\r\n', 'b.txt': 'b1\n', 'keep.txt': 'k\n' };
export const end: Readonly<Record<string, string>> = { 'a.txt': 'a2\r\n', 'keep.txt': 'k\n', 'new/c.txt': 'c2\n' };
/** From `start` to `end`: modify, delete, create. */
export const edits: readonly FileEdit[] = [
  { path: 'a.txt', before: 'a1\r\n', after: 'a2\r\n' },
  { path: 'b.txt', before: 'b1\n', after: null },
  { path: 'new/c.txt', before: null, after: 'c2\n' },
];
export const proposal = { id: 'p-1', title: 'Change', edits };
export const { signal } = new AbortController();

export function createWorld(
  files: Readonly<Record<string, string | Uint8Array>> = start,
  options: { readonly git?: Parameters<typeof createMemoryGit>[0] } = {},
) {
  const tree = createMemoryFiles(files);
  const git = createMemoryGit(options.git);
  const journal = createMemoryJournal();
  const documents = createMemoryDocuments();
  const held = new Set<string>();
  const clock = createMemoryClock();
  /** Called before each file is written; may throw. */
  let beforeEach: (write: FileWrite) => void = () => undefined;
  const writer: TreeWriter = {
    async write(writes, label) {
      for (const write of writes) {
        beforeEach(write);
        await tree.writer.write([write], label);
      }
    },
  };
  const ctx: ApplyContext = {
    clock,
    ids: createMemoryIds(),
    files: tree,
    writer,
    journal,
    git,
    lock: createMemoryLock(held),
    documents,
    log: { write: () => undefined },
    charter: createCharter({ files: tree, protectedPaths: [], approval: 'strict', maxChanges: 10 }),
  };
  return {
    ctx,
    tree,
    git,
    journal,
    documents,
    held,
    clock,
    /** The context of the next process: nothing held, nothing failing. */
    restarted(): ApplyContext {
      beforeEach = () => undefined;
      held.clear();
      return ctx;
    },
    onWrite(next: typeof beforeEach) {
      beforeEach = next;
    },
    /** The disk is full from the write of this path on. */
    failAt(path: string, until: () => boolean = () => false) {
      let failing = false;
      beforeEach = (write) => {
        failing ||= write.path === path;
        if (failing && !until()) throw new SelfwareError('diskFull', 'The disk is full.');
      };
    },
    async openEntries() {
      return (await journal.openEntries()).entries.length;
    },
  };
}

export function failingGit(git: Git, call: keyof Git): Git {
  return { ...git, [call]: () => Promise.reject(new SelfwareError('writeFailed', 'git failed.')) };
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
