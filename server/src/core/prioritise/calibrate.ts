// Computes the confidence of a rule in this repository: the rule's own value, adjusted by people's decisions on its
// opportunities.

/** Numbers of decisions on the opportunities of one rule. A decision that was undone no longer counts. */
export interface Decisions {
  /** Number of changes for these opportunities that were kept. */
  readonly kept: number;
  /** Number of changes for these opportunities that were rolled back. */
  readonly rolledBack: number;
  /** Number of proposals for these opportunities that a person rejected. */
  readonly rejected: number;
  /** Number of findings that were dismissed as irrelevant here, or with a reason in the person's own words. */
  readonly dismissed: number;
  /** Number of findings that were dismissed as false positives. */
  readonly wrong: number;
  /** Number of findings that a comment in the code suppresses. */
  readonly suppressed: number;
}

/** The numbers for a rule about whose opportunities nobody has decided. */
export const NO_DECISIONS: Decisions = { kept: 0, rolledBack: 0, rejected: 0, dismissed: 0, wrong: 0, suppressed: 0 };

/** The confidence of a rule in this repository. */
export interface RuleConfidence {
  /** The calibrated confidence, 0–1: the mean of the posterior. */
  readonly confidence: number;
  /** The confidence that the rule itself states, 0–1. */
  readonly prior: number;
  /** Number of decisions, each counted once. */
  readonly decisions: number;
}

/**
 * The weight of the rule's own confidence, as a number of decisions: a single decision hardly changes it, but a dozen
 * do.
 */
const PRIOR_WEIGHT = 24;
/**
 * The weight of each decision against a rule. A rejected proposal counts half, because it may have been a poor change
 * of a place that the rule found correctly. The same holds for suppressions, which give no reason.
 */
const WEIGHTS_AGAINST = { wrong: 2, dismissed: 1, rolledBack: 1, rejected: 0.5, suppressed: 0.5 } as const;
/** Maximum total weight of suppressions. A comment can be copied a hundred times and is still one opinion. */
const MAX_WEIGHT_OF_SUPPRESSIONS = 6;

/** The calibrated confidence: the mean of a beta posterior with the prior's mean `prior` and weight `PRIOR_WEIGHT`. */
export function calibrateConfidence(prior: number, decisions: Decisions = NO_DECISIONS): RuleConfidence {
  const { kept, rolledBack, rejected, dismissed, wrong, suppressed } = decisions;
  const weightAgainst =
    WEIGHTS_AGAINST.wrong * wrong +
    WEIGHTS_AGAINST.dismissed * dismissed +
    WEIGHTS_AGAINST.rolledBack * rolledBack +
    WEIGHTS_AGAINST.rejected * rejected +
    Math.min(MAX_WEIGHT_OF_SUPPRESSIONS, WEIGHTS_AGAINST.suppressed * suppressed);
  const confidence = (PRIOR_WEIGHT * prior + kept) / (PRIOR_WEIGHT + kept + weightAgainst);
  return { confidence, prior, decisions: kept + rolledBack + rejected + dismissed + wrong + suppressed };
}
