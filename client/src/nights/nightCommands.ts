// "Show Last Night", "Take the Night's Changes", "Continue the Night" and "Drop the Night's Changes…".

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { showMessage, showFailure } from '../messages.ts';
import { openReview } from '../review/openReview.ts';
import { runReport } from '../reports.ts';
import { withProgress } from '../server/withProgress.ts';

/** Opens the report of the newest night; without one, offers to start a run. */
export async function showNight(context: ClientContext): Promise<CommandOutcome | undefined> {
  const state = await context.feed.refresh();
  if (state.night || state.folder === '') return runReport(context, 'Last night', 'showNight', {});
  const run = 'Run Overnight…';
  if ((await showMessage('There was no unattended run here yet.', run)) === run)
    await vscode.commands.executeCommand('selfware.runOvernight', {});
  return undefined;
}

/** Files the changes of the newest night as proposals, and opens the first one for review. */
export async function acceptNight(context: ClientContext): Promise<CommandOutcome | undefined> {
  const outcome = await withProgress(context, "Taking the night's changes", 'acceptNight', {});
  if (!outcome) return undefined;
  await context.feed.refresh();
  if (!outcome.ok) showFailure(outcome, context.output);
  else void showMessage(outcome.message);
  if (outcome.review) {
    context.reviews.put(outcome.review);
    await openReview(outcome.review);
  }
  return outcome;
}

/** Lets a run continue that waits for the person. */
export async function continueNight(context: ClientContext): Promise<CommandOutcome | undefined> {
  const outcome = await withProgress(context, 'Continuing the night', 'continueNight', {});
  if (!outcome) return undefined;
  await context.feed.refresh();
  if (outcome.ok) void showMessage(outcome.message);
  else showFailure(outcome, context.output);
  return outcome;
}

/** Deletes the newest night's branch after a question; its changes count as rejected. */
export async function dropNight(context: ClientContext): Promise<CommandOutcome | undefined> {
  const { night } = await context.feed.refresh();
  if (!night) return void showMessage('There was no unattended run here yet.');
  const drop = 'Drop';
  const answer = await vscode.window.showWarningMessage(
    `Drop the night on ${night.branch}?`,
    {
      modal: true,
      detail: 'The branch is deleted, and its changes are not proposed again. Your files stay as they are.',
    },
    drop,
  );
  if (answer !== drop) return undefined;
  const outcome = await withProgress(context, 'Dropping the night', 'dropNight', { night: night.branch });
  if (!outcome) return undefined;
  await context.feed.refresh();
  if (outcome.ok) void showMessage(outcome.message);
  else showFailure(outcome, context.output);
  return outcome;
}
