// Defines the budgets of questions for a task, a run and a day, and finds the budget that stops a question.

import { amountText } from '../../util/amountText.ts';
import { formatCount } from '../../util/counted.ts';
import { groupThousands } from '../../util/thousands.ts';
import { computeMaxQuestionAmount } from '../../util/values/traffic.ts';
import type { Price } from '../model/asks.ts';
import type { Proposer } from '../ports/proposers.ts';
import {
  BUDGET_KINDS,
  budgetNameOf,
  MAX_ATTEMPTS,
  MAX_CRASHES,
  type Account,
  type BudgetName,
  type BudgetKind,
  type BudgetScope,
  type RecentCost,
} from './accounts.ts';
import { computeAmount } from './prices.ts';

/** The budgets that a person can set, by the name of the setting, in the order in which they are checked. */
export const BUDGETS = [
  { scope: 'task', kind: 'tokens', setting: 'models.tokensPerTask' },
  { scope: 'run', kind: 'tokens', setting: 'models.tokensPerRun' },
  { scope: 'day', kind: 'tokens', setting: 'models.tokensPerDay' },
  { scope: 'task', kind: 'money', setting: 'models.costPerTask' },
  { scope: 'run', kind: 'money', setting: 'models.costPerRun', option: '--max-cost' },
  { scope: 'day', kind: 'money', setting: 'models.costPerDay' },
  { scope: 'task', kind: 'seconds', setting: 'models.secondsPerTask' },
  { scope: 'run', kind: 'seconds', setting: 'models.secondsPerRun' },
  { scope: 'day', kind: 'seconds', setting: 'models.secondsPerDay' },
  { scope: 'run', kind: 'attempts', setting: 'models.attemptsPerRun' },
  { scope: 'day', kind: 'attempts', setting: 'models.attemptsPerDay' },
] as const satisfies readonly Budget[];

/** A budget and the places at which a person sets its limit. */
interface Budget {
  readonly scope: BudgetScope;
  readonly kind: BudgetKind;
  readonly setting: string;
  /** An option of commands that sets the same limit. */
  readonly option?: string;
}

/** The name of a setting with a budget. */
export type BudgetSetting = (typeof BUDGETS)[number]['setting'];

/** The limits from the settings; null or absent means no limit. Money is in the unit of the prices. */
export type SpendingLimits = Readonly<Partial<Record<BudgetName, number | null>>> & {
  /** The minimum time in seconds that must be left for a question; 1 if absent. */
  readonly usefulSeconds?: number;
};

/** Maximum of `usefulSeconds`. Many answers take that long. */
const MAX_USEFUL_SECONDS = 60;

/** Reads the limits from the settings, in which 0 means no limit. */
export function readLimits(settings: Readonly<Record<BudgetSetting | 'models.answerSeconds', number>>): SpendingLimits {
  return {
    ...Object.fromEntries(
      BUDGETS.map(({ scope, kind, setting }) => [budgetNameOf(scope, kind), settings[setting] || null]),
    ),
    usefulSeconds: Math.min(settings['models.answerSeconds'], MAX_USEFUL_SECONDS),
  };
}

/** A proposer with its price; null if unknown. */
export interface PricedProposer {
  readonly name: string;
  readonly price: Price | null;
}

/** The reason why no question is asked: about this task, to this proposer, or at all. */
export interface Stop {
  /** A sentence with the reason, which also states the next step. */
  readonly reason: string;
  readonly scope: 'task' | 'proposer' | 'all';
  /**
   * Present if a budget is used up: the milliseconds until enough of it is free again; null if only another run or a
   * person can free it.
   */
  readonly freeInMs?: number | null;
}

/** The parts of an account that limits concern. */
export type SpentAmounts = Omit<Account, 'attempts'>;

/**
 * Finds the reason to stop; null if a question may be asked. `isAttempt`: false for a further answer to a question that
 * already counts as an attempt.
 */
