// Gives the tools of one agent access to its work: to the files of its copy, to the texts from which it started, and to
// the change that it proposes.

import type { AgentWork } from '../../../core/ports/agentTools.ts';
import type { FileEdit } from '../../../core/model.ts';
import { readBelow } from '../../files/safeRead.ts';
import {
  computeHash,
  isExcluded,
  MAX_FILE_BYTES,
  decodeTreeText,
  type AgentChanges,
  type UserTree,
  type TreeEntries,
} from '../workTreeChanges.ts';

/** The work of one agent, with the change that it has proposed. */
export interface TrackedWork extends AgentWork {
  /**
   * The last change that was proposed. If a file was edited by the user meanwhile, it has no edits and `refused` is the
   * reason. Null if none was proposed.
   */
  readProposedChange(): Promise<(AgentChanges & { readonly description: string }) | null>;
}

/**
 * Creates the work of an agent in `folder` (absolute, without links), which had the entries `entriesBefore` at the start.
 * `origin`: the user's tree.
 */
export function createAgentWork(
  entriesBefore: TreeEntries,
  folder: string,
  origin: UserTree,
  signal: AbortSignal,
): TrackedWork {
  let proposal: { readonly description: string; readonly edits: readonly FileEdit[] } | null = null;
  return {
    read: async (path) => decodeTreeText(await readBelow(folder, path, MAX_FILE_BYTES).catch(() => null)) ?? null,
    readOriginal,
    async propose(description, edits) {
      const obstacle = (await Promise.all(edits.map(explainObstacle))).find((reason) => reason !== null);
      if (obstacle !== undefined) return obstacle;
      proposal = { description, edits };
      return null;
    },
    async readProposedChange() {
      if (proposal === null) return null;
      const { description, edits } = proposal;
      for (const { path, before: text } of edits)
        if ((await (text === null ? origin.read(path).catch(() => null) : readOriginal(path))) !== text)
          return { description, edits: [], refused: `${path} has been edited here meanwhile.` };
      return { description, edits, refused: null };
    },
  };

  /**
   * The text of a file in the user's tree; null if the agent has not received the file, or if it has changed since.
   * Other files are not read, because an edit could otherwise reveal their content.
   */
  async function readOriginal(path: string): Promise<string | null> {
    const entry = entriesBefore.get(path);
    if (entry?.kind !== 'file') return null;
    const bytes = await origin.read(path).catch(() => null);
    return bytes === null || computeHash(bytes) !== entry.hash ? null : (decodeTreeText(bytes) ?? null);
  }

  /** The reason why an edit cannot be taken, as a sentence; null if there is none. */
  async function explainObstacle({ path, before: text, after }: FileEdit): Promise<string | null> {
    if (after !== null && Buffer.byteLength(after) > MAX_FILE_BYTES) return `${path} would be too large.`;
    if (text !== null) return null;
    if (entriesBefore.has(path)) return `${path} is not a text file, or has been edited by the user meanwhile.`;
    if (isExcluded(path) || (await origin.ignored([path], signal)).has(path)) return `${path} is ignored by git.`;
    return (await origin.read(path).catch(() => null)) === null ? null : `${path} has been made by the user meanwhile.`;
  }
}
