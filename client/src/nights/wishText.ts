// A waiting wish as an item of a list. Plain data in and out.

import { MAX_WISH_LENGTH, type WaitingWish } from '#protocol/nights';

const TESTS = {
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

/** The problem with a new wish that a person types; null if there is none. An empty text adds nothing. */
export function problemOfWish(typed: string, waiting: readonly WaitingWish[]): string | null {
  const text = typed.trim();
  if (text.length > MAX_WISH_LENGTH)
    return `A wish has at most ${MAX_WISH_LENGTH} characters, and this one has ${text.length}.`;
  return waiting.some(({ words }) => words === text) ? 'This wish is in the queue already.' : null;
}

/** `at`: its index in the queue, from 0. */
export function wishItem({ words, test, tries, lastReason }: WaitingWish, at: number): WishItem {
  const [first = '', ...more] = words.split('\n');
  const label = `${at + 1}. ${first}${more.length > 0 ? ' …' : ''}`;
  const times = tries === 1 ? 'once' : `${tries} times`;
  const triedText = tries === 0 ? undefined : `Tried ${times} in vain${lastReason === null ? '.' : `: ${lastReason}`}`;
  return { label, description: TESTS[test], ...(triedText === undefined ? {} : { detail: triedText }) };
}
