// Computes the cost of questions in money from prices that the person has set. Selfware ships no prices, because they
// change: without a price, the cost is unknown, not zero.

import { matchesStarPattern } from '../../util/stars.ts';
import type { Price } from '../model/asks.ts';

export { computeAmount } from '../../util/values/traffic.ts';

/** Prices by a pattern of the names of proposers, such as `anthropic:*`. */
export type Prices = Readonly<Record<string, Price>>;

/** Matches proposers that mark the text that their provider should cache: those with the protocol of Anthropic. */
const CACHE_MARKING_PATTERN = /^anthropic:/;
/** The price of a token that Anthropic stores in its cache, as a multiple of the price of other input tokens. */
const CACHE_WRITE_FACTOR = 1.25;

/**
 * Finds the price of the longest pattern that matches the name; null if unknown. For a proposer that marks text for the
 * cache, the price includes one for stored tokens.
 */
export function findPrice(prices: Prices, proposer: string): Price | null {
  const matchingPatterns = Object.keys(prices).filter((pattern) => matchesStarPattern(pattern, proposer));
  const longestPattern = matchingPatterns.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))[0];
  if (longestPattern === undefined) return null;
  const price = prices[longestPattern]!;
  if (price.written !== undefined || !CACHE_MARKING_PATTERN.test(proposer)) return price;
  return { ...price, written: price.input * CACHE_WRITE_FACTOR };
}
