// Finds the places whose change a person or a check has refused before. Improving does not try them unasked.

import { NO_REASON, TURNED_DOWN, type SkippedPlace, type Refusal } from '../../model/skippedPlaces.ts';
import type { Opportunity } from '../../model.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';

/**
 * The refusals by id of the opportunity. Omits opportunities without a recipe, and those whose last refusal does not
 * count as turned down (`TURNED_DOWN`).
 */
export async function findRefusedPlaces(
  context: SessionContext,
  opportunities: readonly Opportunity[],
): Promise<ReadonlyMap<string, SkippedPlace>> {
  const refusals = await fallBackIfDamaged<ReadonlyMap<string, Refusal>>(context, new Map(), () =>
    context.ledger.refusals(),
  );
  return new Map(
    opportunities.flatMap((opportunity) => {
      const refusal = refusals.get(opportunity.id);
      if (!refusal || opportunity.recipe === null || !TURNED_DOWN.has(refusal.by)) return [];
      const { id, rule, path } = opportunity;
      const reason = refusal.reason ?? NO_REASON;
      return [[id, { opportunity: id, rule, path, by: refusal.by, reason, since: refusal.at }] as const];
    }),
  );
}
