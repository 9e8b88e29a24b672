// The window of a change in probation: a change whose gain was measured before, and could not be measured again, is
// kept after a day of use.

import type { Checkpoint, Proposal, Verdict } from '../../model.ts';

/**
 * Claims that rest on a measurement, which may be due to chance or to the load at that moment. Therefore they are
 * measured again after the change was applied.
 */
const MEASURED_CLAIMS = ['speed', 'memory'] as const;
/** Hours of use after which a change is kept although its gain could not be measured again. */
const WINDOW_HOURS = 24;

/** The reason for keeping a change whose gain was not measured again. */
export const AFTER_USE_REASON = `It was in use for ${WINDOW_HOURS} hours; its gain could not be measured again.`;

/** The kind of the change's claim, if it is a measured gain that was shown before the change was applied. */
export function findMeasuredGain({ claim }: Proposal): (typeof MEASURED_CLAIMS)[number] | undefined {
  return MEASURED_CLAIMS.find((kind) => claim?.kind === kind && claim.holds === true);
}

/** True if the window of the change is over. `now`: milliseconds since the epoch. */
export function hasWindowEnded({ createdAt }: Pick<Checkpoint, 'createdAt'>, now: number): boolean {
  return now - createdAt >= WINDOW_HOURS * 3_600_000;
}

/** True if the gain was measured before, and these verdicts do not show it again. */
export function needsTimeInUse(proposal: Proposal, verdicts: readonly Verdict[]): boolean {
  return (
    findMeasuredGain(proposal) !== undefined &&
    !verdicts.some(({ gate, outcome }) => gate === 'claim' && outcome === 'passed')
  );
}

/**
 * Tells a person that the change is kept after its window. Includes the reason of the verdict of the gate `claim`, if
 * there is one.
 */
export function windowSentence({ title }: Proposal, verdicts: readonly Verdict[]): string {
  const reason = verdicts.find(({ gate }) => gate === 'claim')?.reason;
  const because = reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`;
  return `${title} is applied, and its gain was not measured again${because}. It is kept after ${WINDOW_HOURS} hours of use.`;
}
