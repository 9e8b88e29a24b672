// The opportunity of a proposal: one, or several that one change is for; then its id names them all.

const JOINT = '+';

export function jointId(ids: readonly string[]): string {
  return ids.join(JOINT);
}

/** The ids of the opportunities that a proposal is for. */
export function idsOf(opportunity: string): readonly string[] {
  return opportunity.split(JOINT);
}
