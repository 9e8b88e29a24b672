// Counts the questions to models and their cost by replaying the ledger, so that after a restart no budget starts again
// and no attempt is forgotten.

import { SHOWN_KINDS, type AnsweredData, type AskedData, type Spending } from '../model/asks.ts';
import type { Millis } from '../model.ts';
import { computeAmount } from './prices.ts';
import { computeMaxTrafficAmount } from '../../util/values/traffic.ts';
import { DAY_MS } from '../../util/timing/durations.ts';

/**
 * Maximum number of attempts at a task: three approaches with three attempts each. After them, a person should look at
 * the task.
 */
export const MAX_ATTEMPTS = 9;
/** Number of attempts with one approach, and at one task in one run. */
export const ATTEMPTS_PER_PROPOSER = 3;
/** Number of crashes of the process during a task after which the task waits for a person. */
export const MAX_CRASHES = 3;
/**
 * Maximum number of seconds that are charged for a question whose process has died, because the time of its death is
 * unknown.
 */
const MAX_SECONDS_AFTER_CRASH = 60;

/** An event of the ledger about a question: it was asked or answered. */
export interface AskEvent {
  readonly at: Millis;
  readonly asked?: AskedData;
  readonly answered?: AnsweredData;
}

/**
 * The scopes of budgets: one task (since a person last reset it or a change for it was kept), all tasks of this run,
 * and all tasks of the last 24 hours.
 */
export const BUDGET_SCOPES = ['task', 'run', 'day'] as const;

/** A scope of budgets. */
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/**
 * The amounts that budgets limit. Money is counted only for questions with a known price. Seconds are the time during
 * which questions were in progress. Several answers to one question are one attempt. A question that could not be sent
 * or was cancelled is not an attempt.
 */
export const BUDGET_KINDS = ['tokens', 'money', 'seconds', 'attempts'] as const;

/** A kind of amount that budgets limit. */
export type BudgetKind = (typeof BUDGET_KINDS)[number];

/** The name of a budget, such as `taskTokens`. */
export type BudgetName = `${BudgetScope}${Capitalize<BudgetKind>}`;

/** An amount of each kind. */
export type Amounts = Readonly<Record<BudgetKind, number>>;

/** The name of the budget of this kind in this scope. */
export function budgetNameOf(scope: BudgetScope, kind: BudgetKind): BudgetName {
  return `${scope}${(kind[0]!.toUpperCase() + kind.slice(1)) as Capitalize<BudgetKind>}`;
}

/** The attempts at a task, and the amounts that the task, the run and the last 24 hours have used so far. */
export interface Account extends Readonly<Record<BudgetName, number>> {
  /** The answers for this task since a person last reset it, and since its last kept change, oldest first. */
  readonly attempts: readonly AnsweredData[];
  /**
   * Number of attempts. Several answers to one question are one attempt. Proposals of the kinds `SHOWN_KINDS`, which a
   * person is shown, are not counted, because deferring them is not a failure. A question that could not be sent is not
   * an attempt either.
   */
  readonly rounds: number;
  /** Number of attempts that never ended because their process died. */
  readonly crashes: number;
  /** True if the newest question about the task led to a kept change. */
  readonly isSolved: boolean;
  /** The amounts of the last 24 hours, in the order in which they become free again. */
  readonly recent: readonly RecentCost[];
}

/**
 * The cost of a question, which counts until the question is 24 hours old; or the amounts that are reserved for the
 * answer to a question in progress (`isReserved`), which become free when the question times out at the latest.
 */
export interface RecentCost extends Amounts {
  /** Milliseconds until the amounts become free again. */
  readonly freeInMs: number;
  readonly isReserved: boolean;
  /** True if the question is about the task of the account. */
  readonly isOfTask: boolean;
  /** True if the question is about a task of the run. */
  readonly isOfRun: boolean;
}

/**
 * The earlier part of a continued run: the time at which its unattended run began, or null, and the ids of its
 * sessions.
 */
interface ContinuedRun {
  readonly night: Millis | null;
  readonly runs: ReadonlySet<string>;
}

/** True if the question is part of the run that is continued. */
function isContinued({ night, runs }: ContinuedRun, question: AskedData): boolean {
  return runs.has(question.run) || (night !== null && question.night === night);
}

/** Collects the last answer to each question, by the id of the question. */
export function collectAnswers(events: readonly AskEvent[]): ReadonlyMap<string, AnsweredData> {
  return new Map(events.flatMap(({ answered: answer }) => (answer ? [[answer.ask, answer] as const] : [])));
}

