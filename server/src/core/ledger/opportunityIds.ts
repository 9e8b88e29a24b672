// The id of a proposal's opportunity. If a change is for several opportunities, their ids are joined.

const ID_SEPARATOR = '+';

/** The joined id of these opportunities; for a single one, its own id. */
export function joinIds(ids: readonly string[]): string {
  return ids.join(ID_SEPARATOR);
}

/** The ids of the opportunities of a proposal. */
export function splitOpportunityIds(joinedId: string): readonly string[] {
  return joinedId.split(ID_SEPARATOR);
}
