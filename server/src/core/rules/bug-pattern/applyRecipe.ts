// mend-pattern: fixes a bug pattern whose intended code is certain, such as `x === NaN`, `typeof x === undefined`,
// `!key in object`, or the same property twice.

import type { ts } from 'ts-morph';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { listComments } from '../../propose/syntax/comments.ts';
import { collectDescendants, findSpan } from '../../propose/syntax/locate.ts';
import { applyReplacements } from '../../propose/textEdit.ts';
import { findBugPattern } from '../../syntax/bugPatterns/allPatterns.ts';
import type { BugPatternMatch } from '../../syntax/bugPatterns/pattern.ts';

/**
 * Replaces the code of the pattern by the intended code: `x === NaN` by `Number.isNaN(x)`, `!key in object` by `!(key
 * in object)`. Refuses if that code is uncertain, or if a comment would be removed.
 */
export function applyRecipe({ sourceFile, text, opportunity }: RecipeContext): RecipeOutcome {
  const matches = collectDescendants(sourceFile).flatMap((node) => findBugPattern(node, sourceFile) ?? []);
  const findMatchesAt = (range: typeof opportunity.range): readonly BugPatternMatch[] => {
    const span = findSpan(sourceFile, range);
    const matchesAtStart = matches.filter(({ node }) => node.getStart(sourceFile) === span?.start);
    const exactMatches = matchesAtStart.filter(({ node }) => node.end === span?.end);
    return exactMatches.length > 0 ? exactMatches : matchesAtStart;
  };
  const candidates = [opportunity.range, opportunity.nameRange].flatMap(findMatchesAt);
  const match = candidates.find(({ replacement }) => replacement !== undefined) ?? candidates[0];
  if (!match) return refuse('There is no longer such a pattern here.');
  const { node, replacement } = match;
  if (replacement === undefined) return refuse('It is not certain what the author meant.');
  const removalStart = replacement === '' ? findPreviousPropertyEnd(node) : node.getStart(sourceFile);
  if (listComments(sourceFile).some(({ start, end }) => start >= removalStart && end <= node.end))
    return refuse('A comment is in the code that would be replaced.');
  return {
    text: applyReplacements(text, [{ start: removalStart, end: node.end, text: replacement }]),
    title:
      replacement === ''
        ? `remove a property that is written twice`
        : `write ${replacement} for ${node.getText(sourceFile)}`,
    rationale: match.message.charAt(0).toUpperCase() + match.message.slice(1),
  };
}

/** The end of the previous property, from which the removal starts, so that it includes the comma. */
function findPreviousPropertyEnd(node: ts.Node): number {
  const { properties } = node.parent as ts.ObjectLiteralExpression;
  return properties[properties.indexOf(node as ts.ObjectLiteralElementLike) - 1]!.end;
}
