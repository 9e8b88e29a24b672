// The only unrequested notification: a proposal that was made in the background waits for a decision.

import * as vscode from 'vscode';
import type { ClientContext } from './context.ts';
import { guarded, say } from './messages.ts';
import { isOpen } from './review/reviewText.ts';
import type { Sidebar } from './sidebar/sidebarView.ts';

const review = 'Review';
const never = "Don't Show Again";

/**
 * Not announced: proposals that waited when the window opened, proposals that the person requested (they open
 * automatically), and proposals in the visible sidebar. VS Code cannot withdraw a notification, so a late answer checks
 * the state again.
 */
export function announceDecisions(context: ClientContext, sidebar: Pick<Sidebar, 'visible'>): vscode.Disposable {
  const { feed, server, output } = context;
  const asked = new Set<string>();
  /** By folder, so that proposals that waited in a folder before it was chosen are not announced. */
  const known = new Map<string, ReadonlySet<string>>();
  return vscode.Disposable.from(
    server.onReviewReady(({ id }) => {
      if (server.executing > 0) asked.add(id);
    }),
    feed.onChange(() => {
      if (!feed.current || feed.current.index === null) return;
      const waiting = new Set(feed.current.pending.map(({ id }) => id));
      const before = known.get(feed.current.folder);
      const fresh =
        before && server.executing === 0 ? [...waiting].filter((id) => !before.has(id) && !asked.has(id)) : [];
      known.set(feed.current.folder, waiting);
      if (fresh.length > 0 && !(sidebar.visible && vscode.window.state.focused))
        void guarded(output, () => announce(context, fresh));
    }),
  );
}

async function announce(context: ClientContext, proposals: readonly string[]): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('selfware');
  if (!configuration.get('notifications.decisions', true)) return;
  const sentence =
    proposals.length === 1
      ? 'A proposal waits for your decision.'
      : `${proposals.length} proposals wait for your decision.`;
  const choice = await vscode.window.showInformationMessage(`Selfware: ${sentence}`, review, never);
  if (choice === review) await openWaiting(context, proposals);
  if (choice === never) await configuration.update('notifications.decisions', false, vscode.ConfigurationTarget.Global);
}

/**
 * Opens the proposals that are still undecided: somebody may have decided here, on the command line or in another
 * window.
 */
async function openWaiting({ server }: ClientContext, proposals: readonly string[]): Promise<void> {
  const waiting: string[] = [];
  for (const id of proposals) if (isOpen(await server.review(id))) waiting.push(id);
  if (waiting.length === 0)
    void say(
      proposals.length === 1 ? 'It has been decided in the meantime.' : 'They have been decided in the meantime.',
    );
  else
    await vscode.commands.executeCommand(
      'selfware.reviewProposal',
      waiting.length === 1 ? { proposal: waiting[0] } : {},
    );
}
