// What the budgets leave for an answer, or for the work of an agent.

import type { Price } from '../model/asks.ts';
import type { TrafficLimit } from '../ports/proposers.ts';
import type { SpendingLimits, Spent } from './accounts.ts';
import { computeAmount } from './prices.ts';
import { maxTrafficAmount } from '../../util/values/traffic.ts';

/** The part of what is left of a day that one agent may use, so that others can be asked while it works. */
const AGENT_SHARE = 0.5;

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

/** What an agent may exchange with its hosts, at least one token, so that the budgets hold. */
export function trafficLimit(account: Spent, limits: SpendingLimits, price: Price | null): TrafficLimit {
  const tokens = Math.max(1, Math.floor(remainingTokens(account, limits, AGENT_SHARE)));
  const amount = remainingMoney(account, limits, AGENT_SHARE);
  if (amount === Infinity || !price) return { tokens, money: null };
  return { tokens, money: { amount: Math.min(amount, maxTrafficAmount(tokens, price)), price } };
}

/** `share`: the part of the day's rest that counts. */
function remainingTokens({ taskTokens, runTokens, dayTokens }: Spent, limits: SpendingLimits, share = 1): number {
  const remainingOfRun = (limits.runTokens ?? Infinity) - runTokens;
  return Math.min(limits.taskTokens - taskTokens, remainingOfRun, (limits.dayTokens - dayTokens) * share);
}

function remainingMoney({ taskMoney, runMoney, dayMoney }: Spent, limits: SpendingLimits, share = 1): number {
  const [ofTask, ofRun, ofDay] = [limits.taskMoney, limits.runMoney, limits.dayMoney].map((limit) => limit ?? Infinity);
  return Math.min(ofTask! - taskMoney, ofRun! - runMoney, (ofDay! - dayMoney) * share);
}

/** Maximum tokens of a reply that the limits of money allow; infinite without a limit or without a price of replies. */
function affordableTokens(account: Spent, limits: SpendingLimits, promptTokens: number, price: Price | null): number {
  const money = remainingMoney(account, limits);
  if (money === Infinity || !price || price.output === 0) return Infinity;
  const moneyForReply = money - computeAmount({ input: promptTokens, output: 0, cached: 0 }, price);
  return Math.floor((moneyForReply * 1_000_000) / price.output);
}
