// What was asked and spent so far, as a fold over the ledger: after a restart no budget is doubled and no attempt is
// forgotten.

import type { AnsweredData, AskedData } from '../model/asks.ts';
import type { Millis } from '../model.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Three approaches with three attempts each; after that a person should look at the task. */
export const MOST_ATTEMPTS = 9;
export const ATTEMPTS_EACH = 3;
/** A task that ended its process this often waits for a person. */
export const MOST_DEATHS = 3;

export interface AskEvent {
  readonly at: Millis;
  readonly asked?: AskedData;
  readonly answered?: AnsweredData;
}

export interface Account {
  /** Attempts at this task since a person last reset it, oldest first. */
  readonly attempts: readonly AnsweredData[];
  /** Number of attempts that never ended because their process died. */
  readonly deaths: number;
  readonly taskTokens: number;
  /** Tokens of all tasks in the last 24 hours. */
  readonly dayTokens: number;
}

/** `run`: an attempt of this run that has not ended is still in progress, so it did not die. */
export function accountOf(events: readonly AskEvent[], task: string, run: string, now: Millis): Account {
  const answered = new Map(events.flatMap(({ answered: one }) => (one ? [[one.ask, one] as const] : [])));
  let attempts: AnsweredData[] = [];
  let [deaths, taskTokens, dayTokens] = [0, 0, 0];
  for (const { at, asked } of events) {
    if (!asked) continue;
    const answer = answered.get(asked.ask);
    const tokens = tokensOf(asked, answer);
    if (at > now - DAY_MS) dayTokens += tokens;
    if (asked.task.id !== task) continue;
    if (asked.fresh) [attempts, deaths, taskTokens] = [[], 0, 0];
    taskTokens += tokens;
    if (answer && answer.outcome !== 'cancelled') attempts.push(answer);
    else if (!answer && asked.run !== run) deaths += 1;
  }
  return { attempts, deaths, taskTokens, dayTokens };
}

/** Usage that a provider did not report is estimated. An attempt that died counts with its whole budget. */
function tokensOf({ promptTokens, budget }: AskedData, answer: AnsweredData | undefined): number {
  if (answer?.usage) return answer.usage.input + answer.usage.output;
  return promptTokens + (answer ? 0 : budget.replyTokens);
}

export interface Limits {
  readonly taskTokens: number;
  readonly dayTokens: number;
}

/** Why no question is asked, about this task or about any. */
export interface Stop {
  /** A sentence that also says what to do. */
  readonly reason: string;
  readonly of: 'task' | 'all';
}

/** Null = a question may be asked. */
export function reasonToStop(account: Account, limits: Limits, promptTokens: number): Stop | null {
  const { attempts, deaths, taskTokens, dayTokens } = account;
  const task = (reason: string): Stop => ({ reason, of: 'task' });
  if (deaths >= MOST_DEATHS)
    return task(
      `Selfware ended ${deaths} times in the middle of this task, so it waits for you. Try it again with --again.`,
    );
  if (attempts.length >= MOST_ATTEMPTS)
    return task(
      `${attempts.length} attempts have failed, so it waits for you. Look at what they came to, then try again with --again.`,
    );
  if (taskTokens + promptTokens > limits.taskTokens)
    return task(
      `This task has used ${taskTokens} of ${limits.taskTokens} tokens. Raise models.tokensPerTask, or begin anew with --again.`,
    );
  if (dayTokens + promptTokens > limits.dayTokens)
    return {
      reason: `${dayTokens} of ${limits.dayTokens} tokens are used since yesterday at this time. Raise models.tokensPerDay, or wait.`,
      of: 'all',
    };
  return null;
}

/** Maximum tokens of a reply, so that the budgets hold. */
export function replyLimit(account: Account, limits: Limits, promptTokens: number, most: number): number {
  const left = Math.min(limits.taskTokens - account.taskTokens, limits.dayTokens - account.dayTokens) - promptTokens;
  return Math.max(1, Math.min(most, left));
}
