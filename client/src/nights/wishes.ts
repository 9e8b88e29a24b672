// "Wishes for the Night…": shows the requests in words that wait for the next unattended run. A person adds, reorders
// and drops them.

import * as vscode from 'vscode';
import type { WaitingWish, WishesParams } from '#protocol/nights';
import type { CommandOutcome } from '#protocol/review';
import type { ClientContext } from '../context.ts';
import { showFailure } from '../messages.ts';
import { explainWishProblem, listWishActions, createWishItem } from './wishText.ts';

const TITLE = 'Wishes for the Night';
const ADD_LABEL = '$(add) Add a Wish…';

/**
 * Shows the queue, and again after each change, until the person closes it. Resolves with the last answer of the
 * server.
 */
export async function editWishes(context: ClientContext): Promise<CommandOutcome | undefined> {
  for (let params: WishesParams = {}; ; ) {
    const outcome = await context.server.execute('wishes', params);
    if (!outcome.ok) {
      showFailure(outcome, context.output);
      return outcome;
    }
    const change = await askForQueueChange(outcome.wishes ?? []);
    if (!change) return outcome;
    params = change;
  }
}

/** Shows the list, and asks for one change to it. Undefined if the person closes the list. */
async function askForQueueChange(wishes: readonly WaitingWish[]): Promise<WishesParams | undefined> {
  const addItem = {
    label: ADD_LABEL,
    detail: 'Say in words what should be done. Runs with a model or an agent try wishes first.',
  };
  const items: (vscode.QuickPickItem & { readonly wish?: WaitingWish })[] = [
    addItem,
    ...wishes.map((wish, index) => ({ ...createWishItem(wish, index), wish })),
  ];
  const chosenItem = await vscode.window.showQuickPick(items, {
    title: TITLE,
    placeHolder: wishes.length === 0 ? 'There are no wishes yet' : 'In the order in which they are tried',
    matchOnDetail: true,
  });
  if (!chosenItem) return undefined;
  return chosenItem.wish ? askWhatToDo(chosenItem.wish, wishes) : askForWish(wishes);
}

/** Asks for a new wish. If the person types none, the change is empty, and the list is shown again. */
async function askForWish(waitingWishes: readonly WaitingWish[]): Promise<WishesParams> {
  const typedWish = await vscode.window.showInputBox({
    title: TITLE,
    prompt: 'What should be done? Name the files or functions that it is about.',
    placeHolder: 'Let parseDate accept ISO week dates',
    ignoreFocusOut: true,
    validateInput: (text) => explainWishProblem(text, waitingWishes),
  });
  const wishText = typedWish?.trim() ?? '';
  return wishText === '' ? {} : { add: wishText };
}

/** Asks for an action on the wish. If the person cancels, the change is empty, and the list is shown again. */
async function askWhatToDo(wish: WaitingWish, wishes: readonly WaitingWish[]): Promise<WishesParams> {
  const actions = listWishActions(wish, wishes.indexOf(wish), wishes.length);
  const chosenAction = await vscode.window.showQuickPick(actions, { title: TITLE, placeHolder: wish.words });
  return chosenAction?.change ?? {};
}
