// "Open the Charter": opens `.selfware/charter.json`, the file with the limits on what Selfware may change, or a draft
// of it. Nothing is written before the person saves.

import * as vscode from 'vscode';
import { showMessage } from './messages.ts';

/** Opens the charter of the folder, or a draft; tells the person if there is no folder. */
export async function openCharter(folder: vscode.Uri | null, extensionUri: vscode.Uri): Promise<void> {
  if (!folder) {
    await showMessage('Open a folder first: the charter belongs to a repository.');
    return;
  }
  const file = vscode.Uri.joinPath(folder, '.selfware', 'charter.json');
  await vscode.window.showTextDocument(
    (await fileExists(file))
      ? await vscode.workspace.openTextDocument(file)
      : await openCharterDraft(file, extensionUri),
    { preview: false },
  );
}

/**
 * Opens an unsaved document, filled with the template, that will be saved to the path of `file`. A draft that already
 * has text is left unchanged.
 */
async function openCharterDraft(file: vscode.Uri, extensionUri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(file.with({ scheme: 'untitled' }));
  if (document.getText() !== '') return document;
  const template = await vscode.workspace.fs.readFile(
    vscode.Uri.joinPath(extensionUri, 'schemas', 'charter.template.json'),
  );
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), new TextDecoder().decode(template));
  await vscode.workspace.applyEdit(edit);
  return document;
}

/** False only if the file does not exist; other errors, such as missing permissions, are thrown. */
async function fileExists(file: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    (error: unknown) => {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
      throw error;
    },
  );
}
