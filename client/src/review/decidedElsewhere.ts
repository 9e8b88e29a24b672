// Closes the review of a proposal when it is decided in another window or on the command line, and tells the person.

import type * as vscode from 'vscode';
import type { ClientContext } from '../context.ts';
import { withErrorBoundary, showMessage } from '../messages.ts';
import { closeReview } from './openReview.ts';

/** The words for each status of a proposal on which somebody has decided; other statuses have none. */
const END_WORDS: Readonly<Record<string, string>> = {
  rejected: 'rejected',
  applied: 'applied',
  kept: 'applied',
  rolledBack: 'applied and rolled back',
};

/**
 * Follows decisions until the result is disposed. Decisions in this window are not reported, because they close their
 * reviews themselves.
 */
export function followDecisionsElsewhere(context: ClientContext): vscode.Disposable {
  const { feed, server, output } = context;
  let waitingBefore: ReadonlySet<string> = new Set();
  let folder = '';
  return feed.onChange(() => {
    const { current } = feed;
    if (!current || current.index === null) return;
    const waitingNow = new Set(current.pending.map(({ id }) => id));
    const decidedIds = folder === current.folder ? [...waitingBefore].filter((id) => !waitingNow.has(id)) : [];
    folder = current.folder;
    // While a command of this window runs, it may have made the decision, so this is checked again at the next change
    // of state.
    if (server.executing > 0) {
      waitingBefore = new Set([...waitingNow, ...decidedIds]);
      return;
    }
    waitingBefore = waitingNow;
    for (const id of decidedIds) void withErrorBoundary(output, () => closeIfDecided(context, id));
  });
}

/** Closes the review and forgets its drafts, if the proposal has been decided and its review is open. */
async function closeIfDecided({ server, reviews, drafts }: ClientContext, proposal: string): Promise<void> {
  const { title, status } = await server.review(proposal);
  const endWord = END_WORDS[status];
  if (endWord === undefined || !(await closeReview(proposal, reviews))) return;
  await drafts.forget(proposal);
  await reviews.forget(proposal);
  // A person who has decided in this window has already seen the answer.
  if (!server.hasDecided(proposal)) void showMessage(`${title}: ${endWord} elsewhere.`);
}