export function findStopReason(
  account: SpentAmounts,
  limits: SpendingLimits,
  promptTokens: number,
  { name, price }: PricedProposer,
  isAttempt = true,
): Stop | null {
  const { rounds, crashes } = account;
  if (crashes >= MAX_CRASHES)
    return {
      reason: `Selfware ended ${crashes} times in the middle of this task, so it waits for you. Try it again with --again.`,
      scope: 'task',
    };
  if (isAttempt && rounds >= MAX_ATTEMPTS)
    return {
      reason: `${rounds} attempts have failed, so it waits for you. Look at what they came to, then try again with --again.`,
      scope: 'task',
    };
  for (const budget of BUDGETS) {
    const budgetLimit = limits[budgetNameOf(budget.scope, budget.kind)] ?? null;
    if (budgetLimit === null) continue;
    // With a limit of money, a proposer with an unknown price is not asked, because the limit could not be guaranteed.
    if (budget.kind === 'money' && !price)
      return {
        reason: `The price of ${name} is unknown, so a limit of money cannot be kept. Set it in models.prices, or take the limit away.`,
        scope: 'proposer',
      };
    const neededAmount =
      budget.kind === 'seconds'
        ? // The whole budget may be smaller than the useful time.
          Math.min(limits.usefulSeconds ?? 1, budgetLimit)
        : computeNeededAmount(budget.kind, promptTokens, price, isAttempt);
    if (account[budgetNameOf(budget.scope, budget.kind)] + neededAmount > budgetLimit)
      return createStop(budget, account, budgetLimit, neededAmount);
  }
  return null;
}

/**
 * The minimum amount that the next question takes of a budget: its own tokens and one token of an answer, or one
 * attempt.
 */
function computeNeededAmount(
  kind: Exclude<BudgetKind, 'seconds'>,
  promptTokens: number,
  price: Price | null,
  isAttempt: boolean,
): number {
  if (kind === 'tokens') return promptTokens;
  if (kind === 'attempts') return isAttempt ? 1 : 0;
  if (!price) return 0;
  return computeMaxQuestionAmount(promptTokens, price) + computeAmount({ input: 0, output: 1, cached: 0 }, price);
}

/**
 * Words for sentences about a kind of budget. `verb`: what a task or run has done with the amount. `participle`: what
 * was done with it in all tasks. `unit`: follows the amount and begins with a space; empty if the amount contains it.
 * `verbOfEachRun`: what each run may do. `ending`: a phrase for the end of the sentence; empty if absent. `format`:
 * formats an amount without its unit.
 */
interface KindWords {
  readonly verb: string;
  readonly participle: string;
  readonly verbOfEachRun: string;
  readonly unit: string;
  readonly ending?: string;
  readonly format: (amount: number) => string;
}

const formatRounded = (amount: number) => groupThousands(Math.round(amount));
/** The words for each kind of budget. */
const WORDS_BY_KIND: Readonly<Record<BudgetKind, KindWords>> = {
  tokens: { verb: 'used', participle: 'used', verbOfEachRun: 'use as many', unit: ' tokens', format: groupThousands },
  money: {
    verb: 'cost',
    participle: 'spent',
    verbOfEachRun: 'cost as much',
    unit: '',
    ending: ', and the next question would exceed that',
    format: amountText,
  },
  seconds: {
    verb: 'used',
    participle: 'used',
    verbOfEachRun: 'use as many',
    unit: ' seconds for questions',
    ending: ', and too few are left for another question',
    format: formatRounded,
  },
  attempts: {
    verb: 'made',
    participle: 'made',
    verbOfEachRun: 'make as many',
    unit: ' attempts',
    format: groupThousands,
  },
};

