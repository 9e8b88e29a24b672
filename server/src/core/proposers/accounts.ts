// Counts questions and their cost, as a fold over the ledger, so that after a restart no budget is doubled and no
// attempt is forgotten.

import { counted } from '../../util/counted.ts';
import { amountText } from '../../util/amountText.ts';
import { thousands } from '../../util/thousands.ts';
import { SHOWN_KINDS, type AnsweredData, type AskedData, type Price, type Spending } from '../model/asks.ts';
import type { Millis } from '../model.ts';
import type { Proposer } from '../ports/proposers.ts';
import { computeAmount } from './prices.ts';
import { maxTrafficAmount } from '../../util/values/traffic.ts';

const DAY_MS = 24 * 60 * 60_000;
/**
 * Maximum number of attempts at a task: three approaches with three attempts each. After that a person should look at
 * the task.
 */
export const MAX_ATTEMPTS = 9;
/** Number of attempts with one approach, and at one task in one run. */
export const ATTEMPTS_PER_PROPOSER = 3;
/** A task that ended its process this often waits for a person. */
export const MAX_CRASHES = 3;

/** An event of the ledger about a question: `asked` or `answered`. */
export interface AskEvent {
  readonly at: Millis;
  readonly asked?: AskedData;
  readonly answered?: AnsweredData;
}

/** Attempts, tokens and money that a task, the run and the last 24 hours have used so far. */
export interface Account {
  /** Answers for this task since a person last reset it, oldest first. */
  readonly attempts: readonly AnsweredData[];
  /**
   * Number of attempts: several answers to one question are one. What was shown to a person (`SHOWN_KINDS`) does not
   * count, because deferring it is not a failure. A question that could not be sent is no attempt either.
   */
  readonly rounds: number;
  /** Number of attempts that never ended because their process died. */
  readonly deaths: number;
  readonly taskTokens: number;
  /** Tokens of all tasks in this run. */
  readonly runTokens: number;
  /** Tokens of all tasks in the last 24 hours. */
  readonly dayTokens: number;
  /** Money of the task since a person last reset it; questions without a known price do not count. */
  readonly taskMoney: number;
  /** Money of all tasks in this run; questions without a known price do not count. */
  readonly runMoney: number;
  /** Money of all tasks in the last 24 hours; questions without a known price do not count. */
  readonly dayMoney: number;
  /** What counts of the last 24 hours, in the order in which it is free again. */
  readonly recent: readonly RecentCost[];
}

interface Amounts {
  readonly tokens: number;
  readonly money: number;
}

/**
 * The cost of a question of the last 24 hours, until it is 24 hours old; or what is reserved for the answer to a
 * question in progress, which is free again when its time is up at the latest.
 */
interface RecentCost extends Amounts {
  readonly freeInMs: number;
  readonly isReserved: boolean;
  /** True if the question is about the task of the account, or one of its run. */
  readonly isOfTask: boolean;
  readonly isOfRun: boolean;
}

/** The earlier part of a run: the time at which an unattended run began, or null, and the ids of sessions. */
interface ContinuedRun {
  readonly night: Millis | null;
  readonly runs: ReadonlySet<string>;
}

function isContinued({ night, runs }: ContinuedRun, question: AskedData): boolean {
  return runs.has(question.run) || (night !== null && question.night === night);
}

/** The last answer to each question. */
export function collectAnswers(events: readonly AskEvent[]): ReadonlyMap<string, AnsweredData> {
  return new Map(events.flatMap(({ answered: answer }) => (answer ? [[answer.ask, answer] as const] : [])));
}

/**
 * The account of a task. `run`: an attempt of this run that has not ended is still in progress, so it did not die.
 * `continued`: what this run continues; its cost counts as cost of this run.
 */
