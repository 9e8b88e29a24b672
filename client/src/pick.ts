// Quick picks: a proposal to review, a checkpoint to roll back to.

import * as vscode from 'vscode';
import type { ClientContext } from './context.ts';
import { say } from './messages.ts';
import { points } from './statusText.ts';

/** Id of the chosen proposal; the only one is taken at once. Undefined when there is none or the user left. */
export async function pickProposal({ feed }: ClientContext): Promise<string | undefined> {
  const { pending } = await feed.refresh();
  if (pending.length === 0) {
    void say('No proposal waits for a decision. Run "Selfware: Improve" to make one.');
    return undefined;
  }
  if (pending.length === 1) return pending[0]?.id;
  const items = pending.map(({ id, title, paths, pointsDelta }) => ({ id, label: title, description: pointsDelta === null ? '' : `+${points(pointsDelta)} points`, detail: paths.join(', ') }));
  return (await vscode.window.showQuickPick(items, { title: 'Review Proposal', placeHolder: 'Proposals that wait for your decision', matchOnDetail: true }))?.id;
}

/** Id of the chosen checkpoint, newest first; undefined when there is none or the user left. */
export async function pickCheckpoint({ feed }: ClientContext): Promise<string | undefined> {
  const checkpoints = (await feed.refresh()).checkpoints.filter(({ rolledBack }) => !rolledBack);
  if (checkpoints.length === 0) {
    void say('There is nothing to roll back: no change was applied.');
    return undefined;
  }
  const items = checkpoints.map(({ id, title, createdAt, paths }) => ({ id, label: title, description: new Date(createdAt).toLocaleString(), detail: paths.join(', ') }));
  return (await vscode.window.showQuickPick(items, { title: 'Roll Back', placeHolder: 'The files of the chosen change get their bytes from before it', matchOnDetail: true }))?.id;
}