/** Creates the reason to stop because of a budget. `neededAmount`: the amount that the next question needs. */
function createStop(budget: Budget, account: SpentAmounts, limit: number, neededAmount: number): Stop {
  const { scope, kind, setting, option } = budget;
  const { verb, participle, verbOfEachRun, unit, ending = '', format } = WORDS_BY_KIND[kind];
  const usedAmount = account[budgetNameOf(scope, kind)];
  const amount = `${format(usedAmount)} of ${format(limit)}${unit}`;
  const reservedCosts = account.recent.filter(({ isReserved }) => isReserved).filter(createScopeFilter(scope));
  const reservedPhrase = formatReserved(kind, reservedCosts);
  const raise = `Raise ${option === undefined ? '' : `${option} or `}${setting}`;
  const doneSentence = formatDoneSentence(scope, kind, account, reservedCosts);
  if (scope === 'task') {
    const wait = reservedPhrase === '' ? '' : ' wait until that has ended,';
    const advice = `${raise},${wait} or start again with --again.`;
    return {
      reason: `This task has ${verb} ${amount}${reservedPhrase}${ending}.${doneSentence} ${advice}`,
      scope: 'task',
    };
  }
  if (scope === 'run')
    return {
      reason: `This run has ${verb} ${amount}${reservedPhrase}${ending}.${doneSentence} ${raise}, or run the command again: each run may ${verbOfEachRun}.`,
      scope: 'all',
      freeInMs: null,
    };
  const freeInMs = computeTimeUntilFree(account.recent, kind, usedAmount + neededAmount - limit);
  const wait = freeInMs === null ? '' : `, or wait for ${formatWait(freeInMs)}`;
  return {
    reason: `${amount} are ${participle} since yesterday at this time${reservedPhrase}${ending}.${doneSentence} ${raise}${wait}.`,
    scope: 'all',
    freeInMs,
  };
}

/** Creates a function that is true for costs in the scope. */
function createScopeFilter(scope: BudgetScope): (cost: RecentCost) => boolean {
  return ({ isOfTask, isOfRun }) => (scope === 'task' ? isOfTask : scope === 'run' ? isOfRun : true);
}

/** The part of a sentence about reserved amounts; empty if nothing is reserved. */
function formatReserved(kind: BudgetKind, reserved: readonly RecentCost[]): string {
  const amount = sumAmounts(kind, reserved);
  return amount === 0
    ? ''
    : `, of which ${WORDS_BY_KIND[kind].format(amount)} are only reserved by a question in progress`;
}

function sumAmounts(kind: BudgetKind, costs: readonly RecentCost[]): number {
  return costs.reduce((sum, cost) => sum + cost[kind], 0);
}

/**
 * A sentence about what was done until a budget was used up: the other amounts of the same scope, without reserved
 * ones. Empty if there are none.
 */
function formatDoneSentence(
  scope: BudgetScope,
  usedUpKind: BudgetKind,
  account: SpentAmounts,
  reserved: readonly RecentCost[],
): string {
  const formatAmount = (kind: BudgetKind): string => {
    const amount = account[budgetNameOf(scope, kind)] - sumAmounts(kind, reserved);
    if (kind === usedUpKind || amount <= 0) return '';
    if (kind === 'attempts') return formatCount(amount, 'attempt');
    if (kind === 'money') return `${amountText(amount)} by your prices`;
    return kind === 'tokens' ? formatCount(amount, 'token') : `${groupThousands(Math.ceil(amount))} s for questions`;
  };
  const parts = BUDGET_KINDS.map(formatAmount).filter((part) => part !== '');
  return parts.length === 0 ? '' : ` Done until then: ${parts.toReversed().join(', ')}.`;
}

/**
 * The milliseconds until enough amounts of the last 24 hours are free again; null if all of them are not enough.
 * `excess`: the amount that must become free.
 */
function computeTimeUntilFree(recent: readonly RecentCost[], kind: BudgetKind, excess: number): number | null {
  let remaining = excess;
  for (const question of recent) {
    remaining -= question[kind];
    if (remaining <= 0) return question.freeInMs;
  }
  return null;
}

/** The time in whole minutes, or from two hours on in whole hours, rounded up. */
function formatWait(milliseconds: number): string {
  const minutes = Math.max(1, Math.ceil(milliseconds / 60_000));
  return minutes < 120 ? formatCount(minutes, 'minute') : formatCount(Math.ceil(minutes / 60), 'hour');
}

/**
 * The reason why the question is too long for the model; null if it is not, or if the limit of the model is unknown.
 */
export function explainTooLong(
  { name }: Pick<Proposer, 'name'>,
  promptTokens: number,
  maxTokens: number | null,
): Stop | null {
  if (maxTokens === null || promptTokens <= maxTokens) return null;
  const size = `The question has about ${formatCount(promptTokens, 'token')}`;
  return {
    reason: `${size}, and ${name} reads at most ${groupThousands(maxTokens)}. Use a larger model.`,
    scope: 'task',
  };
}
