// Whether the evidence of a claim shows what it needs before it is applied unasked (the column of `course.ts`).

import type { Proposal } from '../model.ts';
import type { ClaimKind } from '../model/claims.ts';

type Told = Proposal['verdicts'][number];

/** S3.8: a smaller or less certain gain is for a person to judge. */
const [LEAST_GAIN, LEAST_CONFIDENCE] = [0.2, 0.8];

/** Only what verdicts say: a claim without any of this waits. */
export function showsBeyond(kind: ClaimKind, verdicts: readonly Told[]): boolean {
  const find = (gate: Told['gate']) => verdicts.find((verdict) => verdict.gate === gate);
  const claim = find('claim');
  switch (kind) {
    case 'fix':
      return find('differential')?.evidence['mendsOnly'] === 1;
    case 'tests':
      return (
        claim?.outcome === 'passed' &&
        claim.evidence['kind'] === 'tests' &&
        claim.evidence['outside'] === undefined &&
        onlyAppends(find('integrity'))
      );
    case 'speed':
    case 'memory': {
      const { smallerChange, smallerConfidence } = claim?.evidence ?? {};
      return (
        claim?.outcome === 'passed' &&
        typeof smallerChange === 'number' &&
        typeof smallerConfidence === 'number' &&
        -smallerChange > LEAST_GAIN &&
        smallerConfidence > LEAST_CONFIDENCE &&
        find('differential')?.outcome === 'passed'
      );
    }
    default:
      return true;
  }
}

/** The one edit of judge files that a person need not look at: test cases that are added, and nothing else. */
export function onlyAppends(integrity: Told | undefined): boolean {
  return integrity?.evidence['onlyAppends'] === 1;
}
