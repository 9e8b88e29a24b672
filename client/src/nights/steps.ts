// Lists and input boxes that follow each other, with a way back. Escape cancels all of them.

import * as vscode from 'vscode';
import type { OvernightOffer } from './overnightOffer.ts';

/** The answer to one step; undefined if the person cancels. */
export type StepAnswer<T> = { readonly value: T } | 'back' | undefined;

/** One list or input box of several, as a person sees it. */
export interface DialogStep {
  readonly title: string;
  readonly placeholder: string;
  readonly step: number;
  readonly steps: number;
  /** Default: all but the first step. */
  readonly canGoBack?: boolean;
}

/** Shows a list; `chosenValue` is preselected, otherwise the first entry. */
export function pickOne<T>(
  step: DialogStep,
  offers: readonly OvernightOffer<T>[],
  chosenValue?: T,
): Promise<StepAnswer<T>> {
  const quickPick = vscode.window.createQuickPick<vscode.QuickPickItem & OvernightOffer<T>>();
  quickPick.items = offers;
  const before = quickPick.items.filter(({ value }) => value === chosenValue);
  // An empty list would leave Enter without an effect.
  if (before.length > 0) quickPick.activeItems = before;
  quickPick.matchOnDescription = true;
  // A proposer with a title has its name in the detail.
  quickPick.matchOnDetail = true;
  return askStep<T>(quickPick, step, (settle) =>
    quickPick.onDidAccept(() => {
      const [picked] = quickPick.selectedItems;
      if (picked) settle({ value: picked.value });
    }),
  );
}

/** Shows a list of which a person may tick several; `chosenValues` are ticked. */
export function pickMany(
  step: DialogStep,
  offers: readonly OvernightOffer<string>[],
  chosenValues: readonly string[],
): Promise<StepAnswer<readonly string[]>> {
  const quickPick = vscode.window.createQuickPick<vscode.QuickPickItem & OvernightOffer<string>>();
  quickPick.canSelectMany = true;
  quickPick.items = offers;
  quickPick.selectedItems = quickPick.items.filter(({ value }) => chosenValues.includes(value));
  quickPick.matchOnDescription = true;
  return askStep<readonly string[], string>(quickPick, step, (settle) =>
    quickPick.onDidAccept(() => settle({ value: quickPick.selectedItems.map(({ value }) => value) })),
  );
}

/** Asks for a text until `read` returns a value for it. For any other text, `problem` is shown. */
export function askForText<T>(
  step: DialogStep,
  read: (text: string) => T | null,
  problem: string,
): Promise<StepAnswer<T>> {
  const box = vscode.window.createInputBox();
  return askStep<T>(box, step, (settle) =>
    vscode.Disposable.from(
      box.onDidChangeValue(() => (box.validationMessage = undefined)),
      box.onDidAccept(() => {
        const value = read(box.value);
        if (value === null) box.validationMessage = problem;
        else settle({ value });
      }),
    ),
  );
}

function askStep<T, O = T>(
  input: vscode.QuickPick<vscode.QuickPickItem & OvernightOffer<O>> | vscode.InputBox,
  { title, placeholder, step, steps, canGoBack = step > 1 }: DialogStep,
  listen: (settle: (answer: StepAnswer<T>) => void) => vscode.Disposable,
): Promise<StepAnswer<T>> {
  return new Promise((resolve) => {
    const settle = (answer: StepAnswer<T>): void => {
      resolve(answer);
      subscriptions.dispose();
      input.dispose();
    };
    Object.assign(input, { title, placeholder, step, totalSteps: steps });
    if (canGoBack) input.buttons = [vscode.QuickInputButtons.Back];
    const subscriptions = vscode.Disposable.from(
      listen(settle),
      input.onDidTriggerButton(() => settle('back')),
      input.onDidHide(() => settle(undefined)),
    );
    input.show();
  });
}
