// Waits until a person has finished writing in an editor. VS Code hides a notification after some seconds, so Done and
// Cancel also stand above the text.

import * as vscode from 'vscode';
import { showMessage, showNotice } from '../messages.ts';

const DONE = 'Done';
/** Commands of the two lenses; they exist while a person writes. */
const [DONE_COMMAND, CANCEL_COMMAND] = ['selfware.writing.done', 'selfware.writing.cancel'];

let isWriting = false;

/** True once the person chooses Done; false if they choose Cancel or close the document. */
export async function waitForDone(
  document: vscode.TextDocument,
  message: string,
  problem: string | null,
): Promise<boolean> {
  const answer = problem === null ? showMessage(message, DONE) : showNotice('warning', `${problem} ${message}`, DONE);
  return new Promise((resolve) => {
    const closed = vscode.workspace.onDidCloseTextDocument((other) => other === document && settle(false));
    // Somebody who writes two texts at once has the notification for the second one.
    const lenses = isWriting ? null : showLenses(document, settle);
    isWriting = true;
    function settle(isDone: boolean): void {
      closed.dispose();
      if (lenses) isWriting = false;
      lenses?.dispose();
      resolve(isDone);
    }
    // A notification that is closed ends nothing.
    void answer.then((chosen) => chosen === DONE && settle(true));
  });
}

function showLenses(document: vscode.TextDocument, settle: (isDone: boolean) => void): vscode.Disposable {
  const top = new vscode.Range(0, 0, 0, 0);
  const provideCodeLenses = (shown: vscode.TextDocument) =>
    shown !== document
      ? []
      : [
          new vscode.CodeLens(top, { title: '$(check) Done', command: DONE_COMMAND }),
          new vscode.CodeLens(top, { title: '$(close) Cancel', command: CANCEL_COMMAND }),
        ];
  return vscode.Disposable.from(
    vscode.commands.registerCommand(DONE_COMMAND, () => settle(true)),
    vscode.commands.registerCommand(CANCEL_COMMAND, () => settle(false)),
    vscode.languages.registerCodeLensProvider({ scheme: document.uri.scheme }, { provideCodeLenses }),
  );
}
