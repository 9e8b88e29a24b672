// "Fix All Safe": lets the server make and verify proposals for the whole folder, then offers to review them.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { showFailure, showMessage } from './messages.ts';
import { withProgress } from './server/withProgress.ts';

/**
 * Runs the command. Undefined if the user cancelled; the proposals that are already verified then still wait for
 * review.
 */
export async function fixAll(context: ClientContext): Promise<CommandOutcome | undefined> {
  const outcome = await withProgress(context, 'Fix All Safe', 'fixAll', {});
  const state = await context.feed.refresh();
  if (outcome && !outcome.ok) showFailure(outcome, context.output);
  if (!outcome?.ok) return outcome;
  const reviewLabel = 'Review';
  // The answer is not awaited, because a message may stay open for hours.
  void showMessage(outcome.message, ...(state.pending.length > 0 ? [reviewLabel] : [])).then((choice) => {
    if (choice) void vscode.commands.executeCommand('selfware.reviewProposal');
  });
  return outcome;
}
