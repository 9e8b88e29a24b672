// "Show Last Night", "Continue the Night" and "End the Night".

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { showMessage, showFailure } from '../messages.ts';
import { runReport } from '../reports.ts';
import { reportUri } from '../review/proposalUri.ts';
import { withProgress } from '../server/withProgress.ts';

/** The end of the title of the report's tab. */
const PAGE_NAME = 'Last Night';

/** Opens the report of the newest night; without one, offers to start a run. */
export async function showNight(context: ClientContext): Promise<CommandOutcome | undefined> {
  const state = await context.feed.refresh();
  if (state.night || state.folder === '') return runReport(context, 'Last night', 'showNight', {});
  const run = 'Run Overnight…';
  if ((await showMessage('There was no unattended run here yet.', run)) === run)
    await vscode.commands.executeCommand('selfware.runOvernight', {});
  return undefined;
}

/** True for the tab of the report. VS Code tells only the title of a preview. */
export function isNightPage({ label }: Pick<vscode.Tab, 'label'>): boolean {
  return label.endsWith(`${PAGE_NAME}.md`);
}

/** Makes the report again if a tab shows it. A failure leaves the page as it is. */
export async function refreshNightPage({ server, pages }: ClientContext): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  if (!tabs.some(isNightPage)) return;
  const { page } = await server.execute('showNight', {});
  if (page) pages.put(reportUri(page.title), page.markdown);
}

/** Lets a run continue that waits for the person. */
export const continueNight = (context: ClientContext) => sendToRun(context, 'Continuing the night', 'continueNight');

/** Ends the run in progress after its current step. */
export const endNight = (context: ClientContext) => sendToRun(context, 'Ending the night', 'endNight');

async function sendToRun(
  context: ClientContext,
  title: string,
  command: 'continueNight' | 'endNight',
): Promise<CommandOutcome | undefined> {
  const outcome = await withProgress(context, title, command, {});
  if (!outcome) return undefined;
  await context.feed.refresh();
  if (outcome.ok) void showMessage(outcome.message);
  else showFailure(outcome, context.output);
  return outcome;
}
