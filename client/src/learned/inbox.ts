// "Decide About a Proposed Command or Skill…": shows what was proposed, and asks whether to apply or to reject it.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { InboxEntry } from '#protocol/state';
import type { ClientContext } from '../context.ts';
import { showFailure, showMessage } from '../messages.ts';

const APPLY = 'Apply';
const REJECT = 'Reject…';

/**
 * Decides about the entry that the sidebar names, or about one that the person picks. Undefined if nothing is proposed,
 * if the named entry no longer waits, or if the person decided nothing. With the verdict `rejected`, only the reason is
 * asked for; with `applied`, the person still sees the entry and confirms.
 */
export async function decideInboxEntry(
  { server, feed, output }: ClientContext,
  preset: { readonly item?: string; readonly verdict?: string } = {},
): Promise<CommandOutcome | undefined> {
  const entries = (await feed.refresh())?.inbox ?? [];
  const entry = preset.item === undefined ? await pickEntry(entries) : entries.find(({ id }) => id === preset.item);
  if (!entry && preset.item !== undefined) return void showMessage('This entry no longer waits for a decision.');
  const decision = entry && (preset.verdict === 'rejected' ? await askReason(entry) : await askPerson(entry));
  if (!entry || !decision) return undefined;
  const outcome = await server.execute('decideInbox', { item: entry.id, shown: entry.details, ...decision });
  await feed.refresh();
  if (outcome.ok) vscode.window.setStatusBarMessage(outcome.message, 8000);
  else showFailure(outcome, output);
  return outcome;
}

/** What the person has decided about an entry. */
interface Decision {
  readonly verdict: 'applied' | 'rejected';
  readonly reason?: string;
  readonly mayWrite?: boolean;
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
async function askPerson(entry: InboxEntry): Promise<Decision | undefined> {
  const { name, details, mayWrite } = entry;
  const detail = details.join('\n');
  const chosen = await vscode.window.showWarningMessage(`Apply ${name}?`, { modal: true, detail }, APPLY, REJECT);
  // The question shows that the command may write, so applying it allows that.
  if (chosen === APPLY) return { verdict: 'applied', mayWrite };
  return chosen === REJECT ? askReason(entry) : undefined;
}

async function askReason({ name }: InboxEntry): Promise<Decision | undefined> {
  const reason = await vscode.window.showInputBox({
    title: `Reject ${name}`,
    prompt: 'Why? It is not proposed again.',
    validateInput: (text) => (text.trim() === '' ? 'A reason is needed.' : null),
  });
  return reason === undefined ? undefined : { verdict: 'rejected', reason };
}
