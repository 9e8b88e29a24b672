// Commands for a proposal in review: open it, apply it, reject it, skip hunks, discard the person's edits, go to the
// next or previous proposal.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { showBriefly, showMessage, showFailure } from '../messages.ts';
import { runOnce } from '../runOnce.ts';
import { withProgress } from '../server/withProgress.ts';
import { findActiveProposalId, closeReview, hasOpenReview, openReview } from './openReview.ts';
import { findEditedTexts, saveEditedDocuments } from './typedText.ts';
import { askRejectReason, type RejectReason } from './rejectReason.ts';
import { canStandAlone, isDecidable, summariseVerdicts } from './reviewText.ts';
import { showApplied } from './showApplied.ts';
import { offerToSave, findUnsavedFiles } from './unsavedFiles.ts';
import { formatCount } from '../counted.ts';

/** Opens the diff of the proposal with the server's current texts, and shows a summary. */
export async function reviewProposal({ server, reviews }: ClientContext, proposal: string): Promise<void> {
  const review = await server.review(proposal);
  reviews.put(review);
  await openReview(review);
  showBriefly(
    `${review.title}: ${formatCount(review.files.length, 'file')}, ${summariseVerdicts(review)}. F7 goes through the changes, Alt+F7 shows the evidence.`,
  );
}

/**
 * Applies the given hunks, or all that were not skipped, with the person's edits. Then closes the review and offers a
 * rollback. If hunks remain, opens the review of these; otherwise opens the changed file if the review was open.
 * Undefined if the command was not run: no proposal is active, the person cancelled, there are unsaved files, or every
 * hunk is skipped.
 */
export async function applyProposal(
  context: ClientContext,
  proposalId: string | undefined,
  hunks?: readonly number[],
): Promise<CommandOutcome | undefined> {
  const proposal = await findActiveProposal(context, proposalId);
  if (!proposal) return undefined;
  const review = await context.reviews.get(proposal);
  const hunksToApply = hunks ?? context.reviews.chosenHunks(review);
  if (hunksToApply?.length === 0) {
    // The answer is not awaited, because a message may stay open for hours.
    const rejectLabel = 'Reject';
    void showMessage('Every hunk is skipped, so there is nothing to apply.', rejectLabel).then((choice) => {
      if (choice) void vscode.commands.executeCommand('selfware.reject', { proposal });
    });
    return undefined;
  }
  const unsavedDocuments = findUnsavedFiles(review);
  if (unsavedDocuments.length > 0) return offerToSave(review, unsavedDocuments, hunks);
  await saveEditedDocuments(review);
  const texts = findEditedTexts(review, context.drafts);
  const wasUnderReview = hasOpenReview(review);
  const params = { proposal, ...(hunksToApply ? { hunks: hunksToApply } : {}), ...(texts.length > 0 ? { texts } : {}) };
  const outcome = await runOnce(`apply ${proposal}`, () => withProgress(context, 'Applying', 'apply', params));
  if (!outcome) return undefined;
  await context.feed.refresh();
  if (!outcome.ok) {
    await context.reviews.refresh(proposal);
    // If the change was rolled back or is in conflict, the server reports that in a separate notification.
    if (outcome.review?.status !== 'rolledBack' && outcome.review?.status !== 'conflicted')
      showFailure(outcome, context.output);
    return outcome;
  }
  await closeAndForget(context, proposal);
  if (outcome.rest) {
    // After some of the hunks were applied, the person continues with the remaining ones.
    context.reviews.put(outcome.rest);
    await openReview(outcome.rest);
  } else if (wasUnderReview && outcome.review) await showApplied(outcome.review);
  // The checkpoint of this change, because the newest one in the sidebar may belong to another folder.
  void offerRollback(outcome.message, outcome.review?.checkpoint ?? undefined);
  return outcome;
}

/**
 * Rejects the proposal. Asks for a reason unless one is given; after Escape, the proposal keeps waiting. Undefined if
 * nothing was decided.
 */
export async function rejectProposal(
  context: ClientContext,
  proposalId: string | undefined,
  presetReason: RejectReason = {},
): Promise<CommandOutcome | undefined> {
  const proposal = await findActiveProposal(context, proposalId);
  if (!proposal) return undefined;
  const review = await context.reviews.get(proposal);
  const answer = presetReason.reason === undefined ? await askRejectReason(review.title) : presetReason;
  if (answer === undefined) return undefined;
  const outcome = await context.server.execute('reject', { proposal, ...answer });
  await context.feed.refresh();
  if (!outcome.ok) {
    showFailure(outcome, context.output);
    return outcome;
  }
  await saveEditedDocuments(review);
  await closeAndForget(context, proposal);
  void showMessage(outcome.message);
  return outcome;
}

