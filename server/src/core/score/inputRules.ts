// Names the rules whose findings an input of the ruler counts, so that an expensive place is shown with a possible
// remedy.

import type { Opportunity, PointPlace } from '../model.ts';
import { ruleFacts } from '../rules/allRules.ts';
import type { RuleFacts } from '../rules/facts.ts';

/**
 * The names of rules by the name of the input. They are shown to people, and are not part of the ruler's definition.
 */
export const INPUT_RULES: Readonly<Record<string, readonly string[]>> = groupRulesByInputName();

/**
 * For each place, the best opportunity in its file that a recipe can realise and whose rule its input counts. An
 * opportunity in the function of the place is preferred. Null for a place without such an opportunity. `opportunities`:
 * sorted, best first.
 */
export function findOpportunities(
  places: readonly PointPlace[],
  opportunities: readonly Opportunity[],
): readonly (Opportunity | null)[] {
  const opportunitiesByPath = new Map<string, Opportunity[]>(places.map(({ path }) => [path, []]));
  for (const opportunity of opportunities)
    if (opportunity.recipe !== null) opportunitiesByPath.get(opportunity.path)?.push(opportunity);
  return places.map(({ path, input, symbol }) => {
    const matchingOpportunities =
      opportunitiesByPath.get(path)?.filter(({ rule }) => INPUT_RULES[input]?.includes(rule)) ?? [];
    return (
      matchingOpportunities.find((opportunity) => symbol !== null && opportunity.symbol === symbol) ??
      matchingOpportunities[0] ??
      null
    );
  });
}

function groupRulesByInputName(): Record<string, string[]> {
  const rulesByInput: Record<string, string[]> = {};
  for (const [rule, { inputs = [] }] of Object.entries<RuleFacts>(ruleFacts))
    for (const input of inputs) (rulesByInput[input] ??= []).push(rule);
  return rulesByInput;
}
