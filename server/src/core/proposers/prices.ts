// Computes the cost of questions in money, by prices that the person has set. Selfware ships no prices, because they
// change: without one, the cost is unknown, not zero.

import { fitsStars } from '../../util/stars.ts';
import type { Price } from '../model/asks.ts';

export { computeAmount } from '../../util/values/traffic.ts';

/** Prices by pattern of a proposer's name, such as `anthropic:*`. */
export type Prices = Readonly<Record<string, Price>>;

/** Proposers that mark what their provider is to cache: those that speak Anthropic's protocol. */
const CACHE_MARKING = /^anthropic:/;
/** What Anthropic takes for a token that it stores in its cache, as a multiple of any other token of a question. */
const WRITTEN_FACTOR = 1.25;

/**
 * The price of the longest pattern that fits the name; null if unknown. For a proposer that marks what is to be cached,
 * it has a price of stored tokens.
 */
export function findPrice(prices: Prices, proposer: string): Price | null {
  const matchingPatterns = Object.keys(prices).filter((pattern) => fitsStars(pattern, proposer));
  const best = matchingPatterns.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))[0];
  if (best === undefined) return null;
  const price = prices[best]!;
  if (price.written !== undefined || !CACHE_MARKING.test(proposer)) return price;
  return { ...price, written: price.input * WRITTEN_FACTOR };
}
