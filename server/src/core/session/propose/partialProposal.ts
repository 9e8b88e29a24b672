// Creates a separate proposal from some hunks of another proposal, or from texts that a person has corrected, and
// verifies it.

import { SelfwareError } from '../../../util/typedError.ts';
import { mergeTexts } from '../../apply/mergeTexts.ts';
import { isSettled } from '../../ledger/proposalLife.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import { authorOf } from '../../model/authors.ts';
import { requireWholeGroups } from '../../propose/hunkGroups.ts';
import { selectHunks } from '../../propose/hunks.ts';
import type { ApplyRequest } from '../../session.ts';
import type { SessionContext } from '../context.ts';
import { recordProposal } from './recordProposal.ts';
import { createOutdatedError, rebaseEdits } from './rebaseProposal.ts';
import { verifyReplacement } from '../verify/verifying.ts';

/**
 * Returns the proposal itself if all of it was chosen and nothing was corrected. Otherwise returns a new, verified
 * proposal: a corrected proposal replaces the whole one. If only some hunks are chosen, it is a part, and the whole
 * proposal waits until the part is applied (`remainingPart.ts`). Throws `usage` if nothing is chosen or changed,
 * `illegalStep` if the proposal is settled, `stale` if it no longer fits its files, and `forbidden` if the new proposal
 * does not pass its gates.
 */
export async function proposeChosenHunks(
  context: SessionContext,
  proposal: Proposal,
  request: ApplyRequest,
): Promise<Proposal> {
  const { hunks, texts = [] } = request;
  if (!hunks && texts.length === 0) return proposal;
  if (isSettled(proposal.status))
    throw new SelfwareError('illegalStep', `The proposal is ${proposal.status}; nothing of it can be applied.`, {
      action: 'Run Improve again.',
    });
  if (hunks) requireWholeGroups(proposal.edits, hunks);
  const chosenEdits = hunks ? selectHunks(proposal.edits, hunks) : proposal.edits;
  if (chosenEdits.length === 0 && texts.length === 0) throw new SelfwareError('usage', 'No hunk was chosen.');
  const correctedEdits = correctEdits(proposal.edits, chosenEdits, texts);
  if (JSON.stringify(correctedEdits) === JSON.stringify(proposal.edits)) return proposal;
  if (correctedEdits.length === 0)
    throw new SelfwareError('usage', 'The edits no longer change anything.', { action: 'Reject the proposal.' });
  const isCorrected = JSON.stringify(correctedEdits) !== JSON.stringify(chosenEdits);
  const edits = await moveToCurrentTexts(context, correctedEdits);
  const title = `${proposal.title} (${isCorrected ? 'corrected by hand' : 'in part'})`;
  const isPart = JSON.stringify(chosenEdits) !== JSON.stringify(proposal.edits);
  const inheritedFacts = {
    replaces: proposal.id,
    author: authorOf(proposal),
    ...(isPart ? { partOf: proposal.id } : {}),
    ...(isCorrected || proposal.isCorrected ? { isCorrected: true as const } : {}),
    ...(proposal.claimed ? { claimed: proposal.claimed } : {}),
    ...(proposal.addresses ? { addresses: proposal.addresses } : {}),
    ...(proposal.nearby ? { nearby: true as const } : {}),
  };
  const replacement = await recordProposal(
    context,
    { ...proposal.opportunity, recipe: proposal.recipe },
    { edits, title, rationale: proposal.rationale },
    proposal.base,
    request.signal,
    inheritedFacts,
  );
  const verifiedReplacement = await verifyReplacement(context, replacement.id, request);
  if (verifiedReplacement.status !== 'verified') {
    throw new SelfwareError(
      'forbidden',
      `${isCorrected ? 'With your edits the proposal does not pass' : 'The chosen hunks alone do not pass'}: ${verifiedReplacement.reason ?? 'refused'}`,
      {
        action: isCorrected
          ? 'Your edits are kept in the review: change them, or discard them.'
          : 'Choose other hunks or the whole proposal.',
      },
    );
  }
  if (isPart) return verifiedReplacement;
  const reason = `Corrected by a person: ${replacement.id} takes its place.`;
  await context.ledger.record({
    type: 'rejected',
    data: { proposal: proposal.id, by: 'person', reason, replacedBy: replacement.id, correction: true },
  });
  return verifiedReplacement;
}

/**
 * Applies the texts that the person has corrected to the chosen edits. `edits`: all edits of the proposal.
 * `chosenEdits`: all of them, or the chosen hunks. Throws `usage` for a file that is not part of the proposal, and if a
 * hunk was edited that is not chosen.
 */
function correctEdits(
  edits: readonly FileEdit[],
  chosenEdits: readonly FileEdit[],
  texts: NonNullable<ApplyRequest['texts']>,
): readonly FileEdit[] {
  const correctedTexts = new Map(texts.map(({ path, after }) => [path, after]));
  for (const path of correctedTexts.keys()) {
    if (!edits.some((edit) => edit.path === path && edit.after !== null))
      throw new SelfwareError('usage', `${path} is not a file of the proposal that can be edited.`);
  }
  return edits.flatMap((edit) => {
    const chosenEdit = chosenEdits.find(({ path }) => path === edit.path);
    const text = correctedTexts.get(edit.path);
    if (text === undefined) return chosenEdit ? [chosenEdit] : [];
    const after =
      chosenEdit?.after === edit.after
        ? text
        : mergeTexts(edit.after ?? '', text, chosenEdit ? (chosenEdit.after ?? '') : (edit.before ?? ''));
    if (after === null)
      throw new SelfwareError('usage', `${edit.path}: you have edited a skipped hunk.`, {
        action: 'Include the hunk, or discard your edits of it.',
      });
    return after === edit.before ? [] : [{ ...edit, after }];
  });
}

/**
 * Moves the edits to the current texts, which may have changed during the minutes of a verification. Throws `stale` if
 * the edits no longer fit.
 */
async function moveToCurrentTexts(context: SessionContext, edits: readonly FileEdit[]): Promise<readonly FileEdit[]> {
  const rebased = await rebaseEdits(context, edits);
  if (rebased === 'fits') return edits;
  if (Array.isArray(rebased)) return rebased;
  throw createOutdatedError(rebased);
}
