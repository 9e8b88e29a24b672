// What the budgets leave for an answer, or for the work of an agent.

import type { Price } from '../model/asks.ts';
import type { SpendingLimits, Spent } from './accounts.ts';
import { computeAmount } from './prices.ts';

/**
 * Maximum tokens of a reply, at least 1, so that the budgets hold. `maxReply`: the limit of an answer in the settings.
 */
export function replyLimit(
  account: Spent,
  limits: SpendingLimits,
  promptTokens: number,
  { price, maxReply }: { readonly price: Price | null; readonly maxReply: number },
): number {
  const forReply = remainingTokens(account, limits) - promptTokens;
  return Math.max(1, Math.min(maxReply, forReply, affordableTokens(account, limits, promptTokens, price)));
}

/**
 * Maximum tokens that an agent may exchange with its hosts, at least 1, so that the budgets hold. Nearly all of them are
 * input, because an agent sends what it has read again and again.
 */
export function trafficLimit(account: Spent, limits: SpendingLimits, price: Price | null): number {
  const money = remainingMoney(account, limits);
  const affordable = money === Infinity || !price || price.input === 0 ? Infinity : (money * 1_000_000) / price.input;
  return Math.max(1, Math.floor(Math.min(remainingTokens(account, limits), affordable)));
}

function remainingTokens({ taskTokens, runTokens, dayTokens }: Spent, limits: SpendingLimits): number {
  const remainingOfRun = (limits.runTokens ?? Infinity) - runTokens;
  return Math.min(limits.taskTokens - taskTokens, remainingOfRun, limits.dayTokens - dayTokens);
}

function remainingMoney({ taskMoney, runMoney, dayMoney }: Spent, limits: SpendingLimits): number {
  const [ofTask, ofRun, ofDay] = [limits.taskMoney, limits.runMoney, limits.dayMoney].map((limit) => limit ?? Infinity);
  return Math.min(ofTask! - taskMoney, ofRun! - runMoney, ofDay! - dayMoney);
}

/** Maximum tokens of a reply that the limits of money allow; infinite without a limit or without a price of replies. */
function affordableTokens(account: Spent, limits: SpendingLimits, promptTokens: number, price: Price | null): number {
  const money = remainingMoney(account, limits);
  if (money === Infinity || !price || price.output === 0) return Infinity;
  const moneyForReply = money - computeAmount({ input: promptTokens, output: 0, cached: 0 }, price);
  return Math.floor((moneyForReply * 1_000_000) / price.output);
}
