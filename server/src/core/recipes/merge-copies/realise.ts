// Merges two copies in one file into one function, which both places call.

import { shareRun } from '../../propose/merging/sharedRun.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { spanOf } from '../../propose/syntax/locate.ts';

/** Further places are as long as these, so they would be refused for the same reason. */
const MOST_PLACES = 3;

export function realise(context: RecipeContext): RecipeOutcome {
  const { opportunity, sourceFile, path } = context;
  const span = spanOf(sourceFile, opportunity.range);
  if (!span) return refuse('The file has become shorter.');
  const places = (opportunity.related ?? []).filter((place) => place.path === path).slice(0, MOST_PLACES);
  let reason: string | null = null;
  for (const place of places) {
    const otherSpan = spanOf(sourceFile, place.range);
    if (!otherSpan) continue;
    const outcome = shareRun(context, span, otherSpan);
    if (!('refused' in outcome)) return outcome;
    reason ??= outcome.refused;
  }
  return refuse(reason ?? 'The same code stands in other files only.');
}
