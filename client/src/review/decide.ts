// What a person does with a proposal: look, apply, reject, skip a hunk, go to the next.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { say, showTrouble } from '../messages.ts';
import { withProgress } from '../withProgress.ts';
import { activeProposal, closeReview, openReview } from './openReview.ts';
import { isOpen } from './reviewCodeLens.ts';
import { pointsSummary, words } from './reviewText.ts';

/** Opens the diff, with the texts as the server has them now. */
export async function reviewProposal({ server, reviews }: ClientContext, proposal: string): Promise<void> {
  const review = await server.review(proposal);
  reviews.put(review);
  await openReview(review);
}

/** Applies the given hunks, else all that were not skipped; then the review closes and the way back is offered. */
export async function applyProposal(context: ClientContext, given: string | undefined, hunks?: readonly number[]): Promise<CommandOutcome | undefined> {
  const proposal = given ?? (await active(context));
  if (!proposal) return undefined;
  const review = await context.reviews.get(proposal);
  const chosen = hunks ?? context.reviews.chosen(review);
  if (chosen?.length === 0) {
    const reject = 'Reject';
    if ((await say('Every hunk is skipped, so there is nothing to apply.', reject)) === reject) await rejectProposal(context, proposal);
    return undefined;
  }
  const outcome = await withProgress(context, 'Applying', 'apply', { proposal, ...(chosen ? { hunks: chosen } : {}) });
  if (!outcome) return undefined;
  const state = await context.feed.refresh();
  if (!outcome.ok) {
    if (outcome.review) context.reviews.put(outcome.review);
    showTrouble(outcome.message, context.output);
    return outcome;
  }
  await leave(context, proposal);
  void offerWayBack(outcome.message, state.checkpoints.find(({ rolledBack }) => !rolledBack)?.id);
  return outcome;
}

/** Asks for a reason unless one is given; Escape keeps the proposal. */
export async function rejectProposal(context: ClientContext, given: string | undefined, reason?: string): Promise<CommandOutcome | undefined> {
  const proposal = given ?? (await active(context));
  if (!proposal) return undefined;
  const why = reason ?? (await vscode.window.showInputBox({ title: 'Reject Proposal', prompt: 'Why? Enter without a reason is fine; Escape keeps the proposal.', placeHolder: 'It is not proposed again' }));
  if (why === undefined) return undefined;
  const outcome = await context.server.execute('reject', { proposal, ...(why ? { reason: why } : {}) });
  await context.feed.refresh();
  if (!outcome.ok) {
    showTrouble(outcome.message, context.output);
    return outcome;
  }
  await leave(context, proposal);
  void say(outcome.message);
  return outcome;
}

export async function skipHunk(context: ClientContext, given: string | undefined, hunk: number): Promise<void> {
  const proposal = given ?? (await active(context));
  if (proposal) await context.reviews.toggle(proposal, hunk);
}

/** The pending proposal after the one in front, around the end. */
export async function nextProposal(context: ClientContext): Promise<void> {
  const { pending } = await context.feed.refresh();
  const current = await activeProposal(async () => pending);
  const next = pending[(pending.findIndex(({ id }) => id === current) + 1) % Math.max(1, pending.length)];
  if (!next || next.id === current) void say('No other proposal waits for a decision.');
  else await reviewProposal(context, next.id);
}

/** Each gate with its outcome and reason, as a list that reads well aloud. */
export async function showVerdicts(context: ClientContext, given: string | undefined): Promise<void> {
  const proposal = given ?? (await active(context));
  if (!proposal) return;
  const review = await context.reviews.get(proposal);
  const icons = { passed: '$(pass)', failed: '$(error)', unknown: '$(question)' } as const;
  const gates = review.verdicts.map(({ gate, outcome, reason, millis }) => ({ label: `${icons[outcome]} ${gate}`, description: millis < 100 ? outcome : `${outcome} · ${(millis / 1000).toFixed(1)} s`, detail: reason }));
  const facts = [pointsSummary(review), review.recipe, words(review.safety), isOpen(review) ? null : review.status].filter((fact) => fact !== null).join(' · ');
  await vscode.window.showQuickPick(gates, { title: review.title, placeHolder: facts, matchOnDetail: true });
}

async function active({ feed }: ClientContext): Promise<string | null> {
  const proposal = await activeProposal(async () => (feed.current ?? (await feed.refresh())).pending);
  if (!proposal) void say('Open the review of a proposal first ("Selfware: Review Proposal…").');
  return proposal;
}

async function leave({ reviews }: ClientContext, proposal: string): Promise<void> {
  await closeReview(proposal, reviews);
  await reviews.forget(proposal);
}

async function offerWayBack(message: string, checkpoint: string | undefined): Promise<void> {
  const back = 'Roll Back';
  if ((await say(message, ...(checkpoint ? [back] : []))) === back) await vscode.commands.executeCommand('selfware.rollback', { checkpoint });
}
