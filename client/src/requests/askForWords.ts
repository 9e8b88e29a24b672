// Asks a person what they want: in an input box, or in an editor for several lines.

import * as vscode from 'vscode';
import { MAX_WISH_LENGTH } from '#protocol/nights';

/** The answer: the words, or that somebody else is to be asked first. Undefined if the person cancels. */
export type Words = { readonly words: string } | 'otherProposer' | undefined;

const SEVERAL_LINES: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: 'Write Several Lines in an Editor',
};
const SOMEBODY_ELSE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('account'),
  tooltip: 'Ask Somebody Else…',
};

/** Asks for the words. `value`: the words so far. `whom`: the proposer that will be asked; null if none is chosen. */
export async function askForWords(title: string, whom: string | null, value = ''): Promise<Words> {
  const box = vscode.window.createInputBox();
  Object.assign(box, {
    title: whom === null ? title : `${title} (asks ${whom})`,
    prompt:
      'Say what should be different, and how one can see it. Name files or functions. ' +
      'Nothing is written to your files before you have reviewed it.',
    placeholder: 'For example: Let parseDate accept ISO week dates, such as 2026-W48',
    value,
    ignoreFocusOut: true,
    buttons: whom === null ? [SEVERAL_LINES] : [SOMEBODY_ELSE, SEVERAL_LINES],
  });
  return new Promise<Words>((resolve) => {
    const settle = (words: Words | Promise<Words>): void => {
      resolve(words);
      subscriptions.dispose();
      box.dispose();
    };
    const subscriptions = vscode.Disposable.from(
      box.onDidChangeValue(() => (box.validationMessage = undefined)),
      box.onDidAccept(() => {
        const problem = problemOfWords(box.value);
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

function problemOfWords(typed: string): string | null {
  const { length } = typed.trim();
  if (length === 0) return 'Say what you want, or press Escape.';
  return length > MAX_WISH_LENGTH ? `At most ${MAX_WISH_LENGTH} characters, and this has ${length}.` : null;
}

async function writeSeveralLines(value: string): Promise<Words> {
  const text = await writeInEditor(value, 'markdown', 'Write what you want, then choose Done.');
  const words = text?.trim() ?? '';
  return words === '' ? undefined : { words: words.slice(0, MAX_WISH_LENGTH) };
}

/** Opens the text in an editor. Returns it as the person leaves it; undefined if they do not choose Done. */
export async function writeInEditor(content: string, language: string, message: string): Promise<string | undefined> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { preview: false });
  const done = 'Done';
  return (await vscode.window.showInformationMessage(message, done)) === done ? document.getText() : undefined;
}
