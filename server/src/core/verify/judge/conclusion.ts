// Decides how a judgement ends: passed, not passed, left to a person, or not judged at all.

import { checkLabel } from '../../../protocol/plainWords.ts';
import type { Verdict } from '../../model.ts';
import { REPOSITORY_CHECKS, TEXT_GATES } from '../../model/gateStages.ts';
import type { Judgement } from '../../model/judgement.ts';
import { HIDDEN_KEY } from '../../model/proofs.ts';
import { isSourceCode } from '../../paths/nonSourcePaths.ts';
import { isNoSuchCheck } from '../answer.ts';
import { isForPeople } from './files/prose.ts';
import { listNotShown } from './notShown.ts';
import { demandsChecks } from './policy.ts';

/**
 * How a judgement ends. `notPassed`: a demand is not met. `notJudged`: the checks of the repository gave no answer, or
 * the policy demands something that `--quick` omits. `look`: nothing failed, but a person must look at something, or
 * something was not shown. `passed`: the change is proven or tested, and nothing is open.
 */
export interface Conclusion {
  readonly kind: 'passed' | 'look' | 'notJudged' | 'notPassed';
  /** The verdicts that a person must look at, or that say why the change was not judged. */
  readonly doubts: readonly Verdict[];
  /** What was not shown although nothing failed, each as a clause that begins with “that”. */
  readonly notShown: readonly string[];
}

/**
 * True for checks whose unknown answer is about the change, rather than about what could be generated or measured. The
 * score is excluded, because points are only reported.
 */
const isAboutTheChange = (gate: string) => gate !== 'score' && (TEXT_GATES.has(gate) || REPOSITORY_CHECKS.has(gate));

/**
 * The conclusion of a judgement. A change is not judged if the tests did not finish, or if code changes and none of the
 * repository's own checks finished, unless the policy demands no checks. Prose needs no check. If no check could run, a
 * person reviews documentation that code mentions by name.
 */
export function concludeJudgement({
  policy,
  verdicts,
  onlyProse: isProse,
  strength,
  files,
}: Pick<Judgement, 'policy' | 'verdicts' | 'onlyProse' | 'strength'> & {
  readonly files: Pick<Judgement['files'], 'paths'>;
}): Conclusion {
  const unmetDemands = policy.rules.flatMap(({ demands }) => demands.filter(({ met }) => !met));
  if (unmetDemands.length > 0 && unmetDemands.every(({ notJudged }) => notJudged === true))
    return { kind: 'notJudged', doubts: [], notShown: [] };
  if (!policy.met) return { kind: 'notPassed', doubts: [], notShown: [] };
  const ownVerdicts = verdicts.filter((verdict) => REPOSITORY_CHECKS.has(verdict.gate) && !isNoSuchCheck(verdict));
  const inconclusive = ownVerdicts.filter((verdict) => !isConclusive(verdict));
  const repositoryVerdicts = verdicts.filter(({ gate }) => REPOSITORY_CHECKS.has(gate));
  const reasons = ownVerdicts.length === 0 && files.paths.some(isSourceCode) ? repositoryVerdicts : inconclusive;
  const isUnjudged =
    reasons.some(({ gate }) => gate === 'tests') || (reasons.length > 0 && reasons.length >= ownVerdicts.length);
  const areForPeople = files.paths.length > 0 && files.paths.every(isForPeople);
  if (isUnjudged && !isProse && !areForPeople && demandsChecks(policy))
    return { kind: 'notJudged', doubts: reasons.toReversed(), notShown: [] };
  const isDoubtful = ({ gate, outcome, evidence }: Verdict) =>
    evidence[HIDDEN_KEY] !== undefined || (outcome === 'unknown' && isAboutTheChange(gate));
  const doubts = verdicts.filter(
    (verdict) => isDoubtful(verdict) && !isNoSuchCheck(verdict) && !(isProse && REPOSITORY_CHECKS.has(verdict.gate)),
  );
  const notShown = isProse ? [] : listNotShown({ verdicts, strength, files });
  return { kind: doubts.length + notShown.length > 0 ? 'look' : 'passed', doubts, notShown };
}

/** False if the check did not run or was stopped, or if no test passes even without the change. */
function isConclusive({ gate, outcome, evidence }: Verdict): boolean {
  if (outcome !== 'unknown') return true;
  if (typeof evidence['exitCode'] !== 'number') return false;
  return (
    gate !== 'tests' || evidence['exitCode'] === 0 || Number(evidence['passed'] ?? evidence['passedBefore'] ?? 0) > 0
  );
}

/** The open points as a sentence; null if there are none. */
export function formatNotShown({ notShown }: Conclusion): string | null {
  return notShown.length === 0 ? null : `Not shown: ${notShown.join(', and ')}.`;
}

/** The labels of the checks that a person must look at, such as `Types and Tests`. */
export function formatDoubts({ doubts }: Conclusion): string {
  const labels = [...new Set(doubts.map(({ gate }) => checkLabel(gate)))];
  const lastLabel = labels.pop() ?? '';
  return labels.length === 0 ? lastLabel : `${labels.join(', ')} and ${lastLabel}`;
}
