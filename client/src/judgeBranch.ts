// "Judge This Branch…": asks for the base of the change, then shows the results of the checks as a page.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { showFailure } from './messages.ts';
import { runReport } from './reports.ts';

const OTHER_BASE_LABEL = 'Another commit or branch…';

/**
 * Judges the checked-out branch against `presetBase`, or against a base that the person chooses, and shows the result
 * as a page. Undefined if the person cancelled, or if the bases could not be listed.
 */
export async function judgeBranch(context: ClientContext, presetBase?: string): Promise<CommandOutcome | undefined> {
  const base = presetBase ?? (await pickBase(context));
  return base === undefined
    ? undefined
    : runReport(context, `Judging this branch from ${base}`, 'judgeBranch', { base });
}

/** A branch, tag or commit that the person picks or types; undefined if they cancel or if the list fails. */
async function pickBase(context: ClientContext): Promise<string | undefined> {
  const outcome = await context.server.execute('judgeBranch', {});
  if (!outcome.ok) {
    showFailure(outcome, context.output);
    return undefined;
  }
  const items: vscode.QuickPickItem[] = [
    ...(outcome.bases ?? []).map(({ name, detail }) => ({ label: name, detail })),
    { label: OTHER_BASE_LABEL },
  ];
  const chosenItem = await vscode.window.showQuickPick(items, {
    title: 'Judge This Branch',
    placeHolder: 'What the change starts from',
  });
  if (chosenItem?.label !== OTHER_BASE_LABEL) return chosenItem?.label;
  const typedBase = await vscode.window.showInputBox({
    title: 'Judge This Branch',
    prompt: 'A branch, a tag or a commit. The change is judged from the commit that both share.',
  });
  return typedBase?.trim() || undefined;
}