export function computeAccount(
  events: readonly AskEvent[],
  task: string,
  run: string,
  now: Millis,
  continued: ContinuedRun = { night: null, runs: new Set() },
): Account {
  const answered = collectAnswers(events);
  let attempts: AnsweredData[] = [];
  let rounds = new Set<string>();
  let [deaths, taskTokens, runTokens, dayTokens] = [0, 0, 0, 0];
  let [taskMoney, runMoney, dayMoney] = [0, 0, 0];
  const recent: RecentCost[] = [];
  for (const { at, asked } of events) {
    if (!asked) continue;
    const answer = answered.get(asked.ask);
    const { spent, reserved, endsInMs } = computeQuestionCost({ at, asked }, answer, now);
    const [tokens, money] = [spent.tokens + reserved.tokens, spent.money + reserved.money];
    const isOfTask = asked.task.id === task;
    const isOfRun = asked.run === run || isContinued(continued, asked);
    if (isOfRun) {
      runTokens += tokens;
      runMoney += money;
    }
    if (at > now - DAY_MS) {
      dayTokens += tokens;
      dayMoney += money;
      recent.push({ ...spent, freeInMs: at + DAY_MS - now, isReserved: false, isOfTask, isOfRun });
      if (reserved.tokens > 0) recent.push({ ...reserved, freeInMs: endsInMs, isReserved: true, isOfTask, isOfRun });
    }
    if (!isOfTask) continue;
    if (asked.fresh) {
      [attempts, rounds] = [[], new Set()];
      [deaths, taskTokens, taskMoney] = [0, 0, 0];
    }
    taskTokens += tokens;
    taskMoney += money;
    if (answer && isFreeOutage(answer)) continue;
    if (answer && answer.outcome !== 'cancelled') {
      attempts.push(answer);
      const isShown = SHOWN_KINDS.has(asked.task.kind) && answer.outcome === 'proposed';
      if (!isShown) rounds.add(asked.round ?? asked.ask);
    } else if (!answer && asked.run !== run) deaths += 1;
  }
  recent.sort((a, b) => a.freeInMs - b.freeInMs);
  const costs = { taskTokens, runTokens, dayTokens, taskMoney, runMoney, dayMoney, recent };
  return { attempts, rounds: rounds.size, deaths, ...costs };
}

/**
 * What a question counts, and apart from it what is reserved for its answer while that may still come. If its time is up
 * without an answer, its process has died: nothing more comes, and what an answer has cost until then is unknown.
 */
function computeQuestionCost(
  { at, asked }: { readonly at: Millis; readonly asked: AskedData },
  answer: AnsweredData | undefined,
  now: Millis,
): { readonly spent: Amounts; readonly reserved: Amounts; readonly endsInMs: number } {
  const { price, budget } = asked;
  const { input, output, cached } = countTokens(asked, answer);
  const moneyOf = (usage: Parameters<typeof computeAmount>[0]) => (price ? computeAmount(usage, price) : 0);
  const endsInMs = at + budget.seconds * 1000 - now;
  const nothing = { tokens: 0, money: 0 };
  if (answer) {
    const tokens = isFreeOutage(answer) ? 0 : (answer.usage?.limited ?? input + output);
    return { spent: { tokens, money: moneyOf({ input, output, cached }) }, reserved: nothing, endsInMs };
  }
  const spent = { tokens: input, money: moneyOf({ input, output: 0, cached }) };
  if (endsInMs <= 0) return { spent, reserved: nothing, endsInMs };
  if (budget.trafficTokens === undefined)
    return { spent, reserved: { tokens: output, money: moneyOf({ input: 0, output, cached: 0 }) }, endsInMs };
  // The question is a part of the traffic.
  const tokens = Math.max(0, budget.trafficTokens - spent.tokens);
  const money = budget.trafficMoney ?? (price ? maxTrafficAmount(budget.trafficTokens, price) : 0);
  return { spent, reserved: { tokens, money: Math.max(0, money - spent.money) }, endsInMs };
}

/**
 * Number of attempts at a task in this run: several answers to one question are one, and a question that could not be
 * sent is none.
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

/** The cost of all questions of the last 24 hours. */
export function computeSpending(events: readonly AskEvent[], now: Millis): Spending {
  const recent = events.flatMap(({ at, asked }) => (asked && at > now - DAY_MS ? asked : []));
  const { dayTokens, dayMoney } = computeAccount(events, '', '', now);
  const unpriced = recent.filter(({ price }) => price === undefined).length;
  const savedTokens = recent.reduce((sum, question) => sum + (question.savedTokens ?? 0), 0);
  return { tokens: dayTokens, money: dayMoney, questions: recent.length, unpriced, savedTokens };
}

