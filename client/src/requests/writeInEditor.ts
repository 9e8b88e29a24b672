// Lets a person write a text in an editor of VS Code, and returns it.

import * as vscode from 'vscode';
import { reopenDocument, waitUntilDone } from './waitForDone.ts';
import { createWriting, type WrittenText } from './writing.ts';

/** Opens an unsaved document with the content. `language`: the language id of VS Code. */
export async function beginWriting(content: string, language: string): Promise<WrittenText<vscode.TextDocument>> {
  return createWriting(await vscode.workspace.openTextDocument({ content, language }));
}

/**
 * Shows the text in an editor, with `message` in a notification, and waits for Done. Returns the text; undefined if the
 * person cancels. If `explainProblem` returns a problem, shows it and lets the person continue.
 */
export async function writeInEditor(
  writing: WrittenText<vscode.TextDocument>,
  message: string,
  explainProblem: (text: string) => string | null | Promise<string | null> = () => null,
): Promise<string | undefined> {
  for (let problem: string | null = null; ; ) {
    if (writing.document.isClosed) await reopenDocument(writing);
    await vscode.window.showTextDocument(writing.document, { preview: false });
    if (!(await waitUntilDone(writing, message, problem))) return undefined;
    const text = writing.text();
    problem = await explainProblem(text);
    if (problem === null) return text;
  }
}

/** Closes the editor of a text that is now stored elsewhere, unless the person has saved or changed the text. */
export async function closeStoredText({ document }: WrittenText<vscode.TextDocument>, text: string): Promise<void> {
  if (!document.isUntitled || document.isClosed || document.getText() !== text) return;
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  // Closing alone would make VS Code ask whether to save the text.
  if (vscode.window.activeTextEditor === editor)
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}
