// Tells the user about an applied change that failed its checks: it was rolled back automatically, or it could not be
// and needs a decision.

import * as vscode from 'vscode';
import type { Outcome } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { showNotice } from './messages.ts';
import { showEvidence } from './review/evidence.ts';

const actions = { evidence: 'Show Evidence', rollback: 'Roll Back', keep: 'Keep' } as const;

/**
 * Shows the outcome as a notification with buttons. Does not wait for the answer, because a notification may stay open
 * for hours.
 */
export function showOutcome(context: ClientContext, outcome: Outcome): void {
  const { proposal, message, status } = outcome;
  void context.reviews.forget(proposal);
  const answer =
    status === 'rolledBack'
      ? showNotice('warning', message, actions.evidence)
      : showNotice('error', message, actions.rollback, actions.keep, actions.evidence);
  void answer.then((choice) => {
    if (choice === actions.evidence) void showEvidence(context, proposal);
    if (choice === actions.keep) void vscode.commands.executeCommand('selfware.keep', { proposal });
    if (choice === actions.rollback && outcome.checkpoint)
      void vscode.commands.executeCommand('selfware.rollback', { checkpoint: outcome.checkpoint });
  });
}