/**
 * The tokens of a question. Usage that a provider did not report is estimated. An attempt without an answer counts with
 * the longest one, and one whose proposer could not be reached with nothing.
 */
export function countTokens(
  { promptTokens, budget }: Pick<AskedData, 'promptTokens' | 'budget'>,
  answer: AnsweredData | undefined,
): { readonly input: number; readonly output: number; readonly cached: number } {
  if (answer && isFreeOutage(answer)) return { input: 0, output: 0, cached: 0 };
  return answer?.usage ?? { input: promptTokens, output: answer ? 0 : budget.replyTokens, cached: 0 };
}

/** True if nobody could be reached, and no server has worked on the question: it cost nothing and is no attempt. */
export function isFreeOutage({ outage, usage }: Pick<AnsweredData, 'outage' | 'usage'>): boolean {
  return outage !== undefined && usage === null;
}

/** The limits from the settings: tokens, and money in the unit of the prices. */
export interface SpendingLimits {
  readonly taskTokens: number;
  /** Maximum tokens of a run; null if there is no limit. */
  readonly runTokens: number | null;
  readonly dayTokens: number;
  /** Maximum money of a task, of a run, and of 24 hours; null if there is no limit. */
  readonly taskMoney: number | null;
  readonly runMoney: number | null;
  readonly dayMoney: number | null;
}

/** A proposer with its price; null if unknown. */
export interface PricedProposer {
  readonly name: string;
  readonly price: Price | null;
}

/** The reason why no question is asked: about this task, to this proposer, or at all. */
export interface Stop {
  /** A sentence that also states the next step. */
  readonly reason: string;
  readonly of: 'task' | 'proposer' | 'all';
  /**
   * Set if a budget is used up. Milliseconds until enough of it is free again; null if that takes another run or a person.
   */
  readonly freeInMs?: number | null;
}

/** The parts of an account that limits are about. */
export type Spent = Omit<Account, 'attempts'>;

/** The reason to stop; null if a question may be asked. */
export function findStopReason(
  account: Spent,
  limits: SpendingLimits,
  promptTokens: number,
  proposer: PricedProposer,
): Stop | null {
  const { rounds, deaths, taskTokens, dayTokens } = account;
  const task = (reason: string): Stop => ({ reason, of: 'task' });
  if (deaths >= MAX_CRASHES)
    return task(
      `Selfware ended ${deaths} times in the middle of this task, so it waits for you. Try it again with --again.`,
    );
  if (rounds >= MAX_ATTEMPTS)
    return task(
      `${rounds} attempts have failed, so it waits for you. Look at what they came to, then try again with --again.`,
    );
  if (taskTokens + promptTokens > limits.taskTokens) {
    const reserved = reservedText(sumReserved(account.recent.filter(({ isOfTask }) => isOfTask)).tokens, thousands);
    const wait = reserved === '' ? '' : ' wait until that has ended,';
    return task(
      `This task has used ${taskTokens} of ${limits.taskTokens} tokens${reserved}. Raise models.tokensPerTask,${wait} or start again with --again.`,
    );
  }
  if (limits.runTokens !== null && account.runTokens + promptTokens > limits.runTokens)
    return {
      reason:
        `This run has used ${account.runTokens} of ${limits.runTokens} tokens` +
        `${reservedText(sumReserved(account.recent.filter(({ isOfRun }) => isOfRun)).tokens, thousands)}. Raise ` +
        `models.tokensPerRun, or run the command again: each run may use as many.`,
      of: 'all',
      freeInMs: null,
    };
  if (dayTokens + promptTokens > limits.dayTokens) {
    const freeInMs = timeUntilFree(account.recent, 'tokens', dayTokens + promptTokens - limits.dayTokens);
    return {
      reason:
        `${dayTokens} of ${limits.dayTokens} tokens are used since yesterday at this time` +
        `${reservedText(sumReserved(account.recent).tokens, thousands)}. Raise models.tokensPerDay${orWait(freeInMs)}.`,
      of: 'all',
      freeInMs,
    };
  }
  return explainMoneyLimit(account, limits, promptTokens, proposer);
}

