// Finds the later changes that depend on the lines of a change that is to be rolled back.

import { mergeTexts } from '../../apply/mergeTexts.ts';
import type { Checkpoint, Proposal } from '../../model.ts';
import type { SessionContext } from '../context.ts';
import { readCurrentText } from '../propose/rebaseProposal.ts';

/**
 * Later changes, newest first, that must be rolled back first: each change whose rollback alone would be enough, or, if
 * there is none, all changes to the same files. Empty if no later change is to these files, so that a person's own
 * edits prevent the rollback.
 */
export async function findDependentChanges(
  context: SessionContext,
  checkpoint: Checkpoint,
): Promise<readonly Checkpoint[]> {
  const allCheckpoints = await context.ledger.checkpoints();
  const laterCheckpoints = allCheckpoints
    .slice(allCheckpoints.findIndex(({ id }) => id === checkpoint.id) + 1)
    .filter(({ rolledBackAt }) => rolledBackAt === null);
  const paths = new Set(checkpoint.files.map(({ path }) => path));
  const sharingCheckpoints = laterCheckpoints
    .filter(({ files }) => files.some(({ path }) => paths.has(path)))
    .toReversed();
  const changedProposal = await findChange(context, checkpoint);
  const blocking: Checkpoint[] = [];
  for (const candidate of sharingCheckpoints)
    if (changedProposal && (await canRemoveAfter(context, changedProposal, await findChange(context, candidate))))
      blocking.push(candidate);
  return blocking.length > 0 ? blocking : sharingCheckpoints;
}

/** The proposal of a checkpoint; null if it has none. */
async function findChange({ ledger }: SessionContext, { proposal }: Checkpoint): Promise<Proposal | null> {
  return proposal === null ? null : ledger.proposal(proposal);
}

/**
 * True if every edit of `proposal` can be removed from its file after `dependent` was removed. False if there is no
 * `dependent`, or no edit.
 */
async function canRemoveAfter(
  { ports }: SessionContext,
  proposal: Proposal,
  dependent: Proposal | null,
): Promise<boolean> {
  if (!dependent || proposal.edits.length === 0) return false;
  for (const { path, before, after } of proposal.edits) {
    const current = await readCurrentText(ports, path, after);
    const dependentEdit = dependent.edits.find((edit) => edit.path === path);
    const textWithoutDependent = dependentEdit
      ? removeChange(current, dependentEdit.before, dependentEdit.after)
      : current;
    if (textWithoutDependent === undefined || removeChange(textWithoutDependent, before, after) === undefined)
      return false;
  }
  return true;
}

/**
 * Removes a change from the current text of a file. Null if the file does not exist without it, undefined if the change
 * cannot be removed from this text.
 */
function removeChange(current: string | null, before: string | null, after: string | null): string | null | undefined {
  if (current === after) return before;
  if (current === before) return current;
  if (current === null || before === null || after === null) return undefined;
  return mergeTexts(after, current, before) ?? undefined;
}