/** Restores the proposed text. Asks first, because the person's edits exist nowhere else. */
export async function discardEdits(context: ClientContext, proposalId: string | undefined): Promise<void> {
  const proposal = await findActiveProposal(context, proposalId);
  if (!proposal) return;
  const review = await context.reviews.get(proposal);
  const discardLabel = 'Discard';
  if (
    (await vscode.window.showWarningMessage(
      'Discard what you changed in this proposal?',
      { modal: true },
      discardLabel,
    )) !== discardLabel
  )
    return;
  await saveEditedDocuments(review);
  await context.drafts.forget(proposal);
  context.reviews.put(review);
}

/** Runs the action on the proposal if these hunks can be applied without the others; otherwise explains why not. */
export async function runIfSeparable(
  context: ClientContext,
  proposalId: string | undefined,
  hunks: readonly number[],
  run: (proposal: string) => unknown,
): Promise<unknown> {
  const proposal = await findActiveProposal(context, proposalId);
  if (!proposal) return undefined;
  const { files } = await context.reviews.get(proposal);
  return canStandAlone(files, hunks)
    ? run(proposal)
    : showMessage('This belongs together with other parts of the proposal: apply all of it, or reject it.');
}

/** Skips the hunks, so that applying leaves them out; includes them again if they were skipped. */
export async function skipHunks(
  context: ClientContext,
  proposalId: string | undefined,
  hunks: readonly number[],
): Promise<void> {
  const proposal = await findActiveProposal(context, proposalId);
  const [firstHunk] = hunks;
  if (!proposal || firstHunk === undefined) return;
  await context.reviews.toggleSkipped(proposal, hunks);
  const { files } = await context.reviews.get(proposal);
  const total = files.reduce((sum, file) => sum + file.hunks.length, 0);
  const skippedHunks = context.reviews.skipped(proposal);
  const path = files.find((file) => file.hunks.some(({ index }) => index === firstHunk))?.path ?? '';
  const subject =
    hunks.length === 1 ? `Hunk ${firstHunk + 1} of ${total} is` : `The ${hunks.length} hunks of ${path} are`;
  showBriefly(
    `${subject} ${skippedHunks.has(firstHunk) ? 'skipped' : 'included'}; ${total - skippedHunks.size} would be applied.`,
  );
}

/** Opens the pending proposal after the active one or, with -1, before it; wraps around at the ends of the list. */
export async function openNextProposal(context: ClientContext, step: 1 | -1 = 1): Promise<void> {
  const pendingProposals = (await context.feed.refresh()).pending.filter(isDecidable);
  const activeId = await findActiveProposalId(async () => pendingProposals);
  const activeIndex = pendingProposals.findIndex(({ id }) => id === activeId);
  const next = pendingProposals.at(
    (activeIndex < 0 && step < 0 ? 0 : activeIndex + step) % Math.max(1, pendingProposals.length),
  );
  if (!next || next.id === activeId) void showMessage('No other proposal waits for a decision.');
  else await reviewProposal(context, next.id);
}

/**
 * The id from the argument, otherwise the id of the proposal in the active review. If there is neither, tells the user
 * and returns null.
 */
export async function findActiveProposal({ feed }: ClientContext, proposalId?: string): Promise<string | null> {
  if (proposalId !== undefined) return proposalId;
  const proposal = await findActiveProposalId(async () => (feed.current ?? (await feed.refresh())).pending);
  if (!proposal) void showMessage('Open the review of a proposal first ("Selfware: Review Proposal…").');
  return proposal;
}

async function closeAndForget({ reviews, drafts }: ClientContext, proposal: string): Promise<void> {
  await closeReview(proposal, reviews);
  await drafts.forget(proposal);
  await reviews.forget(proposal);
}

/** Shows the message, with a button that rolls back to the checkpoint if there is one. */
async function offerRollback(message: string, checkpoint: string | undefined): Promise<void> {
  const rollBackLabel = 'Roll Back';
  if ((await showMessage(message, ...(checkpoint ? [rollBackLabel] : []))) === rollBackLabel)
    await vscode.commands.executeCommand('selfware.rollback', { checkpoint });
}
