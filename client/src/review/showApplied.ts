// Shows the changed lines of a file after its proposal was applied.

import * as vscode from 'vscode';
import type { Review, ReviewHunk } from '#protocol/review';

/**
 * The first hunk in a file that still exists: the URI of the file, and the `firstLine` and the `lastLine` line of the hunk,
 * both 1-based and inclusive. Null if there is no such hunk.
 */
function findFirstChange(
  review: Pick<Review, 'files'>,
): { readonly uri: string; readonly firstLine: number; readonly lastLine: number } | null {
  const file = review.files.find(({ deleted, hunks }) => !deleted && hunks.length > 0);
  const hunk: ReviewHunk | undefined = file?.hunks[0];
  if (!file || !hunk) return null;
  const firstLine = Math.max(1, hunk.afterLine);
  return { uri: file.uri, firstLine: firstLine, lastLine: firstLine + Math.max(0, hunk.afterLines - 1) };
}

/**
 * Opens the file of the first hunk with the cursor before the hunk. Nothing is selected, so that typing replaces
 * nothing.
 */
export async function showApplied(review: Pick<Review, 'files'>): Promise<void> {
  const change = findFirstChange(review);
  if (!change) return;
  const start = new vscode.Position(change.firstLine - 1, 0);
  const options = { preview: true, selection: new vscode.Range(start, start) };
  const editor = await vscode.window.showTextDocument(vscode.Uri.parse(change.uri, true), options);
  const changedLines = new vscode.Range(start, new vscode.Position(change.lastLine - 1, 0));
  editor.revealRange(changedLines, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
