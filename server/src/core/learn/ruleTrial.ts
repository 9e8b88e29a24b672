// Decides whether a rule makes answers worse, by comparing answers to the same tasks with and without it.

import { formatCount } from '../../util/counted.ts';
import type { RuleTrial, TrialOutcome } from '../model/feedback.ts';
import { compareModels, MIN_EXAMPLES, type ModelAnswer } from './training/evaluation.ts';

/** The result of a trial, without its subject and its cost. */
export type TrialFigures = Omit<RuleTrial, 'rule' | 'proposer' | 'tokens'>;

/** Significance level: at most this share of rules without any effect is called harmful by chance. */
const SIGNIFICANCE_LEVEL = 0.025;

/**
 * Compares judged answers to the same tasks, by a paired bootstrap and a sign test. Answers are matched by their id.
 */
export function judgeTrial(withoutRule: readonly ModelAnswer[], withRule: readonly ModelAnswer[]): TrialFigures {
  const answersWithoutRule = new Map(withoutRule.map((answer) => [answer.id, answer]));
  // A task counts only if both answers could be judged. Otherwise tests or the old tree may have been missing.
  const pairs = withRule.flatMap((withAnswer) => {
    const then = answersWithoutRule.get(withAnswer.id);
    return then && then.success !== null && withAnswer.success !== null ? [{ then, now: withAnswer }] : [];
  });
  const countSuccesses = (side: 'then' | 'now') => pairs.filter((pair) => pair[side].success).length;
  const { metric, gain, low, high } = compareModels(
    pairs.map(({ then }) => then),
    pairs.map(({ now }) => now),
  );
  const counts = { tasks: pairs.length, without: countSuccesses('then'), with: countSuccesses('now') };
  const figures =
    metric === 'success' ? { gain, low, high } : { gain: pairs.length === 0 ? null : 0, low: null, high: null };
  const gainedCount = pairs.filter(({ then, now }) => now.success && !then.success).length;
  const lostCount = pairs.filter(({ then, now }) => then.success && !now.success).length;
  const outcome = decideOutcome(pairs.length, figures, { gained: gainedCount, lostTasks: lostCount });
  return { outcome, reason: formatReason(outcome, counts, figures), ...counts, ...figures };
}

/**
 * Number of tasks that only the answer with the rule solved (`gained`), and only the answer without it (`lostTasks`).
 */
interface DifferingTasks {
  readonly gained: number;
  readonly lostTasks: number;
}

/**
 * The exact one-sided sign test: the probability that at least `wins` of `wins + losses` tosses of a fair coin show
 * heads. It is needed because the bootstrap alone would be certain after only four losses.
 */
export function computeSignTest(wins: number, losses: number): number {
  const totalCount = wins + losses;
  let [ways, sum] = [1, 0];
  for (let heads = 0; heads <= losses; heads += 1) {
    sum += ways;
    ways = (ways * (totalCount - heads)) / (heads + 1);
  }
  return Math.min(1, sum / 2 ** totalCount);
}

/** The difference of the success rates with and without the rule, and its 95 % interval. */
type Gain = Pick<TrialFigures, 'gain' | 'low' | 'high'>;

/**
 * The outcome of a trial: `unknown` if too few tasks could be judged, or if the answers with the rule are worse but
 * that may be noise.
 */
function decideOutcome(
  tasks: number,
  { gain, low, high }: Gain,
  { gained, lostTasks: lost }: DifferingTasks,
): TrialOutcome {
  if (tasks < MIN_EXAMPLES || gain === null) return 'unknown';
  if (high !== null && high < 0 && computeSignTest(lost, gained) < SIGNIFICANCE_LEVEL) return 'harmful';
  if (low !== null && low > 0 && computeSignTest(gained, lost) < SIGNIFICANCE_LEVEL) return 'helpful';
  return gain >= 0 ? 'notWorse' : 'unknown';
}

/** The figures of a trial as a sentence that gives the reason for its outcome. */
function formatReason(
  outcome: TrialOutcome,
  { tasks, without, with: after }: Pick<TrialFigures, 'tasks' | 'without' | 'with'>,
  { gain, low, high }: Gain,
): string {
  if (tasks < MIN_EXAMPLES)
    return `${formatCount(tasks, 'task')} could be judged both with and without it. That is too few: it takes ${MIN_EXAMPLES}.`;
  const interval =
    gain === null || low === null || high === null
      ? 'no task differs'
      : `${formatSigned(gain)} (95 %: ${formatSigned(low)} to ${formatSigned(high)})`;
  const figures = `Of ${formatCount(tasks, 'task')}, ${after} were right with it and ${without} without: ${interval}`;
  return outcome === 'unknown' ? `${figures}, which may be noise.` : `${figures}.`;
}

/** A share as a percentage with its sign. */
function formatSigned(share: number): string {
  return `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;
}
