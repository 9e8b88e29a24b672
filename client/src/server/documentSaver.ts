// Answers `selfware/save`: an applied change is on disk only once its documents are saved.

import * as vscode from 'vscode';
import type { SaveParams, SaveResult } from '#protocol/review';

/** Saves the documents independently, so that one that cannot be written does not block the others. */
export async function saveDocuments({ uris }: SaveParams): Promise<SaveResult> {
  const saved: string[] = [];
  const failed: { uri: string; reason: string }[] = [];
  for (const uri of uris) {
    try {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
      if (!document.isDirty || (await document.save())) saved.push(uri);
      else failed.push({ uri, reason: 'VS Code did not save the document.' });
    } catch (error) {
      failed.push({ uri, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { saved, failed };
}
