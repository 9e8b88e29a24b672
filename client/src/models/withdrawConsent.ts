// "Withdraw Consent to Send Code…": lists the hosts to which a person agreed to send code, and withdraws one.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { showFailure, showMessage } from '../messages.ts';

/** Runs the command. Undefined if there is no consent to withdraw, if the list fails, or if the person cancels. */
export async function withdrawConsent({ server, output }: ClientContext): Promise<CommandOutcome | undefined> {
  const listing = await server.execute('withdrawConsent', {});
  if (!listing.ok || !listing.consents) return void showFailure(listing, output);
  if (listing.consents.length === 0) return void showMessage(listing.message);
  const items = listing.consents.map(({ destination, what, since }) => ({
    destination,
    label: destination,
    description: `since ${since}`,
    detail: `May be sent: ${what}.`,
  }));
  const chosenItem = await vscode.window.showQuickPick(items, {
    title: 'Withdraw Consent to Send Code',
    placeHolder: 'Where should no more code go? What was sent before stays there.',
  });
  if (!chosenItem) return undefined;
  const outcome = await server.execute('withdrawConsent', { destination: chosenItem.destination });
  if (outcome.ok) void showMessage(outcome.message);
  else showFailure(outcome, output);
  return outcome;
}
