// The window of a change in probation: a gain that was measured before, and could not be measured again, is kept after
// a day of use.

import type { Checkpoint, Proposal, Verdict } from '../../model.ts';

/**
 * Claims that rest on a measurement, which may be due to chance or to the load at that moment. They are measured again
 * after applying.
 */
const MEASURED = ['speed', 'memory'] as const;
const HOURS = 24;

export const AFTER_USE = `It was in use for ${HOURS} hours; its gain could not be measured again.`;

/** The claim of this kind that was measured before the change was applied, if there is one. */
export function measuredGain({ claim }: Proposal): (typeof MEASURED)[number] | undefined {
  return MEASURED.find((kind) => claim?.kind === kind && claim.holds === true);
}

/** True if the window of the change is over. `now`: milliseconds. */
export function windowHasEnded({ createdAt }: Pick<Checkpoint, 'createdAt'>, now: number): boolean {
  return now - createdAt >= HOURS * 3_600_000;
}

/** True if the gain was measured before, and these verdicts do not show it again. */
export function needsUse(proposal: Proposal, verdicts: readonly Verdict[]): boolean {
  return (
    measuredGain(proposal) !== undefined &&
    !verdicts.some(({ gate, outcome }) => gate === 'claim' && outcome === 'passed')
  );
}

/** The sentence for a person. The verdict of the gate `claim` gives the reason, if there is one. */
export function windowWords({ title }: Proposal, verdicts: readonly Verdict[]): string {
  const why = verdicts.find(({ gate }) => gate === 'claim')?.reason;
  const because = why === undefined ? '' : `: ${why.replace(/\.$/, '')}`;
  return `${title} is applied, and its gain was not measured again${because}. It is kept after ${HOURS} hours of use.`;
}
