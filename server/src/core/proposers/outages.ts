// Decides from past questions whether a proposer can be reached, and when it is asked again after an outage.

import type { SelfwareError } from '../../util/typedError.ts';
import type { Millis } from '../model.ts';
import type { AskEvent } from './accounts.ts';

/** The pause after the first failure. It doubles with each further failure, up to the maximum. */
const FIRST_PAUSE_MS = 15_000;
/** The maximum of the pauses after consecutive failures. */
const MAX_PAUSE_MS = 30 * 60_000;
/** The pause if a model could not be loaded or its editor did not answer, before any question was sent. */
const UNSENT_PAUSE_MS = 5 * 60_000;
/**
 * Number of consecutive outages after which a task is given up, if the proposer has answered another task since the
 * first of them.
 */
const MAX_OUTAGES_BESIDE_ANSWERS = 3;
/**
 * Number of consecutive outages for the same reason after which a task is given up, if each of them may have been
 * charged.
 */
const MAX_CHARGED_OUTAGES = 5;

/**
 * A pause in which nobody is asked. `until`: the time of the next question; null if only another run or a person can
 * end it.
 */
export interface AskPause {
  readonly reason: string;
  readonly until: Millis | null;
}

/**
 * Finds the current outage of the proposer with this name: its newest questions could not be answered, and its pause is
 * not over. Null if there is none. `events`: oldest first.
 */
export function findOutage(events: readonly AskEvent[], name: string, now: Millis): AskPause | null {
  const questions = new Set(events.flatMap(({ asked }) => (asked?.proposer === name ? [asked.ask] : [])));
  const answers = events.filter(
    ({ answered }) => answered && answered.outcome !== 'cancelled' && questions.has(answered.ask),
  );
  const lastAnswer = answers.at(-1);
  if (!lastAnswer?.answered?.outage) return null;
  let failureCount = 1;
  for (let index = answers.length - 2; index >= 0; index -= 1) {
    const { at, answered } = answers[index]!;
    // Outages with a long time between them are unrelated.
    if (!answered?.outage || answers[index + 1]!.at - at > 2 * MAX_PAUSE_MS) break;
    failureCount += 1;
  }
  const backoffMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failureCount - 1));
  const until = Math.max(lastAnswer.at + backoffMs, lastAnswer.answered.outage.until ?? 0);
  return until > now ? { reason: lastAnswer.answered.reason ?? 'It gave no answer.', until } : null;
}

/** The pause that ends first; null if there is none. */
export function findFirstToEnd<Pause extends Pick<AskPause, 'until'>>(pauses: readonly Pause[]): Pause | null {
  const [firstPause = null] = pauses.toSorted((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity));
  return firstPause;
}

/** The outage that ends first among these proposers; null if none of them has one. */
export function findFirstOutage(events: readonly AskEvent[], names: readonly string[], now: Millis): AskPause | null {
  return findFirstToEnd(names.flatMap((name) => findOutage(events, name, now) ?? []));
}

/**
 * The pause after an error that kept a question from being sent. Null if a person has to solve the problem, or if
 * something was sent that may have been charged.
 */
export function findUnsentPause({ retry }: SelfwareError, now: Millis): Pick<AskPause, 'until'> | null {
  return retry === null || retry.isCharged ? null : { until: now + (retry.afterMs ?? UNSENT_PAUSE_MS) };
}

/** The property of an outcome with the time until which nobody can be asked; empty if there is no pause. */
export function createPostponement(pause: Pick<AskPause, 'until'> | null): {
  readonly postponed?: Pick<AskPause, 'until'>;
} {
  return pause === null ? {} : { postponed: { until: pause.until } };
}

/**
 * True if the newest questions of a run about this task had so many outages that the task is probably their cause. A
 * prompt that takes too much memory or time of a server also blocks other tasks. `events`: oldest first.
 */
export function causesOutages(events: readonly AskEvent[], task: string): boolean {
  const questions = new Map(
    events.flatMap(({ asked: question }) => (question ? [[question.ask, question] as const] : [])),
  );
  const endedQuestions = events.flatMap(({ answered: answer }) => {
    const question = answer && questions.get(answer.ask);
    return question && answer.outcome !== 'cancelled'
      ? [{ question, answer, isOfTask: question.task.id === task }]
      : [];
  });
  const lastOfTask = endedQuestions.findLast(({ isOfTask }) => isOfTask)?.question;
  if (!lastOfTask) return false;
  const questionsOfProposer = endedQuestions.filter(
    ({ question }) =>
      question.proposer === lastOfTask.proposer &&
      (question.night ?? question.run) === (lastOfTask.night ?? lastOfTask.run),
  );
  const searchStart = questionsOfProposer.findLastIndex(({ isOfTask, answer }) => isOfTask && !answer.outage) + 1;
  const firstOutageIndex = questionsOfProposer.findIndex(({ isOfTask }, index) => index >= searchStart && isOfTask);
  if (firstOutageIndex < 0) return false;
  const outages = questionsOfProposer
    .slice(firstOutageIndex)
    .flatMap(({ isOfTask, answer }) => (isOfTask ? [answer] : []));
  const hasAnswered = questionsOfProposer
    .slice(firstOutageIndex)
    .some(({ isOfTask, answer }) => !isOfTask && !answer.outage);
  if (hasAnswered) return outages.length >= MAX_OUTAGES_BESIDE_ANSWERS;
  const haveSameReason = new Set(outages.map(({ reason }) => reason)).size === 1;
  return outages.length >= MAX_CHARGED_OUTAGES && haveSameReason && outages.every(({ usage }) => usage !== null);
}
