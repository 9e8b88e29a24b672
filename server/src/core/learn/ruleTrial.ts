// Decides from answers with and without a rule whether the rule makes answers worse.

import { counted } from '../../util/counted.ts';
import type { TrialOutcome } from '../model/feedback.ts';
import { compareModels, MIN_EXAMPLES, type ModelAnswer } from './training/evaluation.ts';

export interface TrialFigures {
  readonly outcome: TrialOutcome;
  readonly reason: string;
  readonly tasks: number;
  readonly without: number;
  readonly with: number;
  readonly gain: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Compares the answers to the same tasks, by the checks that judged them (paired bootstrap, 95 %). */
export function judgeTrial(without: readonly ModelAnswer[], withRule: readonly ModelAnswer[]): TrialFigures {
  const before = new Map(without.map(({ id, success }) => [id, success]));
  // What was right and can no longer be judged counts as wrong, as in `compareModels`.
  const pairs = withRule.flatMap(({ id, success }) => {
    const then = before.get(id) ?? null;
    return then === true || (then !== null && success !== null) ? [{ then, now: success === true }] : [];
  });
  const hits = (side: 'then' | 'now') => pairs.filter((pair) => pair[side]).length;
  const { metric, gain, low, high } = compareModels(without, withRule);
  const counts = { tasks: pairs.length, without: hits('then'), with: hits('now') };
  const figures =
    metric === 'success' ? { gain, low, high } : { gain: pairs.length === 0 ? null : 0, low: null, high: null };
  const outcome = outcomeOf(pairs.length, figures);
  return { outcome, reason: reasonOf(outcome, counts, figures), ...counts, ...figures };
}

type Gain = Pick<TrialFigures, 'gain' | 'low' | 'high'>;

function outcomeOf(tasks: number, { gain, low, high }: Gain): TrialOutcome {
  if (tasks < MIN_EXAMPLES || gain === null) return 'unknown';
  if (high !== null && high < 0) return 'harmful';
  if (low !== null && low > 0) return 'helpful';
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
