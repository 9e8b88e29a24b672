// "Show Last Night", "Continue the Night" and "End the Night": commands for the newest unattended run.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { showMessage, showFailure } from '../messages.ts';
import { runReport } from '../reports.ts';
import { createReportUri } from '../review/proposalUri.ts';
import { withProgress } from '../server/withProgress.ts';

/** The end of the title of the report's tab, without `.md`. */
const PAGE_NAME = 'Last Night';

/** Opens the report of the newest night; without one, offers to start a run. */
export async function showNight(context: ClientContext): Promise<CommandOutcome | undefined> {
  const state = await context.feed.refresh();
  if (state.night || state.folder === '') return runReport(context, 'Last night', 'showNight', {});
  const runLabel = 'Run Overnight…';
  if ((await showMessage('There was no unattended run here yet.', runLabel)) === runLabel)
    await vscode.commands.executeCommand('selfware.runOvernight', {});
  return undefined;
}

/**
 * True for the tab of the report. It is recognised by its title, because VS Code reveals nothing else about a preview.
 */
export function isNightPage({ label }: Pick<vscode.Tab, 'label'>): boolean {
  return label.endsWith(`${PAGE_NAME}.md`);
}

/** Updates the report if a tab shows it. If the server gives no report, the page stays as it is. */
export async function refreshNightPage({ server, pages }: ClientContext): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  if (!tabs.some(isNightPage)) return;
  const { page } = await server.execute('showNight', {});
  if (page) pages.put(createReportUri(page.title), page.markdown);
}

/** Continues a run that waits for the person. */
export const continueNight = (context: ClientContext) => sendToRun(context, 'Continuing the night', 'continueNight');

/** Ends the run in progress after its current step. */
export const endNight = (context: ClientContext) => sendToRun(context, 'Ending the night', 'endNight');

/** Sends a command to the run, refreshes the sidebar, and shows the outcome. Undefined if the person cancels. */
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
