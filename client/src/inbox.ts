// "Decide About a Proposed Command or Skill…": shows what was proposed, and asks whether to apply or to reject it.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { InboxEntry } from '#protocol/state';
import type { ClientContext } from './context.ts';
import { showFailure, showMessage } from './messages.ts';

const APPLY = 'Apply';
const REJECT = 'Reject…';

/** Runs the command. Undefined if nothing is proposed, or if the person decided nothing. */
export async function decideInbox({ server, feed, output }: ClientContext): Promise<CommandOutcome | undefined> {
  const entry = await pickEntry((await feed.refresh())?.inbox ?? []);
  const decision = entry && (await askPerson(entry));
  if (!entry || !decision) return undefined;
  const outcome = await server.execute('decideInbox', { item: entry.id, shown: entry.details, ...decision });
  await feed.refresh();
  if (outcome.ok) vscode.window.setStatusBarMessage(outcome.message, 8000);
  else showFailure(outcome, output);
  return outcome;
}

async function pickEntry(entries: readonly InboxEntry[]): Promise<InboxEntry | undefined> {
  if (entries.length === 0) {
    void showMessage('Nothing is proposed.');
    return undefined;
  }
  const items = entries.map((entry) => ({
    entry,
    label: entry.name,
    description: entry.kind,
    detail: entry.description,
  }));
  return (await vscode.window.showQuickPick(items, { title: 'Proposed Tools, Commands and Skills' }))?.entry;
}

/** The decision; undefined if the person closes the question. */
async function askPerson({
  name,
  details,
  mayWrite,
}: InboxEntry): Promise<
  { readonly verdict: string; readonly reason?: string; readonly mayWrite?: boolean } | undefined
> {
  const detail = details.join('\n');
  const chosen = await vscode.window.showWarningMessage(`Apply ${name}?`, { modal: true, detail }, APPLY, REJECT);
  // The question shows that the command may write, so applying it allows that.
  if (chosen === APPLY) return { verdict: 'applied', mayWrite };
  if (chosen !== REJECT) return undefined;
  const reason = await vscode.window.showInputBox({
    title: `Reject ${name}`,
    prompt: 'Why? It is not proposed again.',
    validateInput: (text) => (text.trim() === '' ? 'A reason is needed.' : null),
  });
  return reason === undefined ? undefined : { verdict: 'rejected', reason };
}
