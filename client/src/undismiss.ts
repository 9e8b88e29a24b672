// "Undismiss…": lists the opportunities that a person has dismissed, with their reasons, and shows the chosen ones
// again.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { showMessage, showFailure } from './messages.ts';

/**
 * Runs the command. Asks for the opportunities unless `presetId` names one. Undefined if nothing is dismissed or the
 * person cancels.
 */
export async function undismiss(
  { server, feed, output }: ClientContext,
  presetId?: string,
): Promise<CommandOutcome | undefined> {
  const opportunityIds = presetId === undefined ? await pickDismissed(server) : [presetId];
  if (opportunityIds.length === 0) return undefined;
  const outcome = await server.execute('undismiss', { opportunities: opportunityIds });
  await feed.refresh();
  if (outcome.ok) vscode.window.setStatusBarMessage(outcome.message, 8000);
  else showFailure(outcome, output);
  return outcome;
}

/** Ids of the opportunities that the person picks; empty if nothing is dismissed or they cancel. */
async function pickDismissed(server: ClientContext['server']): Promise<readonly string[]> {
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
