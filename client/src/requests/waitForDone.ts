// Waits until a person has finished writing in an editor. VS Code hides notifications after some seconds, so code
// lenses above the text also offer Done and Cancel.

import * as vscode from 'vscode';
import { showMessage, showNotice } from '../messages.ts';
import { haveSameUri, type WrittenText } from './writing.ts';

const DONE = 'Done';
const [DONE_COMMAND, CANCEL_COMMAND] = ['selfware.writing.done', 'selfware.writing.cancel'];

type OpenText = WrittenText<vscode.TextDocument>;

/** The texts that a person is writing, by the number that their code lenses pass to the commands. */
const openTexts = new Map<number, OpenText>();
let lastNumber = 0;

/** Registers the commands of the code lenses, once for all texts. */
export function registerWritingCommands(): vscode.Disposable {
  const createAnswerCommand = (isDone: boolean) => (number: number) => openTexts.get(number)?.answer(isDone);
  return vscode.Disposable.from(
    vscode.commands.registerCommand(DONE_COMMAND, createAnswerCommand(true)),
    vscode.commands.registerCommand(CANCEL_COMMAND, createAnswerCommand(false)),
  );
}

/**
 * True once the person chooses Done, false once they choose Cancel. If they close the text, a dialog asks whether to
 * continue. If they save it to a file, writing continues in that file. `problem`: what is wrong with the text so far;
 * null if nothing is.
 */
export async function waitUntilDone(writing: OpenText, message: string, problem: string | null): Promise<boolean> {
  const number = ++lastNumber;
  const textMoved = new vscode.EventEmitter<void>();
  const subscriptions = vscode.Disposable.from(
    textMoved,
    showLenses(writing, number, textMoved.event),
    vscode.workspace.onDidChangeTextDocument(({ document }) => writing.noteChanged(document)),
    vscode.workspace.onDidSaveTextDocument((document) => writing.noteSaved(document)),
    vscode.workspace.onDidCloseTextDocument((document) => {
      const documentEnd = writing.noteClosed(document, vscode.workspace.textDocuments);
      if (documentEnd === 'moved') textMoved.fire();
      else if (documentEnd === 'closed') void askWhetherDone(writing);
    }),
  );
  openTexts.set(number, writing);
  const answer = problem === null ? showMessage(message, DONE) : showNotice('warning', `${problem} ${message}`, DONE);
  // Closing the notification does not end the writing. An earlier notification about the same text stays valid.
  void answer.then((chosenAction) => chosenAction === DONE && writing.answer(true));
  try {
    return await writing.waitForAnswer();
  } finally {
    openTexts.delete(number);
    subscriptions.dispose();
  }
}

/** Opens the text of a closed document in a new unsaved one. */
export async function reopenDocument(writing: OpenText): Promise<void> {
  const { languageId: language } = writing.document;
  writing.moveTo(await vscode.workspace.openTextDocument({ content: writing.text(), language }));
}

/** Asks about a text that the person has closed: keep writing, take it as it is, or cancel. */
async function askWhetherDone(writing: OpenText): Promise<void> {
  const keepLabel = 'Keep Writing';
  const choices = writing.text().trim() === '' ? [keepLabel] : [keepLabel, DONE];
  const detail =
    'Done takes the text as it was. After Cancel you can begin again: with the request in the sidebar, if it is there, ' +
    'or with “Selfware: Ask for a Change…”.';
  const question = 'You have closed the text that you were writing for Selfware. Continue writing?';
  const choice = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...choices);
  // The text was opened again while the dialog was open, so its answer no longer counts.
  if (!writing.document.isClosed) return;
  if (choice !== keepLabel) return writing.answer(choice === DONE);
  await reopenDocument(writing);
  await vscode.window.showTextDocument(writing.document, { preview: false });
}

/** Shows Done and Cancel above the text until the result is disposed. */
function showLenses(writing: OpenText, number: number, moved: vscode.Event<void>): vscode.Disposable {
  const top = new vscode.Range(0, 0, 0, 0);
  const lensOf = (title: string, command: string) => new vscode.CodeLens(top, { title, command, arguments: [number] });
  // For all documents, because the person may save the text to any file.
  return vscode.languages.registerCodeLensProvider('*', {
    onDidChangeCodeLenses: moved,
    provideCodeLenses: (shownDocument) =>
      haveSameUri(shownDocument, writing.document)
        ? [lensOf('$(check) Done', DONE_COMMAND), lensOf('$(close) Cancel', CANCEL_COMMAND)]
        : [],
  });
}
