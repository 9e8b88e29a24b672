// Orders opportunities, and selects those for which a recipe makes proposals.

import type { Opportunity } from '../model.ts';
import { computePriority } from './priority.ts';
import type { PriorityContext } from './priorityContext.ts';
import { rankByWorth } from './worth.ts';
import { compareStrings } from '../../util/values/compareStrings.ts';

/**
 * The confidence of an opportunity must exceed this before a change of it is proposed: it must be more likely right
 * than wrong.
 */
export const MIN_CONFIDENCE = 0.5;

/**
 * Orders opportunities: the highest priority first, refused ones last. The priority is multiplied by a factor for how
 * promising it is to try the recipe now. Ties are ordered by place and rule, so that the result does not depend on the
 * order of the input.
 */
export function prioritise(opportunities: readonly Opportunity[], context: PriorityContext): Opportunity[] {
  return opportunities
    .map((opportunity) => ({
      opportunity,
      refused: context.refused.has(opportunity.id),
      priority: computePriority(opportunity, context).priority * findPromisingFactor(opportunity, context),
    }))
    .sort(
      (a, b) =>
        Number(a.refused) - Number(b.refused) || b.priority - a.priority || comparePlaces(a.opportunity, b.opportunity),
    )
    .map(({ opportunity }) => opportunity);
}

/**
 * The opportunities for which a change is proposed. A recipe can realise them, they were not refused, their rule is
 * neither paused nor resting, and their confidence is high enough. The most valuable kind comes first (`rankByWorth`),
 * and within it those with the highest priority. Opportunities of recipes that have always failed come last.
 */
export function selectCandidates(opportunities: readonly Opportunity[], context: PriorityContext): Opportunity[] {
  const applicable = opportunities.filter(
    (opportunity) =>
      opportunity.recipe !== null &&
      !context.refused.has(opportunity.id) &&
      !context.pausedRules?.has(opportunity.rule) &&
      !context.isResting?.(opportunity.rule, opportunity.recipe) &&
      computePriority(opportunity, context).confidence.confidence > MIN_CONFIDENCE,
  );
  const alwaysFails = ({ rule, recipe }: Opportunity) =>
    recipe !== null && (context.isFailing?.(rule, recipe) ?? false);
  return prioritise(applicable, context).toSorted(
    (a, b) => Number(alwaysFails(a)) - Number(alwaysFails(b)) || rankByWorth(a.rule) - rankByWorth(b.rule),
  );
}

/** The factor by which trying this opportunity is promising; 1 if there is no recipe or no experience. */
function findPromisingFactor({ rule, recipe }: Opportunity, { promising }: PriorityContext): number {
  return recipe === null ? 1 : (promising?.(rule, recipe) ?? 1);
}

function comparePlaces(a: Opportunity, b: Opportunity): number {
  return (
    compareStrings(a.path, b.path) ||
    a.range.startLine - b.range.startLine ||
    a.range.startColumn - b.range.startColumn ||
    compareStrings(a.rule, b.rule) ||
    compareStrings(a.id, b.id)
  );
}
