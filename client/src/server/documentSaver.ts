// Answers the server's request `selfware/save`. The server asks for it after an edit, because a change is on disk only
// once its documents are saved.

import * as vscode from 'vscode';
import type { SaveParams, SaveResult } from '#protocol/review';

/**
 * Saves each document, even if others fail. Returns the URIs of the saved ones, and of the failed ones with the
 * reasons.
 */
export async function saveDocuments({ uris }: SaveParams): Promise<SaveResult> {
  const savedUris: string[] = [];
  const failures: { uri: string; reason: string }[] = [];
  for (const uri of uris) {
    try {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
      if (!document.isDirty || (await document.save())) savedUris.push(uri);
      else failures.push({ uri, reason: 'VS Code did not save the document.' });
    } catch (error) {
      failures.push({ uri, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { saved: savedUris, failed: failures };
}
