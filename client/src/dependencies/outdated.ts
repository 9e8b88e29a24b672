// "Check for Outdated Dependencies…": asks for consent, lists the updates, and opens the review of the chosen one.

import * as vscode from 'vscode';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { showFailure, showMessage } from '../messages.ts';
import { showPage } from '../pages/showPage.ts';
import { openReview } from '../review/openReview.ts';
import { withProgress } from '../server/withProgress.ts';

const ASK_LABEL = 'Ask Them';
const CHECK_LABEL = 'Check This Update';
const TITLE = 'Check for Outdated Dependencies';

/** Runs the command. Undefined if the person cancelled. */
export async function checkDependencies(context: ClientContext): Promise<CommandOutcome | undefined> {
  const listing = await listUpdates(context);
  if (listing === undefined) return undefined;
  if (!listing.ok) return showFailedOutcome(context, listing);
  const { updates = [] } = listing;
  if (updates.length === 0) {
    void showMessage(listing.message);
    return listing;
  }
  const chosenUpdate = await vscode.window.showQuickPick(
    updates.map(({ name: label, ...remainingFields }) => ({ label, ...remainingFields })),
    { title: TITLE, placeHolder: listing.message, matchOnDetail: true },
  );
  if (chosenUpdate === undefined) return undefined;
  if (chosenUpdate.version === null) {
    void showMessage(`${chosenUpdate.label} ${chosenUpdate.description}. ${chosenUpdate.detail}`);
    return listing;
  }
  const { label, version, manifest, isGroup } = chosenUpdate;
  const params = isGroup ? { minor: true } : { update: label, version, manifest };
  const draft = await withProgress(context, isGroup ? label : `Updating ${label}`, 'outdated', params);
  if (draft?.approve === undefined) return draft && showFailedOutcome(context, draft);
  if (draft.page) await showPage(context, draft.page);
  const agreedLabel = await vscode.window.showWarningMessage(
    isGroup ? `Check ${label.toLowerCase()}?` : `Check the update of ${label} to ${version}?`,
    { modal: true, detail: `${draft.message}\n\nNothing is written to your files before you apply it.` },
    CHECK_LABEL,
  );
  if (agreedLabel !== CHECK_LABEL) return undefined;
  // If the same update was turned down before, the message of the draft has said so, and the person still agreed.
  const approval = { approved: draft.approve, again: draft.again !== undefined };
  const outcome = await withProgress(context, `Checking ${label}`, 'outdated', approval);
  if (!outcome?.review) return outcome && showFailedOutcome(context, outcome);
  await openReview(outcome.review);
  // Names the updates that do not pass.
  if (isGroup) void showMessage(outcome.message);
  return outcome;
}

/**
 * Requests the list of updates; asks the person first if nobody has agreed to ask the registry. Undefined if they
 * decline.
 */
async function listUpdates(context: ClientContext): Promise<CommandOutcome | undefined> {
  const answer = await withProgress(context, TITLE, 'outdated', {});
  if (!answer?.registries) return answer;
  const { hosts, sends, agreement } = answer.registries;
  const choice = await vscode.window.showWarningMessage(
    `Ask ${hosts.join(', ')} about your dependencies, now and in future?`,
    { modal: true, detail: `They get ${sends}. npm asks in a sandbox, and runs no scripts.` },
    ASK_LABEL,
  );
  return choice === ASK_LABEL ? withProgress(context, TITLE, 'outdated', { agreed: agreement }) : undefined;
}

/** Shows the failure, and returns the outcome unchanged. */
function showFailedOutcome(context: ClientContext, outcome: CommandOutcome): CommandOutcome {
  showFailure(outcome, context.output);
  return outcome;
}
