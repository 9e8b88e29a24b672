// Sums up the cost of the questions that a night asked models, regardless of what the answers led to.

import type { Millis } from '../model.ts';
import type { NightSpending } from '../model/asks.ts';
import { collectAnswers, countTokens, type AskEvent } from './accounts.ts';
import { computeAmount } from './prices.ts';

/** The data of a run by which its questions are recognised. */
interface AskingRun {
  /** The time of the order of the run. */
  readonly since: Millis;
  readonly startedAt: Millis;
  readonly endedAt: Millis | null;
  readonly maxCost: number | null;
}

/**
 * Sums the cost of the questions that the runs of this night asked. A question contains the time of the order of its
 * run. A run with the same order may have continued on another branch, so the time of the question must match as well.
 */
export function sumNightSpending(
  { runs }: { readonly runs: readonly AskingRun[] },
  events: readonly AskEvent[],
  now: Millis,
): NightSpending {
  const answers = collectAnswers(events);
  const isOfNight = (night: Millis | undefined, at: Millis) =>
    runs.some(({ since, startedAt, endedAt }) => night === since && at >= startedAt && at <= (endedAt ?? now));
  let sum = { questions: 0, input: 0, output: 0, isEstimated: false, money: 0, unpriced: 0 };
  for (const { at, asked } of events) {
    if (!asked || !isOfNight(asked.night, at)) continue;
    const answer = answers.get(asked.ask);
    const { input, output, cached, written } = countTokens(asked, answer);
    const isUnpriced = asked.price === undefined;
    sum = {
      questions: sum.questions + 1,
      input: sum.input + input,
      output: sum.output + output,
      isEstimated: sum.isEstimated || (answer?.usage?.estimated ?? true),
      money: sum.money + (asked.price ? computeAmount({ input, output, cached, written }, asked.price) : 0),
      unpriced: sum.unpriced + (isUnpriced ? 1 : 0),
    };
  }
  // The limit applies to one order, so it is not a limit of several orders together.
  const isOneOrder = new Set(runs.map(({ since }) => since)).size === 1;
  return { ...sum, maxCost: isOneOrder ? (runs.at(-1)?.maxCost ?? null) : null };
}

/** Maps the ids of proposals to the names of the proposers that made them. */
export function mapProposers(events: readonly AskEvent[]): ReadonlyMap<string, string> {
  const proposers = new Map(events.flatMap(({ asked }) => (asked ? [[asked.ask, asked.proposer] as const] : [])));
  return new Map(
    events.flatMap(({ answered }) => {
      const name = answered ? proposers.get(answered.ask) : undefined;
      return answered?.proposal == null || name === undefined ? [] : [[answered.proposal, name] as const];
    }),
  );
}