/**
 * Computes the account of a task. `run`: the id of this run, whose unanswered questions are still in progress.
 * `continuedRun`: the run that this run continues, whose cost counts as cost of this run. `keptProposals`: ids of kept
 * proposals; the attempts and amounts of the task start at zero again after each of them, because a success is not a
 * failed attempt.
 */
export function computeAccount(
  events: readonly AskEvent[],
  task: string,
  run: string,
  now: Millis,
  continuedRun: ContinuedRun = { night: null, runs: new Set() },
  keptProposals: ReadonlySet<string> = new Set(),
): Account {
  const answersByQuestion = collectAnswers(events);
  const successfulRounds = findSuccessfulRounds(events, answersByQuestion, keptProposals);
  let attempts: AnsweredData[] = [];
  let rounds = new Set<string>();
  let crashes = 0;
  let isSolved = false;
  const totals = createTotals();
  const recent: RecentCost[] = [];
  for (const { at, asked } of events) {
    if (!asked) continue;
    const answer = answersByQuestion.get(asked.ask);
    const { spent, reserved, endsInMs } = computeQuestionCost({ at, asked }, answer, now);
    const round = asked.round ?? asked.ask;
    const isOfTask = asked.task.id === task;
    const isOfRun = asked.run === run || isContinued(continuedRun, asked);
    if (isOfRun) totals.add('run', round, spent, reserved);
    if (at > now - DAY_MS) {
      const attemptsOfDay = totals.add('day', round, spent, reserved);
      const scopes = { isOfTask, isOfRun };
      recent.push({ ...spent, attempts: attemptsOfDay, freeInMs: at + DAY_MS - now, isReserved: false, ...scopes });
      if (endsInMs > 0) recent.push({ ...reserved, freeInMs: endsInMs, isReserved: true, ...scopes });
    }
    if (!isOfTask) continue;
    // All answers to a question are part of its success if its best answer was kept.
    isSolved = successfulRounds.has(round);
    if (asked.fresh || isSolved) {
      [attempts, rounds] = [[], new Set()];
      crashes = 0;
      totals.reset('task');
    }
    if (isSolved) continue;
    totals.add('task', round, spent, reserved);
    if (answer && isFreeOutage(answer)) continue;
    if (answer && answer.outcome !== 'cancelled') {
      attempts.push(answer);
      const isShown = SHOWN_KINDS.has(asked.task.kind) && answer.outcome === 'proposed';
      if (!isShown) rounds.add(round);
    } else if (!answer && asked.run !== run) crashes += 1;
  }
  recent.sort((a, b) => a.freeInMs - b.freeInMs);
  return { attempts, rounds: rounds.size, crashes: crashes, isSolved, ...totals.cells, recent };
}

/**
 * Finds the rounds with an answer that became one of the kept proposals. A round is a question with all its answers.
 */
export function findSuccessfulRounds(
  events: readonly AskEvent[],
  answers: ReadonlyMap<string, AnsweredData>,
  keptProposals: ReadonlySet<string>,
): ReadonlySet<string> {
  if (keptProposals.size === 0) return new Set();
  const isKept = (answer: AnsweredData | undefined) => answer?.proposal != null && keptProposals.has(answer.proposal);
  return new Set(
    events.flatMap(({ asked }) => (asked && isKept(answers.get(asked.ask)) ? [asked.round ?? asked.ask] : [])),
  );
}

/** Creates sums of amounts by budget, which count each attempt once. */
function createTotals() {
  const createZeros = (scope: BudgetScope) =>
    Object.fromEntries(BUDGET_KINDS.map((kind) => [budgetNameOf(scope, kind), 0]));
  const amountsByBudget = Object.assign({}, ...BUDGET_SCOPES.map(createZeros)) as Record<BudgetName, number>;
  const rounds = { task: new Set<string>(), run: new Set<string>(), day: new Set<string>() };
  return {
    cells: amountsByBudget,
    reset(scope: BudgetScope): void {
      Object.assign(amountsByBudget, createZeros(scope));
      rounds[scope].clear();
    },
    /** Adds the amounts of a question to a scope; returns the number of attempts that it adds. */
    add(scope: BudgetScope, round: string, spent: Amounts, reserved: Amounts): number {
      const attempts = rounds[scope].has(round) ? 0 : spent.attempts;
      if (attempts > 0) rounds[scope].add(round);
      for (const kind of BUDGET_KINDS)
        amountsByBudget[budgetNameOf(scope, kind)] += kind === 'attempts' ? attempts : spent[kind] + reserved[kind];
      return attempts;
    },
  };
}

