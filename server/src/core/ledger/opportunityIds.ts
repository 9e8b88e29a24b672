// The opportunity of a proposal, or several if one change is for several; its id then names all of them.

const JOINT = '+';

export function jointId(ids: readonly string[]): string {
  return ids.join(JOINT);
}

/** The ids of the opportunities that a proposal is for. */
export function idsOf(opportunity: string): readonly string[] {
  return opportunity.split(JOINT);
}
