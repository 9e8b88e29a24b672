// Decides from answers with and without a rule whether the rule makes answers worse.

import { counted } from '../../util/counted.ts';
import type { RuleTrial, TrialOutcome } from '../model/feedback.ts';
import { compareModels, MIN_EXAMPLES, type ModelAnswer } from './training/evaluation.ts';

/** What the answers of a trial say, apart from what was tried and its cost. */
export type TrialFigures = Omit<RuleTrial, 'rule' | 'proposer' | 'tokens'>;

/** Compares the answers to the same tasks, by the checks that judged them: paired bootstrap and sign test. */
export function judgeTrial(without: readonly ModelAnswer[], withRule: readonly ModelAnswer[]): TrialFigures {
  const before = new Map(without.map((answer) => [answer.id, answer]));
  // An answer that nobody could judge says nothing about the rule: the tests may be missing, or the old tree.
  const pairs = withRule.flatMap((now) => {
    const then = before.get(now.id);
    return then && then.success !== null && now.success !== null ? [{ then, now }] : [];
  });
  const hits = (side: 'then' | 'now') => pairs.filter((pair) => pair[side].success).length;
  const { metric, gain, low, high } = compareModels(
    pairs.map(({ then }) => then),
    pairs.map(({ now }) => now),
  );
  const counts = { tasks: pairs.length, without: hits('then'), with: hits('now') };
  const figures =
    metric === 'success' ? { gain, low, high } : { gain: pairs.length === 0 ? null : 0, low: null, high: null };
  const gained = pairs.filter(({ then, now }) => now.success && !then.success).length;
  const lost = pairs.filter(({ then, now }) => then.success && !now.success).length;
  const outcome = outcomeOf(pairs.length, figures, { gained, lost });
  return { outcome, reason: reasonOf(outcome, counts, figures), ...counts, ...figures };
}

/** The most that chance alone may explain: of rules without any effect, so many at most are called harmful. */
const MAX_CHANCE = 0.025;

/** Numbers of tasks that only one side got right. */
interface Differing {
  readonly gained: number;
  readonly lost: number;
}

/**
 * The exact sign test, one sided: how probable it is that a fair coin falls at least `more` times of `more + less` on
 * one side. With few differing tasks, the bootstrap alone takes four losses for certain.
 */
export function signTest(more: number, less: number): number {
  const all = more + less;
  let [ways, sum] = [1, 0];
  for (let heads = 0; heads <= less; heads += 1) {
    sum += ways;
    ways = (ways * (all - heads)) / (heads + 1);
  }
  return Math.min(1, sum / 2 ** all);
}

type Gain = Pick<TrialFigures, 'gain' | 'low' | 'high'>;

function outcomeOf(tasks: number, { gain, low, high }: Gain, { gained, lost }: Differing): TrialOutcome {
  if (tasks < MIN_EXAMPLES || gain === null) return 'unknown';
  if (high !== null && high < 0 && signTest(lost, gained) < MAX_CHANCE) return 'harmful';
  if (low !== null && low > 0 && signTest(gained, lost) < MAX_CHANCE) return 'helpful';
  return gain >= 0 ? 'notWorse' : 'unknown';
}

function reasonOf(
  outcome: TrialOutcome,
  { tasks, without, with: after }: Pick<TrialFigures, 'tasks' | 'without' | 'with'>,
  { gain, low, high }: Gain,
): string {
  if (tasks < MIN_EXAMPLES)
    return `${counted(tasks, 'task')} could be judged both with and without it. That is too few: it takes ${MIN_EXAMPLES}.`;
  const interval =
    gain === null || low === null || high === null
      ? 'no task differs'
      : `${signed(gain)} (95 %: ${signed(low)} to ${signed(high)})`;
  const figures = `Of ${counted(tasks, 'task')}, ${after} were right with it and ${without} without: ${interval}`;
  return outcome === 'unknown' ? `${figures}, which may be noise.` : `${figures}.`;
}

function signed(share: number): string {
  return `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;
}
