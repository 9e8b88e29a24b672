// "Undismiss…": lists the dismissed opportunities with the reasons. The chosen ones are shown again.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { showMessage, showFailure } from './messages.ts';

/** Runs the command. Asks which ones unless one is given. Undefined if nothing is dismissed or nothing was chosen. */
export async function undismiss(
  { server, feed, output }: ClientContext,
  presetId?: string,
): Promise<CommandOutcome | undefined> {
  const opportunities = presetId === undefined ? await askWhich(server) : [presetId];
  if (opportunities.length === 0) return undefined;
  const outcome = await server.execute('undismiss', { opportunities });
  await feed.refresh();
  if (outcome.ok) vscode.window.setStatusBarMessage(outcome.message, 8000);
  else showFailure(outcome, output);
  return outcome;
}

async function askWhich(server: ClientContext['server']): Promise<readonly string[]> {
  const { dismissals } = await server.dismissals();
  if (dismissals.length === 0) {
    void showMessage('Nothing is dismissed.');
    return [];
  }
  const hasSeveralFolders = new Set(dismissals.map(({ folder }) => folder)).size > 1;
  const items = dismissals.map(({ opportunity, rule, path, why, folder, until }) => ({
    opportunity,
    label: rule ?? opportunity,
    description: [path, hasSeveralFolders ? folder : null].filter((part) => part !== null).join(' · '),
    detail: until === null ? why : `${why} (until ${new Date(until).toLocaleDateString()})`,
  }));
  const chosenItems = await vscode.window.showQuickPick(items, {
    title: 'Undismiss',
    placeHolder: 'What do you want to show again?',
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return (chosenItems ?? []).map(({ opportunity }) => opportunity);
}
