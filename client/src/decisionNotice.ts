// Notifies the person of proposals that were made in the background and wait for a decision.

import * as vscode from 'vscode';
import type { ClientContext } from './context.ts';
import { withErrorBoundary, showMessage } from './messages.ts';
import { isDecidable } from './review/reviewText.ts';
import type { Sidebar } from './sidebar/sidebarView.ts';

const REVIEW_LABEL = 'Review';
const NEVER_SHOW_LABEL = "Don't Show Again";

/**
 * Shows a notification when proposals begin to wait for a decision: one for all that begin at the same time. Proposals
 * that already waited when the window opened are not announced. Nor are proposals that the person requested, because
 * their review opens automatically. Nothing is shown while the person sees the sidebar. VS Code cannot withdraw a
 * notification, so an answer to it checks the state again.
 */
export function announceDecisions(context: ClientContext, sidebar: Pick<Sidebar, 'visible'>): vscode.Disposable {
  const { feed, server, output } = context;
  const requestedIds = new Set<string>();
  /** Ids of waiting proposals by folder. Proposals that waited in a folder before it was chosen are not announced. */
  const waitingByFolder = new Map<string, ReadonlySet<string>>();
  return vscode.Disposable.from(
    server.onReviewReady(({ id }) => {
      if (server.executing > 0) requestedIds.add(id);
    }),
    feed.onChange(() => {
      if (!feed.current || feed.current.index === null) return;
      const waitingIds = new Set(feed.current.pending.map(({ id }) => id));
      const waitingBefore = waitingByFolder.get(feed.current.folder);
      const newProposalIds =
        waitingBefore && server.executing === 0
          ? [...waitingIds].filter((id) => !waitingBefore.has(id) && !requestedIds.has(id))
          : [];
      waitingByFolder.set(feed.current.folder, waitingIds);
      if (newProposalIds.length > 0 && !(sidebar.visible && vscode.window.state.focused))
        void withErrorBoundary(output, () => notifyOfProposals(context, newProposalIds));
    }),
  );
}

/** Shows one notification for these proposals, unless the setting `notifications.decisions` is off. */
async function notifyOfProposals(context: ClientContext, proposalIds: readonly string[]): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('selfware');
  if (!configuration.get('notifications.decisions', true)) return;
  const sentence =
    proposalIds.length === 1
      ? 'A proposal waits for your decision.'
      : `${proposalIds.length} proposals wait for your decision.`;
  const choice = await vscode.window.showInformationMessage(`Selfware: ${sentence}`, REVIEW_LABEL, NEVER_SHOW_LABEL);
  if (choice === REVIEW_LABEL) await openWaiting(context, proposalIds);
  if (choice === NEVER_SHOW_LABEL)
    await configuration.update('notifications.decisions', false, vscode.ConfigurationTarget.Global);
}

/**
 * Opens the proposal that is still undecided; a list if there are several, and a message if there is none. Meanwhile,
 * some may have been decided here, on the command line or in another window.
 */
async function openWaiting({ server }: ClientContext, proposals: readonly string[]): Promise<void> {
  const undecidedIds: string[] = [];
  for (const id of proposals) if (isDecidable(await server.review(id))) undecidedIds.push(id);
  if (undecidedIds.length === 0)
    void showMessage(
      proposals.length === 1 ? 'It has been decided in the meantime.' : 'They have been decided in the meantime.',
    );
  else
    await vscode.commands.executeCommand(
      'selfware.reviewProposal',
      undecidedIds.length === 1 ? { proposal: undecidedIds[0] } : {},
    );
}
