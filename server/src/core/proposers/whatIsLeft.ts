// Computes how much the budgets allow for an answer, or for the work of an agent.

import type { Price } from '../model/asks.ts';
import type { TrafficLimit } from '../ports/proposers.ts';
import { BUDGET_SCOPES, budgetNameOf, type BudgetKind, type BudgetScope } from './accounts.ts';
import { BUDGETS, type BudgetSetting, type SpendingLimits, type SpentAmounts } from './budgets.ts';
import { computeMaxQuestionAmount, computeMaxTrafficAmount } from '../../util/values/traffic.ts';

/**
 * The share of the remaining budgets of a day that one agent may use, so that other proposers can be asked while it
 * works.
 */
const AGENT_SHARE = 0.5;

/**
 * The maximum number of tokens of a reply that keeps all budgets, at least 1. `maxReply`: the limit of a reply in the
 * settings.
 */
export function computeReplyLimit(
  account: SpentAmounts,
  limits: SpendingLimits,
  promptTokens: number,
  { price, maxReply }: { readonly price: Price | null; readonly maxReply: number },
): number {
  const tokensForReply = computeRemaining('tokens', account, limits) - promptTokens;
  return Math.max(1, Math.min(maxReply, tokensForReply, computeAffordableTokens(account, limits, promptTokens, price)));
}

/**
 * The time limit of a question in seconds. `budget`: the setting of the budget that determines it; null if no budget
 * does.
 */
export interface TimeLimit {
  readonly seconds: number;
  readonly budget: BudgetSetting | null;
}

/**
 * The time limit of a question that keeps all budgets, at least one second. `maxSeconds`: the limit in the settings.
 */
export function computeSecondsLimit(account: SpentAmounts, limits: SpendingLimits, maxSeconds: number): TimeLimit {
  let limit: TimeLimit = { seconds: maxSeconds, budget: null };
  for (const { scope, kind, setting } of BUDGETS) {
    if (kind !== 'seconds') continue;
    const seconds = Math.max(1, Math.floor(computeRemainingIn(scope, kind, account, limits)));
    if (seconds < limit.seconds) limit = { seconds, budget: setting };
  }
  return limit;
}

/** The maximum traffic between an agent and its hosts that keeps all budgets, at least one token. */
export function computeTrafficLimit(account: SpentAmounts, limits: SpendingLimits, price: Price | null): TrafficLimit {
  const tokens = Math.max(1, Math.floor(computeRemaining('tokens', account, limits, AGENT_SHARE)));
  const amount = computeRemaining('money', account, limits, AGENT_SHARE);
  if (amount === Infinity || !price) return { tokens, money: null };
  return { tokens, money: { amount: Math.min(amount, computeMaxTrafficAmount(tokens, price)), price } };
}

/**
 * The smallest remaining amount of the budgets of this kind; infinite if none of them has a limit. `share`: the share
 * of the remaining budget of a day that may be used.
 */
function computeRemaining(kind: BudgetKind, account: SpentAmounts, limits: SpendingLimits, share = 1): number {
  const remainingAmounts = BUDGET_SCOPES.map(
    (scope) => computeRemainingIn(scope, kind, account, limits) * (scope === 'day' ? share : 1),
  );
  return Math.min(...remainingAmounts);
}

/** The remaining amount in one budget; infinite if it has no limit. */
function computeRemainingIn(
  scope: BudgetScope,
  kind: BudgetKind,
  account: SpentAmounts,
  limits: SpendingLimits,
): number {
  const budgetName = budgetNameOf(scope, kind);
  return (limits[budgetName] ?? Infinity) - account[budgetName];
}

/**
 * The maximum number of tokens of a reply that the limits of money allow; infinite if there is no limit or no price for
 * replies.
 */
function computeAffordableTokens(
  account: SpentAmounts,
  limits: SpendingLimits,
  promptTokens: number,
  price: Price | null,
): number {
  const money = computeRemaining('money', account, limits);
  if (money === Infinity || !price || price.output === 0) return Infinity;
  const moneyForReply = money - computeMaxQuestionAmount(promptTokens, price);
  return Math.floor((moneyForReply * 1_000_000) / price.output);
}
