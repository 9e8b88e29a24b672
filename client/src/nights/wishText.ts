// Makes the texts for the queue of wishes (requests in words for an unattended run): items of a list, their actions,
// and the reason why a wish cannot be added. Does not use VS Code's API.

import { MAX_WISH_LENGTH, type WaitingWish, type WishesParams } from '#protocol/nights';

/** The state of a wish's acceptance test in words: accepted by the person, declined, or not decided yet. */
const TEST_STATE_TEXTS = {
  accepted: 'with its acceptance test',
  none: 'without a test',
  open: 'its acceptance test is made before the run',
} as const;

/** A wish as VS Code shows it in a list. */
export interface WishItem {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
}

/**
 * The reason why a typed wish cannot be added, as a sentence; null if it can. `waitingWishes`: the wishes in the queue.
 */
export function explainWishProblem(typedWish: string, waitingWishes: readonly WaitingWish[]): string | null {
  const text = typedWish.trim();
  if (text.length > MAX_WISH_LENGTH)
    return `A wish has at most ${MAX_WISH_LENGTH} characters, and this one has ${text.length}.`;
  return waitingWishes.some(({ words }) => words === text) ? 'This wish is in the queue already.' : null;
}

/** The item for a wish. `index`: the index of the wish in the queue, from 0. */
export function createWishItem({ words, test, tries, lastReason }: WaitingWish, index: number): WishItem {
  const [firstLine = '', ...otherLines] = words.split('\n');
  const label = `${index + 1}. ${firstLine}${otherLines.length > 0 ? ' …' : ''}`;
  const timesText = tries === 1 ? 'once' : `${tries} times`;
  const triedText =
    tries === 0 ? undefined : `Tried ${timesText} in vain${lastReason === null ? '.' : `: ${lastReason}`}`;
  return { label, description: TEST_STATE_TEXTS[test], ...(triedText === undefined ? {} : { detail: triedText }) };
}

/**
 * The actions for the wish at this index of a queue of `count` wishes: a label, and the change that the server is asked
 * for. An empty change shows the list again. Moving up is offered from the third wish on, and trying it last up to the
 * third-last one, because elsewhere they equal another action.
 */
export function listWishActions(
  { id }: Pick<WaitingWish, 'id'>,
  index: number,
  count: number,
): readonly { readonly label: string; readonly change: WishesParams }[] {
  const isLast = index === count - 1;
  return [
    ...(index > 0 ? [{ label: '$(fold-up) Try It First', change: { first: id } }] : []),
    ...(index > 1 ? [{ label: '$(arrow-up) Move It Up', change: { up: id } }] : []),
    ...(isLast ? [] : [{ label: '$(arrow-down) Move It Down', change: { down: id } }]),
    ...(index < count - 2 ? [{ label: '$(fold-down) Try It Last', change: { last: id } }] : []),
    { label: '$(trash) Drop It', change: { drop: id } },
    { label: '$(arrow-left) Back to the List', change: {} },
  ];
}