/** What is reserved for the answers to questions in progress. */
function sumReserved(recent: readonly RecentCost[]): Amounts {
  const reserved = recent.filter(({ isReserved }) => isReserved);
  return {
    tokens: reserved.reduce((sum, { tokens }) => sum + tokens, 0),
    money: reserved.reduce((sum, { money }) => sum + money, 0),
  };
}

/** A part of a sentence; empty if nothing is reserved. */
function reservedText(amount: number, write: (amount: number) => string): string {
  return amount === 0 ? '' : `, of which ${write(amount)} are only reserved by a question in progress`;
}

/** Advice to wait until enough is free again; empty if it never will be. */
function orWait(freeInMs: number | null): string {
  return freeInMs === null ? '' : `, or wait for ${waitText(freeInMs)}`;
}

/**
 * Milliseconds until enough of the last 24 hours no longer counts; null if even all of it is not enough.
 * `excess`: what has to be freed.
 */
function timeUntilFree(recent: readonly RecentCost[], resource: 'tokens' | 'money', excess: number): number | null {
  let remaining = excess;
  for (const question of recent) {
    remaining -= question[resource];
    if (remaining <= 0) return question.freeInMs;
  }
  return null;
}

/** Whole minutes, or from two hours on whole hours, rounded up. */
function waitText(milliseconds: number): string {
  const minutes = Math.max(1, Math.ceil(milliseconds / 60_000));
  return minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour');
}

/**
 * The reason if a limit of money is used up. With a limit, no proposer without a known price is asked, because the
 * limit could not be held.
 */
function explainMoneyLimit(
  { taskMoney, runMoney, dayMoney, recent }: Spent,
  { taskMoney: maxOfTask, runMoney: maxOfRun, dayMoney: maxOfDay }: SpendingLimits,
  promptTokens: number,
  { name, price }: PricedProposer,
): Stop | null {
  if (maxOfTask === null && maxOfRun === null && maxOfDay === null) return null;
  if (!price)
    return {
      reason: `The price of ${name} is unknown, so a limit of money cannot be kept. Set it in models.prices, or take the limit away.`,
      of: 'proposer',
    };
  const question = computeAmount({ input: promptTokens, output: 1, cached: 0 }, price);
  if (maxOfTask !== null && taskMoney + question > maxOfTask)
    return {
      reason:
        `This task has cost ${amountText(taskMoney)} of ${amountText(maxOfTask)}, and the next question would exceed ` +
        `that. Raise models.costPerTask, or start again with --again.`,
      of: 'task',
    };
  if (maxOfRun !== null && runMoney + question > maxOfRun)
    return {
      reason:
        `This run has cost ${amountText(runMoney)} of ${amountText(maxOfRun)}, and the next question would ` +
        `exceed that. Raise --max-cost or models.costPerRun, or run the command again: each run may cost as much.`,
      of: 'all',
      freeInMs: null,
    };
  if (maxOfDay !== null && dayMoney + question > maxOfDay) {
    const freeInMs = timeUntilFree(recent, 'money', dayMoney + question - maxOfDay);
    return {
      reason:
        `${amountText(dayMoney)} of ${amountText(maxOfDay)} are spent since yesterday at this time` +
        `${reservedText(sumReserved(recent).money, amountText)}, and the next question would exceed that. Raise models.costPerDay${orWait(freeInMs)}.`,
      of: 'all',
      freeInMs,
    };
  }
  return null;
}

/** The reason that the model cannot read the whole question; null if it can, or if its limit is unknown. */
export function explainTooLong(
  { name }: Pick<Proposer, 'name'>,
  promptTokens: number,
  maxTokens: number | null,
): Stop | null {
  if (maxTokens === null || promptTokens <= maxTokens) return null;
  const size = `The question has about ${counted(promptTokens, 'token')}`;
  return { reason: `${size}, and ${name} reads at most ${thousands(maxTokens)}. Use a larger model.`, of: 'task' };
}