/**
 * Computes the amounts that a question has used (`spent`), and those that are reserved for its answer while it may
 * still come. If its time is over without an answer, its process has died, so no answer will come, and the tokens of
 * its answer are unknown. `endsInMs`: milliseconds until the question times out; 0 if it is answered, and negative
 * after the time-out.
 */
function computeQuestionCost(
  { at, asked }: { readonly at: Millis; readonly asked: AskedData },
  answer: AnsweredData | undefined,
  now: Millis,
): { readonly spent: Amounts; readonly reserved: Amounts; readonly endsInMs: number } {
  const { price, budget } = asked;
  const { input, output, cached, written } = countTokens(asked, answer);
  const computeMoney = (usage: Parameters<typeof computeAmount>[0]) => (price ? computeAmount(usage, price) : 0);
  // The system clock may have been changed in the meantime.
  const secondsWithin = (millis: number) => Math.min(budget.seconds, Math.max(0, millis / 1000));
  const endsInMs = at + budget.seconds * 1000 - now;
  const noAmounts = { tokens: 0, money: 0, seconds: 0, attempts: 0 };
  if (answer) {
    const isFree = isFreeOutage(answer);
    const tokens = isFree ? 0 : (answer.usage?.limited ?? input + output);
    const money = computeMoney({ input, output, cached, written });
    const attempts = isFree || answer.outcome === 'cancelled' ? 0 : 1;
    const spent = { tokens, money, seconds: isFree ? 0 : secondsWithin(answer.millis), attempts };
    return { spent, reserved: noAmounts, endsInMs: 0 };
  }
  const seconds = secondsWithin(now - at);
  const spent = { tokens: input, money: computeMoney({ input, output: 0, cached }), seconds, attempts: 1 };
  if (endsInMs <= 0)
    return { spent: { ...spent, seconds: Math.min(seconds, MAX_SECONDS_AFTER_CRASH) }, reserved: noAmounts, endsInMs };
  const pendingAmounts = { seconds: budget.seconds - seconds, attempts: 0 };
  if (budget.trafficTokens === undefined)
    return {
      spent,
      reserved: { tokens: output, money: computeMoney({ input: 0, output, cached: 0 }), ...pendingAmounts },
      endsInMs,
    };
  // The traffic includes the tokens of the question itself.
  const tokens = Math.max(0, budget.trafficTokens - spent.tokens);
  const money = budget.trafficMoney ?? (price ? computeMaxTrafficAmount(budget.trafficTokens, price) : 0);
  return { spent, reserved: { tokens, money: Math.max(0, money - spent.money), ...pendingAmounts }, endsInMs };
}

/**
 * Counts the attempts at a task in this run. Several answers to one question are one attempt, and a question that could
 * not be sent is not an attempt.
 */
export function countRoundsOfRun(events: readonly AskEvent[], task: string, run: string): number {
  const answers = collectAnswers(events);
  const rounds = events.flatMap(({ asked }) => {
    if (asked?.task.id !== task || asked.run !== run) return [];
    const answer = answers.get(asked.ask);
    return answer && isFreeOutage(answer) ? [] : [asked.round ?? asked.ask];
  });
  return new Set(rounds).size;
}

/** Sums the cost of all questions of the last 24 hours. */
export function computeSpending(events: readonly AskEvent[], now: Millis): Spending {
  const recent = events.flatMap(({ at, asked }) => (asked && at > now - DAY_MS ? asked : []));
  const { dayTokens, dayMoney } = computeAccount(events, '', '', now);
  const unpricedCount = recent.filter(({ price }) => price === undefined).length;
  const savedTokens = recent.reduce((sum, question) => sum + (question.savedTokens ?? 0), 0);
  return { tokens: dayTokens, money: dayMoney, questions: recent.length, unpriced: unpricedCount, savedTokens };
}

/**
 * Counts the tokens of a question. Usage that a provider did not report is estimated. A question without an answer
 * counts with the longest possible answer. A question that could not be sent counts zero.
 */
export function countTokens(
  { promptTokens, budget }: Pick<AskedData, 'promptTokens' | 'budget'>,
  answer: AnsweredData | undefined,
): { readonly input: number; readonly output: number; readonly cached: number; readonly written: number } {
  if (answer && isFreeOutage(answer)) return { input: 0, output: 0, cached: 0, written: 0 };
  const unknown = { input: promptTokens, output: answer ? 0 : budget.replyTokens, cached: 0 };
  return { written: 0, ...(answer?.usage ?? unknown) };
}

/** True if no server could be reached or has worked on the question, so it cost nothing and is not an attempt. */
function isFreeOutage({ outage, usage }: Pick<AnsweredData, 'outage' | 'usage'>): boolean {
  return outage !== undefined && usage === null;
}
