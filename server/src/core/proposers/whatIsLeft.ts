// What the budgets leave for an answer, or for the work of an agent.

import type { Price } from '../model/asks.ts';
import type { TrafficLimit } from '../ports/proposers.ts';
import { BUDGET_SCOPES, cellOf, type BudgetKind, type BudgetScope } from './accounts.ts';
import { BUDGETS, type BudgetSetting, type SpendingLimits, type Spent } from './budgets.ts';
import { maxQuestionAmount, maxTrafficAmount } from '../../util/values/traffic.ts';

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
  const forReply = remainingOf('tokens', account, limits) - promptTokens;
  return Math.max(1, Math.min(maxReply, forReply, affordableTokens(account, limits, promptTokens, price)));
}

/** The time of a question in seconds. `budget`: the setting of the budget that allows no more; null without one. */
export interface TimeLimit {
  readonly seconds: number;
  readonly budget: BudgetSetting | null;
}

/** The time of a question, at least a second, so that the budgets hold. `maxSeconds`: the limit in the settings. */
export function secondsLimit(account: Spent, limits: SpendingLimits, maxSeconds: number): TimeLimit {
  let limit: TimeLimit = { seconds: maxSeconds, budget: null };
  for (const { scope, kind, setting } of BUDGETS) {
    if (kind !== 'seconds') continue;
    const seconds = Math.max(1, Math.floor(remainingIn(scope, kind, account, limits)));
    if (seconds < limit.seconds) limit = { seconds, budget: setting };
  }
  return limit;
}

/** What an agent may exchange with its hosts, at least one token, so that the budgets hold. */
export function trafficLimit(account: Spent, limits: SpendingLimits, price: Price | null): TrafficLimit {
  const tokens = Math.max(1, Math.floor(remainingOf('tokens', account, limits, AGENT_SHARE)));
  const amount = remainingOf('money', account, limits, AGENT_SHARE);
  if (amount === Infinity || !price) return { tokens, money: null };
  return { tokens, money: { amount: Math.min(amount, maxTrafficAmount(tokens, price)), price } };
}

/** What all budgets of this kind leave; infinite without a limit. `share`: the part of the day's rest that counts. */
function remainingOf(kind: BudgetKind, account: Spent, limits: SpendingLimits, share = 1): number {
  const remaining = BUDGET_SCOPES.map(
    (scope) => remainingIn(scope, kind, account, limits) * (scope === 'day' ? share : 1),
  );
  return Math.min(...remaining);
}

/** What one budget leaves; infinite without a limit. */
function remainingIn(scope: BudgetScope, kind: BudgetKind, account: Spent, limits: SpendingLimits): number {
  const cell = cellOf(scope, kind);
  return (limits[cell] ?? Infinity) - account[cell];
}

/** Maximum tokens of a reply that the limits of money allow; infinite without a limit or without a price of replies. */
function affordableTokens(account: Spent, limits: SpendingLimits, promptTokens: number, price: Price | null): number {
  const money = remainingOf('money', account, limits);
  if (money === Infinity || !price || price.output === 0) return Infinity;
  const moneyForReply = money - maxQuestionAmount(promptTokens, price);
  return Math.floor((moneyForReply * 1_000_000) / price.output);
}
