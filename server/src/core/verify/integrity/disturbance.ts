// Decides whether a passed command proves anything, by comparing its changes of judge files with those of a run without
// the change.

import type { FileEdit } from '../../model.ts';
import { isSnapshot } from '../../paths/tests.ts';
import type { TouchedFile } from './watchJudgeFiles.ts';

/** A change of judge files by a command, as a part of a verdict. */
export interface Disturbance {
  readonly outcome: 'failed' | 'unknown';
  readonly reason: string;
}

/**
 * The disturbance. Null if the run did not change the judge files, or makes the same changes without the proposal,
 * because some tests rewrite their data. If `base` is null, that run was not measured, and counts as one that changed
 * nothing.
 */
export function findDisturbance(
  line: string,
  candidate: readonly TouchedFile[],
  base: readonly TouchedFile[] | null,
  edits: readonly FileEdit[],
): Disturbance | null {
  const editedPaths = new Set(edits.map(({ path }) => path));
  const rewrittenFile = candidate.find(({ path }) => editedPaths.has(path));
  if (rewrittenFile)
    return {
      outcome: 'unknown',
      reason: `\`${line}\` rewrites ${rewrittenFile.path}, which the proposal edits: what was checked is not what would be applied.`,
    };
  const baseChanges = new Map(base?.map((change) => [change.path, change.after]));
  const newChanges = candidate.filter(({ path }) => !baseChanges.has(path));
  if (newChanges.length > 0)
    return {
      outcome: 'failed',
      reason:
        `With the change, \`${line}\` ${describeTouch(newChanges[0]!)} while it ` +
        `runs${newChanges.length > 1 ? `, and ${newChanges.length - 1} more` : ''}: what judges the change was changed by it.`,
    };
  const differentChanges = candidate.filter(({ path, after }) => baseChanges.get(path) !== after);
  const snapshot = differentChanges.find(({ path }) => isSnapshot(path));
  if (snapshot)
    return {
      outcome: 'failed',
      reason: `\`${line}\` rewrites its snapshots instead of comparing them, and writes a different ${snapshot.path} with the change.`,
    };
  if (differentChanges.length > 0)
    return {
      outcome: 'unknown',
      reason: `\`${line}\` rewrites ${differentChanges[0]!.path} while it runs, and writes something different with the change.`,
    };
  return null;
}

function describeTouch({ path, before, after }: TouchedFile): string {
  if (after === null) return `removes ${path}`;
  return before === null ? `creates ${path}` : `rewrites ${path}`;
}
