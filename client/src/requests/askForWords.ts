// Asks a person to say in words what they want: in an input box, or, for several lines, in an editor.

import * as vscode from 'vscode';
import { explainRequestProblem } from './requestText.ts';
import { beginWriting, closeStoredText, writeInEditor } from './writeInEditor.ts';

/** The words of a person, and the editor in which they were written, if there is one. */
export interface WrittenWords {
  readonly words: string;
  /** Closes the editor in which the words were written. To be called once the words are stored elsewhere. */
  readonly close?: () => Promise<void>;
}
/**
 * The answer: the words, or `otherProposer` to choose another model or agent first. Undefined if the person cancels.
 */
export type WordsAnswer = WrittenWords | 'otherProposer' | undefined;

/** The button that replaces the input box by an editor. */
const SEVERAL_LINES: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: 'Write Several Lines in an Editor',
};
/** The button that lets the person choose another proposer first. */
const OTHER_PROPOSER: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('account'),
  tooltip: 'Ask Another Model or Agent…',
};

/**
 * Asks for the words. `proposer`: the proposer that will be asked; null if none is chosen. `value`: the text with which
 * the box begins.
 */
export async function askForWords(title: string, proposer: string | null, value = ''): Promise<WordsAnswer> {
  const box = vscode.window.createInputBox();
  Object.assign(box, {
    title: proposer === null ? title : `${title} (asks ${proposer})`,
    prompt:
      'Say what should be different, and how one can see it. Name files or functions. ' +
      'Nothing is written to your files before you have reviewed it.',
    placeholder: 'For example: Let parseDate accept ISO week dates, such as 2026-W48',
    value,
    ignoreFocusOut: true,
    buttons: proposer === null ? [SEVERAL_LINES] : [OTHER_PROPOSER, SEVERAL_LINES],
  });
  return new Promise<WordsAnswer>((resolve) => {
    const settle = (words: WordsAnswer | Promise<WordsAnswer>): void => {
      resolve(words);
      subscriptions.dispose();
      box.dispose();
    };
    const subscriptions = vscode.Disposable.from(
      box.onDidChangeValue(() => (box.validationMessage = undefined)),
      box.onDidAccept(() => {
        const problem = explainRequestProblem(box.value);
        if (problem === null) settle({ words: box.value.trim() });
        else box.validationMessage = problem;
      }),
      box.onDidTriggerButton((button) =>
        settle(button === SEVERAL_LINES ? writeSeveralLines(box.value) : 'otherProposer'),
      ),
      box.onDidHide(() => settle(undefined)),
    );
    box.show();
  });
}

/** Lets the person write in an editor. Undefined if they cancel or leave it empty. */
async function writeSeveralLines(value: string): Promise<WordsAnswer> {
  const explainProblem = (text: string) => (text.trim() === '' ? null : explainRequestProblem(text));
  const writing = await beginWriting(value, 'markdown');
  const text = (await writeInEditor(writing, 'Write what you want, then choose Done.', explainProblem)) ?? '';
  const words = text.trim();
  return words === '' ? undefined : { words, close: () => closeStoredText(writing, text) };
}
