// "Improve": propose and verify on the server, then open the review, because the user asked for it.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { openReview } from './review/openReview.ts';
import { showVerdicts } from './review/decide.ts';
import { withProgress } from './withProgress.ts';

/** Without an opportunity: the best one of the repository. Resolves with what came of it, undefined when cancelled. */
export async function improve(context: ClientContext, opportunity?: string): Promise<CommandOutcome | undefined> {
  if (!vscode.workspace.isTrusted) {
    await offerTrust();
    return undefined;
  }
  const outcome = await withProgress(context, 'Improve', 'improve', opportunity === undefined ? {} : { opportunity });
  if (!outcome) return undefined;
  await context.feed.refresh();
  if (outcome.review) context.reviews.put(outcome.review);
  if (outcome.ok && outcome.review) await openReview(outcome.review);
  else void explain(context, outcome);
  return outcome;
}

async function explain(context: ClientContext, { message, review }: CommandOutcome): Promise<void> {
  const why = 'Show Verdicts';
  const choice = await vscode.window.showInformationMessage(message, ...(review?.verdicts.length ? [why] : []));
  if (choice === why && review) await showVerdicts(context, review.id);
}

async function offerTrust(): Promise<void> {
  const manage = 'Manage Workspace Trust';
  const choice = await vscode.window.showWarningMessage('Selfware only indexes and analyses a workspace that you do not trust: verifying a change would run its scripts.', manage);
  if (choice) await vscode.commands.executeCommand('workbench.trust.manage');
}
