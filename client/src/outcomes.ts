// Tells the user about an applied change that failed its checks: it was rolled back automatically, or it could not be
// and needs a decision.

import * as vscode from 'vscode';
import type { Outcome } from '#protocol/review';
import type { ClientContext } from './context.ts';
import { showNotice } from './messages.ts';
import { showEvidence } from './review/evidence.ts';

const ACTION_LABELS = { evidence: 'Show Evidence', rollback: 'Roll Back', keep: 'Keep' } as const;

/**
 * Shows the outcome as a notification with buttons. Does not wait for the answer, because a notification may stay open
 * for hours.
 */
export function showChangeOutcome(context: ClientContext, outcome: Outcome): void {
  const { proposal, message, status } = outcome;
  void context.reviews.forget(proposal);
  const answer =
    status === 'rolledBack'
      ? showNotice('warning', message, ACTION_LABELS.evidence)
      : showNotice('error', message, ACTION_LABELS.rollback, ACTION_LABELS.keep, ACTION_LABELS.evidence);
  void answer.then((choice) => {
    if (choice === ACTION_LABELS.evidence) void showEvidence(context, proposal);
    if (choice === ACTION_LABELS.keep) void vscode.commands.executeCommand('selfware.keep', { proposal });
    if (choice === ACTION_LABELS.rollback && outcome.checkpoint)
      void vscode.commands.executeCommand('selfware.rollback', { checkpoint: outcome.checkpoint });
  });
}
