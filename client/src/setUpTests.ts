// "Set Up Tests…": shows the plan for installing what the repository's tests need, asks for approval, and runs it.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { runReport } from './reports.ts';

const RUN_LABEL = 'Run This Once';

/** Runs the command. Undefined if the person cancelled. */
export async function setUpTests(context: ClientContext): Promise<CommandOutcome | undefined> {
  const plan = await runReport(context, 'Looking at what the tests need', 'setup', {});
  if (plan?.approve === undefined) return plan;
  const answer = await vscode.window.showWarningMessage(
    'Run what the page "Selfware: Set Up Tests" shows?',
    { modal: true, detail: `${plan.message}\n\nNothing is written to your files.` },
    RUN_LABEL,
  );
  if (answer !== RUN_LABEL) return undefined;
  const outcome = await runReport(context, 'Setting up the tests', 'setup', { approved: plan.approve });
  await context.feed.refresh();
  return outcome;
}
