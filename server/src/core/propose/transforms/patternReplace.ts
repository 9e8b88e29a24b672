// Implements the transform `patternReplace`: replaces every expression of a given form. `$name` in the pattern matches
// any expression, and the same expression wherever it occurs.

import { ts } from 'ts-morph';
import { refuse, type RecipeOutcome } from '../recipe.ts';
import type { OpenedFile } from '../applyRecipe.ts';
import { findShapePlaces, rewritePlaces } from '../patterns/rewrite.ts';
import { quoteText } from '../../../util/visible.ts';
import type { TransformRequest } from './request.ts';

/** Maximum number of characters of a pattern in a title. */
const MAX_SHOWN_LENGTH = 80;

/**
 * Replaces all places that match the pattern, except those inside other ones. Refuses if the pattern or the replacement
 * is not usable, or if no place can be replaced.
 */
export function patternReplace(
  { pattern, replacement, path }: Extract<TransformRequest, { kind: 'patternReplace' }>,
  { text, sourceFile }: OpenedFile,
): RecipeOutcome {
  const matches = findShapePlaces({ pattern, replacement }, path, sourceFile);
  if (!('places' in matches)) return refuse(matches.refused);
  const { places, refused: refusals, shape } = matches;
  if (places.length === 0) return refuse(refusals[0] ?? 'The pattern matches nothing in the file.');
  const quotedPattern = quoteText(printWithoutComments(shape.pattern, sourceFile), MAX_SHOWN_LENGTH);
  const count = places.length === 1 ? 'one place' : `${places.length} places`;
  return {
    text: rewritePlaces(text, places),
    title: `Replace ${quotedPattern} in ${count}`,
    rationale:
      `Requested: replaces ${quotedPattern} with ${quoteText(replacement, MAX_SHOWN_LENGTH)}, ` +
      `in ${count}${refusals.length > 0 ? '; others were left alone' : ''}.`,
  };
}

/** The pattern without its comments, which do not affect what it matches, for the title. */
function printWithoutComments(pattern: ts.Expression, sourceFile: ts.SourceFile): string {
  return ts.createPrinter({ removeComments: true }).printNode(ts.EmitHint.Expression, pattern, sourceFile);
}
