// Computes the cost of questions in money, by prices that the person has set. Selfware ships no prices, because they
// change: without one, the cost is unknown, not zero.

import { fitsStars } from '../../util/stars.ts';
import type { Price } from '../model/asks.ts';

export { computeAmount } from '../../util/values/traffic.ts';

/** Prices by pattern of a proposer's name, such as `anthropic:*`. */
export type Prices = Readonly<Record<string, Price>>;

/** The price of the longest pattern that fits the name; null if unknown. */
export function findPrice(prices: Prices, proposer: string): Price | null {
  const matchingPatterns = Object.keys(prices).filter((pattern) => fitsStars(pattern, proposer));
  const best = matchingPatterns.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))[0];
  return best === undefined ? null : prices[best]!;
}
