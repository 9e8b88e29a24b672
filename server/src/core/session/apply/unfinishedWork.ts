// Finds files with a person's unfinished work: uncommitted changes, except for Selfware's own.

import { sha256 } from '../../../util/hash.ts';
import { listCheckpoints } from './applyAndRollBack.ts';
import type { SessionContext } from '../context.ts';

/**
 * The reason why an unrequested change must not touch a file; null if it may. `isRequested`: true if a person named
 * this place. That person sees the diff against the file on disk, so uncommitted changes are no obstacle, but merge
 * conflicts are.
 */
export type ExplainUnfinishedWork = (path: string, isRequested: boolean) => Promise<string | null>;

/** Creates the function. It reads the state of git and the checkpoints once, so the answers are about that state. */
export async function createUnfinishedWorkTest(context: SessionContext): Promise<ExplainUnfinishedWork> {
  const { git, files } = context.ports;
  const kindByDirtyPath = new Map((await git.listUncommittedChanges()).map(({ path, kind }) => [path, kind]));
  const writtenTexts = new Map<string, string | null>();
  // Checkpoints are sorted oldest first, so the last one takes precedence: it contains the latest text that a change
  // has left. A change that was rolled back has left no text.
  if (kindByDirtyPath.size > 0)
    for (const { files: changed, rolledBackAt } of await listCheckpoints(context))
      for (const { path, after } of changed) if (rolledBackAt === null) writtenTexts.set(path, after);

  return async (path, isRequested) => {
    const kind = kindByDirtyPath.get(path);
    if (kind === 'conflicted') return 'The file has merge conflicts.';
    if (!kind || isRequested || (await isOurs(path))) return null;
    return 'The file has uncommitted changes.';
  };

  /**
   * True if the file is as Selfware's last change left it. Such a file may contain older uncommitted work, which a
   * person knew about.
   */
  async function isOurs(path: string): Promise<boolean> {
    const after = writtenTexts.get(path);
    const bytes = after ? await files.read(path) : null;
    return bytes !== null && sha256(bytes) === after;
  }
}
