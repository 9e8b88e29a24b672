// After Apply: shows the file at the changed lines instead of the review.

import * as vscode from 'vscode';
import type { Review, ReviewHunk } from '#protocol/review';

/**
 * The lines of the first hunk after the change: from 1, `last` included. Null if the change has no hunk in a file that
 * it did not delete.
 */
export function firstChange(
  review: Pick<Review, 'files'>,
): { readonly uri: string; readonly first: number; readonly last: number } | null {
  const file = review.files.find(({ deleted, hunks }) => !deleted && hunks.length > 0);
  const hunk: ReviewHunk | undefined = file?.hunks[0];
  if (!file || !hunk) return null;
  const first = Math.max(1, hunk.afterLine);
  return { uri: file.uri, first, last: first + Math.max(0, hunk.afterLines - 1) };
}

/**
 * Opens the file of the first change with the cursor before it, without a selection, so that typing replaces nothing.
 */
export async function showApplied(review: Pick<Review, 'files'>): Promise<void> {
  const change = firstChange(review);
  if (!change) return;
  const start = new vscode.Position(change.first - 1, 0);
  const options = { preview: true, selection: new vscode.Range(start, start) };
  const editor = await vscode.window.showTextDocument(vscode.Uri.parse(change.uri, true), options);
  const lines = new vscode.Range(start, new vscode.Position(change.last - 1, 0));
  editor.revealRange(lines, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
