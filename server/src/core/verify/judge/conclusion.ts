// Decides how a judgement ends: passed, not passed, to be looked at by a person, or not judged at all.

import { checkLabel } from '../../../protocol/plainWords.ts';
import type { Verdict } from '../../model.ts';
import type { GateName } from '../../model/gates.ts';
import type { Judgement } from '../../model/judgement.ts';
import { HIDDEN_KEY } from '../../model/proofs.ts';
import { isNoSuchCheck } from '../answer.ts';

/**
 * How a judgement ends. `notPassed`: a demand is not met. `notJudged`: the checks of the repository gave no answer.
 * `look`: nothing failed, and a check says what a person has to look at.
 */
export interface Conclusion {
  readonly kind: 'passed' | 'look' | 'notJudged' | 'notPassed';
  /** The verdicts that a person has to look at, or that say why the change was not judged. */
  readonly doubts: readonly Verdict[];
}

/** The repository's own checks. */
const OWN_CHECKS: ReadonlySet<GateName> = new Set(['types', 'lint', 'tests']);
/** Checks whose unknown answer is about the change, and not about what could be generated or measured. */
const ABOUT_THE_CHANGE: ReadonlySet<GateName> = new Set(['applies', 'syntax', 'charter', 'integrity', ...OWN_CHECKS]);

/**
 * The end of a judgement. A change is not judged if the tests did not come to their end for want of time or packages,
 * or if the repository has checks of its own and none of them gave an answer. Prose needs no check.
 */
export function concludeJudgement({
  policy,
  verdicts,
  strength,
}: Pick<Judgement, 'policy' | 'verdicts' | 'strength'>): Conclusion {
  if (!policy.met) return { kind: 'notPassed', doubts: [] };
  const open = verdicts.filter((verdict) => verdict.outcome === 'unknown' && !isNoSuchCheck(verdict));
  const unanswered = open.filter(({ gate }) => OWN_CHECKS.has(gate));
  const hasAnswer = verdicts.some(({ gate, outcome }) => OWN_CHECKS.has(gate) && outcome !== 'unknown');
  const isUnjudged = unanswered.length > 0 && (!hasAnswer || unanswered.some(lacksTests)) && strength !== 'proven';
  if (isUnjudged) return { kind: 'notJudged', doubts: unanswered };
  const doubts = verdicts.filter(
    (verdict) =>
      (ABOUT_THE_CHANGE.has(verdict.gate) && open.includes(verdict)) || verdict.evidence[HIDDEN_KEY] !== undefined,
  );
  return { kind: doubts.length > 0 ? 'look' : 'passed', doubts };
}

/** True if the tests did not run to their end, because their time was over or their packages are not there. */
function lacksTests({ gate, evidence }: Verdict): boolean {
  return gate === 'tests' && (evidence['budget'] !== undefined || evidence['packages'] !== undefined);
}

/** The checks that a person has to look at, by their labels: `Types and Tests`. */
export function doubtsText({ doubts }: Conclusion): string {
  const labels = [...new Set(doubts.map(({ gate }) => checkLabel(gate)))];
  const last = labels.pop() ?? '';
  return labels.length === 0 ? last : `${labels.join(', ')} and ${last}`;
}
