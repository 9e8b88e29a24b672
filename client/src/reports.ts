// Commands that show their result as a page: the checks of the set-up, of the ledger (the recorded events) and of a
// change, and the baseline. The page is a virtual document in VS Code's Markdown preview.

import * as vscode from 'vscode';
import type { BaselineParams } from '#protocol/reports';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { showMessage, showFailure } from './messages.ts';
import { showPage } from './pages/showPage.ts';
import { withProgress } from './server/withProgress.ts';

/** The actions on the baseline as entries of a list. */
const BASELINE_CHOICES: readonly (vscode.QuickPickItem & { readonly action: BaselineParams['action'] })[] = [
  { action: 'show', label: '$(eye) Show', detail: 'What the baseline holds, by rule, and what is fixed.' },
  {
    action: 'create',
    label: '$(add) Create',
    detail:
      'Accept everything that is shown now: writes `.selfware/baseline.json` for you to commit. Only new opportunities are shown afterwards.',
  },
  { action: 'update', label: '$(refresh) Update', detail: 'Remove what is fixed and follow edits; adds nothing.' },
  {
    action: 'renew',
    label: '$(replace-all) Start again',
    detail: 'Accept everything that is there now, replacing what was accepted before.',
  },
  { action: 'remove', label: '$(trash) Remove', detail: 'Delete the file: everything is shown again.' },
];

/** Checks the set-up of all folders, and shows the page. Undefined if the person cancelled. */
export function checkSetUp(context: ClientContext): Promise<CommandOutcome | undefined> {
  return runReport(context, 'Checking the set-up', 'doctor', {});
}

/** Checks the hash chain of the ledger in all folders, and shows the page. Undefined if the person cancelled. */
export function verifyLedger(context: ClientContext): Promise<CommandOutcome | undefined> {
  return runReport(context, 'Verifying the ledger', 'verifyLedger', {});
}

/** Runs the gates of a kept change again, and shows the page. `change`: id of the change or of its checkpoint. */
export function verifyChange(context: ClientContext, change: string): Promise<CommandOutcome | undefined> {
  return runReport(context, 'Verifying the change again', 'verifyChange', { change });
}

/**
 * Runs an action on the baseline, the file with the opportunities that a team accepts as they are. If `presetAction` is
 * undefined, asks for the action. Undefined if the person cancelled.
 */
export async function chooseBaseline(
  context: ClientContext,
  presetAction?: string,
): Promise<CommandOutcome | undefined> {
  const action =
    presetAction ??
    (
      await vscode.window.showQuickPick(BASELINE_CHOICES, {
        title: 'Baseline',
        placeHolder: 'What a team accepts as it is, in a file that it commits',
      })
    )?.action;
  if (action === undefined) return undefined;
  const outcome = await runReport(context, 'Baseline', 'baseline', { action });
  await context.feed.refresh();
  return outcome;
}

/**
 * Runs the command with progress. Shows its page, and its message in the status bar unless the outcome can be proposed;
 * if it has no page, shows the message as a notification. Undefined if the person cancelled.
 */
export async function runReport(
  context: ClientContext,
  title: string,
  command:
    | 'setup'
    | 'judgeBranch'
    | 'findCalls'
    | 'findMistakes'
    | 'findExamples'
    | 'measureCoverage'
    | 'doctor'
    | 'verifyLedger'
    | 'verifyChange'
    | 'baseline'
    | 'showNight',
  params: object,
): Promise<CommandOutcome | undefined> {
  const outcome = await withProgress(context, title, command, params);
  if (!outcome) return undefined;
  if (outcome.page) {
    await showPage(context, outcome.page);
    // If the findings can be proposed, the caller shows the message with a button.
    if (!outcome.proposable) vscode.window.setStatusBarMessage(outcome.message, 8000);
  } else if (outcome.ok) void showMessage(outcome.message);
  else showFailure(outcome, context.output);
  return outcome;
}
