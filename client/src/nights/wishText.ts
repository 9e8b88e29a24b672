// A waiting wish as an item of a list. Plain data in and out.

import type { WaitingWish } from '#protocol/nights';

const TESTS = {
  accepted: 'with its acceptance test',
  none: 'without a test',
  open: 'its acceptance test is made before the run',
} as const;

export interface WishItem {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
}

/** `at`: its index in the queue, from 0. */
export function wishItem({ words, test, tries, lastReason }: WaitingWish, at: number): WishItem {
  const [first = '', ...more] = words.split('\n');
  const label = `${at + 1}. ${first}${more.length > 0 ? ' …' : ''}`;
  const times = tries === 1 ? 'once' : `${tries} times`;
  const tried = tries === 0 ? undefined : `Tried ${times} in vain${lastReason === null ? '.' : `: ${lastReason}`}`;
  return { label, description: TESTS[test], ...(tried === undefined ? {} : { detail: tried }) };
}
