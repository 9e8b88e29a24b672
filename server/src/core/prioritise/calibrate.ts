// The confidence of a rule in this repository: the rule's own value, adjusted by what people decided about its
// opportunities.

/** What was decided about one rule's opportunities. A decision that was undone no longer counts. */
export interface Decisions {
  /** Changes made for it that were kept. */
  readonly kept: number;
  /** Changes made for it that were rolled back. */
  readonly rolledBack: number;
  /** Proposals for it that a person rejected. */
  readonly rejected: number;
  /** Dismissed as no problem here, or for a reason in own words. */
  readonly dismissed: number;
  /** Dismissed as wrong: the rule sees what is not there. */
  readonly wrong: number;
  /** Suppressed by a comment in the code. */
  readonly suppressed: number;
}

export const NO_DECISIONS: Decisions = { kept: 0, rolledBack: 0, rejected: 0, dismissed: 0, wrong: 0, suppressed: 0 };

export interface Calibrated {
  /** 0–1: mean of the posterior. */
  readonly confidence: number;
  /** 0–1: what the rule says of itself. */
  readonly prior: number;
  /** Decisions behind it, each counted once. */
  readonly decisions: number;
}

/** The rule's own word is worth so many decisions: one of them hardly moves it, a dozen does. */
const PRIOR_WEIGHT = 24;
/** What a decision counts; a rejected proposal may have been a poor change for a good reason. */
const AGAINST = { wrong: 2, dismissed: 1, rolledBack: 1, rejected: 0.5, suppressed: 0.5 } as const;
/** A comment can be copied a hundred times; it is still one opinion, so together they count at most this. */
const MOST_FOR_SUPPRESSED = 6;

/** Beta posterior with the prior's mean `prior` and weight `PRIOR_WEIGHT`. */
export function calibrate(prior: number, decisions: Decisions = NO_DECISIONS): Calibrated {
  const { kept, rolledBack, rejected, dismissed, wrong, suppressed } = decisions;
  const against =
    AGAINST.wrong * wrong +
    AGAINST.dismissed * dismissed +
    AGAINST.rolledBack * rolledBack +
    AGAINST.rejected * rejected +
    Math.min(MOST_FOR_SUPPRESSED, AGAINST.suppressed * suppressed);
  const confidence = (PRIOR_WEIGHT * prior + kept) / (PRIOR_WEIGHT + kept + against);
  return { confidence, prior, decisions: kept + rolledBack + rejected + dismissed + wrong + suppressed };
}
