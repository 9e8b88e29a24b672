// Waits until a person has finished writing in an editor. VS Code hides a notification after some seconds, so Done and
// Cancel also stand above the text.

import * as vscode from 'vscode';
import { showMessage, showNotice } from '../messages.ts';
import { isSamePlace, type WrittenText } from './writing.ts';

const DONE = 'Done';
const [DONE_COMMAND, CANCEL_COMMAND] = ['selfware.writing.done', 'selfware.writing.cancel'];

type TextWriting = WrittenText<vscode.TextDocument>;

/** The texts that are waited for, by the number that their lenses pass to the commands. */
const waiting = new Map<number, TextWriting>();
let lastNumber = 0;

/** Registers the commands of the lenses, once for all texts. */
export function registerWritingCommands(): vscode.Disposable {
  const answer = (isDone: boolean) => (number: number) => waiting.get(number)?.answer(isDone);
  return vscode.Disposable.from(
    vscode.commands.registerCommand(DONE_COMMAND, answer(true)),
    vscode.commands.registerCommand(CANCEL_COMMAND, answer(false)),
  );
}

/**
 * True once the person chooses Done; false if they choose Cancel. If they close the text, they are asked. Writing continues in
 * the file that it is saved to.
 */
export async function waitForDone(writing: TextWriting, message: string, problem: string | null): Promise<boolean> {
  const number = ++lastNumber;
  const moved = new vscode.EventEmitter<void>();
  const parts = vscode.Disposable.from(
    moved,
    showLenses(writing, number, moved.event),
    vscode.workspace.onDidChangeTextDocument(({ document }) => writing.noteChanged(document)),
    vscode.workspace.onDidSaveTextDocument((document) => writing.noteSaved(document)),
    vscode.workspace.onDidCloseTextDocument((document) => {
      const closing = writing.noteClosed(document, vscode.workspace.textDocuments);
      if (closing === 'moved') moved.fire();
      else if (closing === 'closed') void askWhetherDone(writing);
    }),
  );
  waiting.set(number, writing);
  const answer = problem === null ? showMessage(message, DONE) : showNotice('warning', `${problem} ${message}`, DONE);
  // A notification that is closed ends nothing. One that is still there after a problem stands for the same text.
  void answer.then((chosenAction) => chosenAction === DONE && writing.answer(true));
  try {
    return await writing.waitForAnswer();
  } finally {
    waiting.delete(number);
    parts.dispose();
  }
}

/** Opens the text of a closed document again. */
export async function reopenDocument(writing: TextWriting): Promise<void> {
  const { languageId: language } = writing.document;
  writing.moveTo(await vscode.workspace.openTextDocument({ content: writing.text(), language }));
}

async function askWhetherDone(writing: TextWriting): Promise<void> {
  const keep = 'Keep Writing';
  const choices = writing.text().trim() === '' ? [keep] : [keep, DONE];
  const detail =
    'Done takes the text as it was. After Cancel you can begin again: with the request in the sidebar, if it is there, ' +
    'or with “Selfware: Ask for a Change…”.';
  const question = 'You have closed the text that you were writing for Selfware. Continue writing?';
  const choice = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...choices);
  // Done was chosen elsewhere meanwhile, and the text is open again.
  if (!writing.document.isClosed) return;
  if (choice !== keep) return writing.answer(choice === DONE);
  await reopenDocument(writing);
  await vscode.window.showTextDocument(writing.document, { preview: false });
}

function showLenses(writing: TextWriting, number: number, moved: vscode.Event<void>): vscode.Disposable {
  const top = new vscode.Range(0, 0, 0, 0);
  const lensOf = (title: string, command: string) => new vscode.CodeLens(top, { title, command, arguments: [number] });
  // All documents: the text may be saved to any file.
  return vscode.languages.registerCodeLensProvider('*', {
    onDidChangeCodeLenses: moved,
    provideCodeLenses: (shownDocument) =>
      isSamePlace(shownDocument, writing.document)
        ? [lensOf('$(check) Done', DONE_COMMAND), lensOf('$(close) Cancel', CANCEL_COMMAND)]
        : [],
  });
}
