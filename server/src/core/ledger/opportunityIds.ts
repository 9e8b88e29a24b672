// Joins and splits the ids of opportunities. A proposal for several opportunities has one id, in which theirs are
// joined.

const ID_SEPARATOR = '+';

/** The joined id of these opportunities; for a single one, its own id. */
export function joinIds(ids: readonly string[]): string {
  return ids.join(ID_SEPARATOR);
}

/** The ids of the opportunities of a proposal. `joinedId`: the id of its opportunity, which may be a single id. */
export function splitOpportunityIds(joinedId: string): readonly string[] {
  return joinedId.split(ID_SEPARATOR);
}
