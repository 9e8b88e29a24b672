// Finds the files of a proposal that have unsaved changes in the editor. The person has to save them before the
// proposal is applied, so that no typed text is overwritten.

import * as vscode from 'vscode';
import type { CommandOutcome, Review } from '#protocol/review';
import { showMessage } from '../messages.ts';

/** The open documents with unsaved changes among the files of the review. */
export function findUnsavedFiles({ files }: Pick<Review, 'files'>): readonly vscode.TextDocument[] {
  const uris = new Set(files.map(({ uri }) => vscode.Uri.parse(uri, true).toString()));
  return vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uris.has(uri.toString()));
}

/**
 * Offers to save the files and then to apply `hunks`, or the whole proposal if `hunks` is undefined. Does not wait for
 * the answer, because a message may stay open for hours. Returns an outcome with the reason why nothing is applied yet.
 */
export function offerToSave(
  { id: proposal }: Review,
  unsavedDocuments: readonly vscode.TextDocument[],
  hunks: readonly number[] | undefined,
): CommandOutcome {
  const names = unsavedDocuments.map(({ uri }) => vscode.workspace.asRelativePath(uri)).join(', ');
  const message = `${names} ${unsavedDocuments.length === 1 ? 'has' : 'have'} unsaved changes. They are kept: the proposal is merged into the saved text, and its checks run again.`;
  const saveLabel = 'Save and Apply';
  void showMessage(message, saveLabel).then(async (choice) => {
    if (choice !== saveLabel) return;
    for (const document of unsavedDocuments) if (document.isDirty && !(await document.save())) return;
    await vscode.commands.executeCommand('selfware.applyAll', { proposal, ...(hunks ? { hunks } : {}) });
  });
  return { ok: false, message, review: null };
}
