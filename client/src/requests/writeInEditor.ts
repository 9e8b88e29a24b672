// Lets a person write a text in an editor of its own.

import * as vscode from 'vscode';
import { reopenDocument, waitForDone } from './waitForDone.ts';
import { createWriting, type WrittenText } from './writing.ts';

/** Begins a text. No file holds it unless the person saves it. */
export async function beginWriting(content: string, language: string): Promise<WrittenText<vscode.TextDocument>> {
  return createWriting(await vscode.workspace.openTextDocument({ content, language }));
}

/**
 * Shows the text in an editor. Returns it as the person leaves it; undefined if they cancel. As long as `problemOf`
 * names a problem, the person is told, and the editor is shown again with their text.
 */
export async function writeInEditor(
  writing: WrittenText<vscode.TextDocument>,
  message: string,
  problemOf: (text: string) => string | null | Promise<string | null> = () => null,
): Promise<string | undefined> {
  for (let problem: string | null = null; ; ) {
    if (writing.document.isClosed) await reopenDocument(writing);
    await vscode.window.showTextDocument(writing.document, { preview: false });
    if (!(await waitForDone(writing, message, problem))) return undefined;
    const text = writing.text();
    problem = await problemOf(text);
    if (problem === null) return text;
  }
}

/** Closes the editor of a text that is kept elsewhere now, unless the person saved the text or has changed it since. */
export async function closeTaken({ document }: WrittenText<vscode.TextDocument>, text: string): Promise<void> {
  if (!document.isUntitled || document.isClosed || document.getText() !== text) return;
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  // VS Code asks about unsaved text unless it is reverted.
  if (vscode.window.activeTextEditor === editor)
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}
