// What a proposal has to show: points or, if the score only has to stay, what another gate counts.

import type { FileEdit, Proposal, Verdict } from '../model.ts';

/**
 * `points`: the score rises. `tests`: new test files only; no ruler counts tests, so the score stays and more tests
 * pass.
 * `findings`: made by the repository's own linter; the score stays and that linter finds less.
 * `upkeep`: tests that a recipe of the product tidies up; the score stays, as many of them pass, and a person is asked,
 * as for all that judges.
 */
export type Gain = 'points' | 'tests' | 'findings' | 'upkeep';

/** Who made a proposal is known from its record, never from what it says. */
export type GainOf = (proposal: Pick<Proposal, 'recipe'>, edits: readonly FileEdit[]) => Gain;

/**
 * In the evidence of a score that is not passed by itself: who tells the gain, a gate or a `person`, and what the gain
 * is.
 */
export const [JUDGED_BY, GAIN] = ['judgedBy', 'kind'] as const;
const JUDGES: Readonly<Record<Exclude<Gain, 'points'>, 'tests' | 'lint'>> = {
  tests: 'tests',
  findings: 'lint',
  upkeep: 'tests',
};

export function judgeOf(gain: Gain): 'tests' | 'lint' | null {
  return gain === 'points' ? null : JUDGES[gain];
}

/** True where the score does not refuse the proposal: it rises, or stays and another gate decides. */
export function mayGain(score: Pick<Verdict, 'outcome' | 'evidence'>): boolean {
  return score.outcome === 'passed' || (score.outcome === 'unknown' && JUDGED_BY in score.evidence);
}

/** Null when a gain is shown, else why there is none. A gate that did not run shows nothing. */
export function missingGain(verdicts: readonly Verdict[]): string | null {
  const find = (gate: Verdict['gate']) => verdicts.find((verdict) => verdict.gate === gate);
  const score = find('score');
  if (score?.outcome === 'passed') return null;
  if (!score || !mayGain(score)) return score ? `score: ${score.reason}` : 'The score is not known.';
  if (score.evidence[JUDGED_BY] === 'person') return null;
  if (score.evidence[JUDGED_BY] === 'tests') {
    const tests = find('tests');
    if (score.evidence[GAIN] === 'upkeep')
      return tests?.outcome === 'passed' && !more(tests, 'passedBefore', 'passed')
        ? null
        : 'tests: It tidies tests up, and it is not shown that as many of them pass.';
    return tests?.outcome === 'passed' && more(tests, 'passed', 'passedBefore')
      ? null
      : 'tests: The score stays, and no test more passes than without the change.';
  }
  const lint = find('lint');
  return lint?.outcome === 'passed' && more(lint, 'problemsBefore', 'problems')
    ? null
    : 'lint: The score stays, and the linter finds no less than without the change.';
}

/** What was not counted is not more. */
function more({ evidence }: Verdict, larger: string, smaller: string): boolean {
  const [one, other] = [evidence[larger], evidence[smaller]];
  return typeof one === 'number' && typeof other === 'number' && one > other;
}
