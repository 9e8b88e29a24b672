// Shows lists and input boxes as the steps of one dialog, with a button to go back. Escape cancels the whole dialog.

import * as vscode from 'vscode';
import type { OvernightOffer } from './overnightOffer.ts';

/** The answer to one step; undefined if the person cancels. */
export type StepAnswer<T> = { readonly value: T } | 'back' | undefined;

/** The texts of one step: its title, its placeholder, its number from 1, and the number of all steps. */
export interface DialogStep {
  readonly title: string;
  readonly placeholder: string;
  readonly step: number;
  readonly steps: number;
  /** True to show the button Back. Default: false for the first step, true for all others. */
  readonly canGoBack?: boolean;
}

/** Shows a list; the entry with `chosenValue` is preselected, or the first entry if there is none. */
export function pickOne<T>(
  step: DialogStep,
  offers: readonly OvernightOffer<T>[],
  chosenValue?: T,
): Promise<StepAnswer<T>> {
  const quickPick = vscode.window.createQuickPick<vscode.QuickPickItem & OvernightOffer<T>>();
  quickPick.items = offers;
  const preselectedItems = quickPick.items.filter(({ value }) => value === chosenValue);
  // With an empty list of active items, Enter would have no effect.
  if (preselectedItems.length > 0) quickPick.activeItems = preselectedItems;
  quickPick.matchOnDescription = true;
  // A proposer with a title has its name in the detail, and is to be found by it.
  quickPick.matchOnDetail = true;
  return askStep<T>(quickPick, step, (settle) =>
    quickPick.onDidAccept(() => {
      const [picked] = quickPick.selectedItems;
      if (picked) settle({ value: picked.value });
    }),
  );
}

/** Shows a list in which a person may tick several entries; those with `chosenValues` are ticked in advance. */
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

/** Asks for a text until `parse` returns a value for it. If `parse` returns null, `problem` is shown below the box. */
export function askForText<T>(
  step: DialogStep,
  parse: (text: string) => T | null,
  problem: string,
): Promise<StepAnswer<T>> {
  const box = vscode.window.createInputBox();
  return askStep<T>(box, step, (settle) =>
    vscode.Disposable.from(
      box.onDidChangeValue(() => (box.validationMessage = undefined)),
      box.onDidAccept(() => {
        const value = parse(box.value);
        if (value === null) box.validationMessage = problem;
        else settle({ value });
      }),
    ),
  );
}

/** Shows one step until `listen` settles it, the person goes back, or it is hidden, and disposes of it then. */
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
