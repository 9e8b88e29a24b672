// Probation as a window: a gain that was measured and could not be measured again is kept after a day of use.

import type { Checkpoint, Proposal, Verdict } from '../../model.ts';

/** Gains that are measured, and that may have been chance or of that moment: three more series after applying tell. */
const MEASURED = ['speed', 'memory'] as const;
const HOURS = 24;

export const AFTER_USE = `It was in use for ${HOURS} hours; its gain could not be measured again.`;

/** What was measured of the change before it was applied. */
export function measuredGain({ claim }: Proposal): (typeof MEASURED)[number] | undefined {
  return MEASURED.find((kind) => claim?.kind === kind && claim.holds === true);
}

export function windowHasEnded({ createdAt }: Pick<Checkpoint, 'createdAt'>, now: number): boolean {
  return now - createdAt >= HOURS * 3_600_000;
}

/** True where the gain was measured before and these verdicts do not show it again. */
export function needsUse(proposal: Proposal, verdicts: readonly Verdict[]): boolean {
  return (
    measuredGain(proposal) !== undefined &&
    !verdicts.some(({ gate, outcome }) => gate === 'claim' && outcome === 'passed')
  );
}

/** `verdicts` say why. */
export function windowWords({ title }: Proposal, verdicts: readonly Verdict[]): string {
  const why = verdicts.find(({ gate }) => gate === 'claim')?.reason;
  const because = why === undefined ? '' : `: ${why.replace(/\.$/, '')}`;
  return `${title} is applied, and its gain was not measured again${because}. It is kept after ${HOURS} hours of use.`;
}
