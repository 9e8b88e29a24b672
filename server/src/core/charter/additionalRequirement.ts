// Decides whether the evidence meets the additional requirement of a claim (`beyond` in `course.ts`). If it does not, a
// person is asked. Also decides whether an edit of judge files only adds test cases.

import type { Proposal } from '../model.ts';
import {
  CLAIM_KIND,
  MENDS_ONLY,
  ONLY_APPENDS,
  OUTSIDE_KEY,
  QUIET_TESTS,
  SMALLER_CHANGE,
  SMALLER_CONFIDENCE,
} from '../model/evidence.ts';
import type { ClaimKind } from '../model/claims.ts';
import { provesEquivalence } from '../model/proofs.ts';

type JudgedVerdict = Proposal['verdicts'][number];

/** Limits of a measured gain and of its confidence, both between 0 and 1. A person decides unless both are exceeded. */
const [MIN_GAIN, MIN_CONFIDENCE] = [0.2, 0.8];

/** True if the verdicts meet the additional requirement of claims of this kind, or if the kind has none. */
export function meetsRequirement(kind: ClaimKind, verdicts: readonly JudgedVerdict[]): boolean {
  const findVerdict = (gate: JudgedVerdict['gate']) => verdicts.find((verdict) => verdict.gate === gate);
  const claim = findVerdict('claim');
  switch (kind) {
    case 'fix':
      return findVerdict('differential')?.evidence[MENDS_ONLY] === 1;
    case 'tests':
      return (
        claim?.outcome === 'passed' &&
        claim.evidence[CLAIM_KIND] === 'tests' &&
        claim.evidence[OUTSIDE_KEY] === undefined &&
        claim.evidence[QUIET_TESTS] === undefined &&
        onlyAddsTestCases(findVerdict('integrity'))
      );
    case 'speed':
    case 'memory': {
      const { [SMALLER_CHANGE]: change, [SMALLER_CONFIDENCE]: confidence } = claim?.evidence ?? {};
      return (
        claim?.outcome === 'passed' &&
        typeof change === 'number' &&
        typeof confidence === 'number' &&
        -change > MIN_GAIN &&
        confidence > MIN_CONFIDENCE &&
        verdicts.some(provesEquivalence)
      );
    }
    default:
      return true;
  }
}

/**
 * True if the evidence of the gate `integrity` shows that the edits only add test cases. This is the only edit of
 * judge files that may need no person.
 */
export function onlyAddsTestCases(integrity: JudgedVerdict | undefined): boolean {
  return integrity?.evidence[ONLY_APPENDS] === 1;
}
