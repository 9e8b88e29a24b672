// "Decide About a Proposed Command or Skill…": shows a proposed tool, command, skill or order of proposers, and asks
// whether to apply or to reject it.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { InboxEntry } from '#protocol/state';
import type { ClientContext } from '../context.ts';
import { showFailure, showMessage } from '../messages.ts';

const APPLY_LABEL = 'Apply';
const REJECT_LABEL = 'Reject…';

/**
 * Asks for a decision on the entry that the sidebar names, or on an entry that the person picks, and stores it.
 * Undefined if the person cancels or the entry no longer waits.
 */
export async function decideInboxEntry(
  { server, feed, output }: ClientContext,
  request: { readonly item?: string; readonly verdict?: string } = {},
): Promise<CommandOutcome | undefined> {
  const entries = (await feed.refresh())?.inbox ?? [];
  const entry = request.item === undefined ? await pickEntry(entries) : entries.find(({ id }) => id === request.item);
  if (!entry && request.item !== undefined) return void showMessage('This entry no longer waits for a decision.');
  const decision = entry && (request.verdict === 'rejected' ? await askForRejection(entry) : await askDecision(entry));
  if (!entry || !decision) return undefined;
  const outcome = await server.execute('decideInbox', { item: entry.id, shown: entry.details, ...decision });
  await feed.refresh();
  if (outcome.ok) vscode.window.setStatusBarMessage(outcome.message, 8000);
  else showFailure(outcome, output);
  return outcome;
}

/** A person's decision on an entry. */
interface InboxDecision {
  readonly verdict: 'applied' | 'rejected';
  readonly reason?: string;
  readonly mayWrite?: boolean;
}

/** The entry that the person picks; undefined if none is proposed or they cancel. */
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
async function askDecision(entry: InboxEntry): Promise<InboxDecision | undefined> {
  const { name, details, mayWrite } = entry;
  const detail = details.join('\n');
  const answer = await vscode.window.showWarningMessage(
    `Apply ${name}?`,
    { modal: true, detail },
    APPLY_LABEL,
    REJECT_LABEL,
  );
  // The dialog says that the command may write files, so applying it also permits that.
  if (answer === APPLY_LABEL) return { verdict: 'applied', mayWrite };
  return answer === REJECT_LABEL ? askForRejection(entry) : undefined;
}

/** The rejection with the person's reason; undefined if they cancel. */
async function askForRejection({ name }: InboxEntry): Promise<InboxDecision | undefined> {
  const reason = await vscode.window.showInputBox({
    title: `Reject ${name}`,
    prompt: 'Why? It is not proposed again.',
    validateInput: (text) => (text.trim() === '' ? 'A reason is needed.' : null),
  });
  return reason === undefined ? undefined : { verdict: 'rejected', reason };
}
