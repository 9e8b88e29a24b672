// Shows all waiting proposals in VS Code's Refactor Preview, a list of changes to tick that works with the keyboard and
// screen readers. Ticked changes are verified and applied as usual.

import * as vscode from 'vscode';
import type { Review } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { showMessage, showError } from '../messages.ts';
import { withProgress } from '../server/withProgress.ts';
import { findChosenHunks, readHunkTexts } from './hunkTexts.ts';
import { createProposalUri } from './proposalUri.ts';
import { isDecidable, summarisePoints } from './reviewText.ts';

/**
 * Runs the Refactor Preview, and returns the titles of the applied proposals; empty if no proposal waits, if the person
 * cancels, or if no ticked change could be applied. The preview writes into virtual documents, and the server writes
 * the real files.
 */
export async function previewAll(context: ClientContext): Promise<readonly string[]> {
  const { pending } = await context.feed.refresh();
  const reviews = (await Promise.all(pending.map(({ id }) => context.reviews.get(id)))).filter(isDecidable);
  if (reviews.length === 0) {
    void showMessage('No proposal waits for a decision.');
    return [];
  }
  context.previews.clear();
  if (!(await vscode.workspace.applyEdit(createEdit(reviews), { isRefactoring: true }))) return [];
  const chosenReviews = await Promise.all(
    reviews.map(async (review) => ({ review, hunks: await findTickedHunks(review) })),
  );
  context.previews.clear();
  const appliedTitles: string[] = [];
  const failureMessages: string[] = [];
  for (const { review, hunks } of chosenReviews) {
    if (hunks.length === 0) continue;
    const includesAllHunks = hunks.length === review.files.reduce((sum, file) => sum + file.hunks.length, 0);
    const outcome = await withProgress(context, `Applying ${review.title}`, 'apply', {
      proposal: review.id,
      ...(includesAllHunks ? {} : { hunks }),
    });
    if (!outcome) break;
    if (outcome.ok) appliedTitles.push(review.title);
    else failureMessages.push(outcome.message);
  }
  await context.feed.refresh();
  if (appliedTitles.length > 0) void showMessage(`Applied: ${appliedTitles.join('; ')}.`);
  if (failureMessages.length > 0) showError(failureMessages.join(' '), context.output);
  return appliedTitles;
}

/** The edit that VS Code shows: each hunk as a change of a virtual document, to be confirmed by the person. */
function createEdit(reviews: readonly Review[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const review of reviews) {
    const summary = summarisePoints(review);
    const metadata: vscode.WorkspaceEditEntryMetadata = {
      needsConfirmation: true,
      label: review.title,
      ...(summary ? { description: summary } : {}),
    };
    for (const file of review.files) {
      const uri = createProposalUri({ proposal: review.id, side: 'preview', path: file.path });
      for (const { firstLine, lineCount, after } of readHunkTexts(file))
        edit.replace(uri, new vscode.Range(firstLine, 0, firstLine + lineCount, 0), after, metadata);
    }
  }
  return edit;
}

/** Indices of the hunks that the preview has written into the virtual documents of a proposal. */
async function findTickedHunks(review: Review): Promise<number[]> {
  const hunks: number[] = [];
  for (const file of review.files) {
    const document = await vscode.workspace.openTextDocument(
      createProposalUri({ proposal: review.id, side: 'preview', path: file.path }),
    );
    hunks.push(...findChosenHunks(file, document.getText()));
    // Otherwise VS Code would ask whether to save the text.
    if (document.isDirty) await document.save();
  }
  return hunks;
}
