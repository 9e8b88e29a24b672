// Creates the documents of `--json`. Their flat form is specified in docs/commands.md.

import type { Opportunity, Points } from '../../core/model.ts';
import { findOpportunities } from '../../core/score/inputRules.ts';
import type { PriorityExplanation } from '../../core/prioritise/explainPriority.ts';
import type { HiddenOpportunity } from '../../core/session/analyse/analysisTypes.ts';

/** An opportunity as a JSON document, with the explanation of its rank, and the reason why it is hidden if it is. */
export function createRankedOpportunityJson(
  opportunity: Opportunity,
  explanation: PriorityExplanation,
  hidden: HiddenOpportunity | null,
) {
  return {
    ...createOpportunityJson(opportunity),
    why: explanation,
    ...(hidden ? { hidden: { by: hidden.by, reason: hidden.reason } } : {}),
  };
}

/** An opportunity as a JSON document. */
export function createOpportunityJson(opportunity: Opportunity) {
  const { id, rule, path, range, symbol, severity, impact, confidence, message, evidence, recipe } = opportunity;
  return {
    id,
    rule,
    path,
    startLine: range.startLine,
    endLine: range.endLine,
    symbol,
    severity,
    impact,
    confidence,
    message,
    evidence,
    recipe,
    fixable: recipe !== null,
  };
}

/**
 * The points as a JSON document. Each place names the first of the `opportunities` that a recipe can realise there;
 * they are sorted, best first.
 */
export function createPointsJson(points: Points, opportunities: readonly Opportunity[]) {
  const { ruler, total, max, categories, why = {}, costs = [], places = [] } = points;
  const improvementsByPlace = findOpportunities(places, opportunities);
  return {
    ruler,
    total,
    max,
    categories,
    why,
    costs,
    places: places.map((place, index) => ({ ...place, opportunity: improvementsByPlace[index]?.id ?? null })),
  };
}
