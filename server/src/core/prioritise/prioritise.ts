// Orders opportunities: impact × confidence ÷ cost, with more weight where more of the repository depends on the file.

import type { Opportunity } from '../model.ts';

export interface PriorityContext {
  /** Files that import a file, by path. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** Ids of opportunities that were refused; they come last and are no candidates. */
  readonly refused: ReadonlySet<string>;
}

/** Only what is more likely right than wrong is proposed (S0.13). */
const MINIMUM_CONFIDENCE = 0.5;
/** Rough work and risk of a change, by recipe; for a person alone it is `BY_HAND`. */
const COSTS: Readonly<Record<string, number>> = { 'remove-unused': 1, 'remove-else': 1, 'doc-comment': 1, 'guard-clauses': 2, 'extract-function': 5 };
const BY_HAND = 6;

/** Best first. Equal ones stand in the order of path, line and rule, so that the order never depends on the input's. */
export function prioritise(opportunities: readonly Opportunity[], context: PriorityContext): Opportunity[] {
  return opportunities
    .map((opportunity) => ({ opportunity, refused: context.refused.has(opportunity.id), priority: priorityOf(opportunity, context.inDegree.get(opportunity.path) ?? 0) }))
    .sort((a, b) => Number(a.refused) - Number(b.refused) || b.priority - a.priority || byPlace(a.opportunity, b.opportunity))
    .map(({ opportunity }) => opportunity);
}

/** Those that a recipe can realise, that were not refused and that we are sure enough of; best first. */
export function candidates(opportunities: readonly Opportunity[], context: PriorityContext): Opportunity[] {
  const able = opportunities.filter(({ id, recipe, confidence }) => recipe !== null && confidence > MINIMUM_CONFIDENCE && !context.refused.has(id));
  return prioritise(able, context);
}

/** Doubles the impact at about 250 dependents; one dependent adds an eighth. */
function priorityOf({ impact, confidence, recipe }: Opportunity, dependents: number): number {
  const reach = 1 + Math.min(1, Math.log2(1 + Math.max(0, dependents)) / 8);
  const cost = recipe === null ? BY_HAND : (COSTS[recipe] ?? BY_HAND);
  return (impact * reach * confidence) / cost;
}

function byPlace(a: Opportunity, b: Opportunity): number {
  return compare(a.path, b.path) || a.range.startLine - b.range.startLine || a.range.startColumn - b.range.startColumn || compare(a.rule, b.rule) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
