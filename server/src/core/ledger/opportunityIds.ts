// The id of a proposal's opportunity. If a change is for several opportunities, their ids are joined.

const JOINT = '+';

/** The joined id of these opportunities; for a single one, its own id. */
export function jointId(ids: readonly string[]): string {
  return ids.join(JOINT);
}

/** The ids of the opportunities of a proposal. */
export function idsOf(opportunity: string): readonly string[] {
  return opportunity.split(JOINT);
}
