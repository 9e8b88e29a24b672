// Implements the recipe `merge-copies`: merges two copies in one file into one function that both places call.

import type { ts } from 'ts-morph';
import type { Range } from '../../model.ts';
import { hoistFunction, NO_COPY } from '../../propose/merging/hoistedFunction.ts';
import { LOSES_COMMENT } from '../../propose/merging/innerComments.ts';
import { extractSharedStatements } from '../../propose/merging/sharedRun.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { findSpan, type Span } from '../../propose/syntax/locate.ts';

/**
 * Maximum number of other places that are tried. Further ones are of the same length, so they would be refused for the
 * same reason.
 */
const MAX_PLACES = 3;

/** Merges the code of the opportunity with the first related place in the file that can share a function with it. */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { opportunity, sourceFile, path } = context;
  const span = findSpanOfLines(sourceFile, opportunity.range);
  if (!span) return refuse('The file has become shorter.');
  const places = (opportunity.related ?? []).filter((place) => place.path === path).slice(0, MAX_PLACES);
  let reason: string | null = null;
  for (const place of places) {
    const otherSpan = findSpanOfLines(sourceFile, place.range);
    if (!otherSpan) continue;
    const hoistOutcome = hoistFunction(context, span, otherSpan);
    if (!('refused' in hoistOutcome)) return hoistOutcome;
    const shareOutcome = extractSharedStatements(context, span, otherSpan);
    // The copy with more comments becomes the shared function.
    const outcome =
      'refused' in shareOutcome && shareOutcome.refused === LOSES_COMMENT
        ? extractSharedStatements(context, otherSpan, span)
        : shareOutcome;
    if (!('refused' in outcome)) return outcome;
    reason ??= hoistOutcome.refused === NO_COPY ? outcome.refused : hoistOutcome.refused;
  }
  return refuse(reason ?? 'The same code stands in other files only.');
}

/**
 * Finds the span of whole lines. Such a range ends at the beginning of the next line, which does not exist after the
 * last line of a file.
 */
function findSpanOfLines(sourceFile: ts.SourceFile, range: Range): Span | null {
  return (
    findSpan(sourceFile, range) ??
    findSpan(sourceFile, { ...range, endLine: range.endLine - 1, endColumn: sourceFile.text.length + 1 })
  );
}
