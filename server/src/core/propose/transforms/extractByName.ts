// Implements the transform `extractFunction`: extracts the best part of a named function, with the same method as the
// recipe.

import { createRange } from '../syntax/ranges.ts';
import { applyRecipe as extractFunction } from '../../rules/cognitive-complexity/applyRecipe.ts';
import type { RecipeOutcome } from '../recipe.ts';
import type { OpenedFile } from '../applyRecipe.ts';
import { findFunction } from './declarations.ts';
import type { TransformRequest } from './request.ts';

/**
 * Extracts a part of the function `symbol` as a new function. Refuses if there is no such function, or if no part of it
 * can become a function.
 */
export function extractByName(
  { symbol, path }: Extract<TransformRequest, { kind: 'extractFunction' }>,
  openedFile: OpenedFile,
): RecipeOutcome {
  const target = findFunction(openedFile.sourceFile, symbol);
  if ('refused' in target) return target;
  const { sourceFile } = openedFile;
  return extractFunction({
    ...openedFile,
    isRequested: true,
    opportunity: {
      id: '',
      rule: '',
      path,
      symbol,
      severity: 'hint',
      impact: 0,
      confidence: 1,
      message: '',
      evidence: {},
      recipe: 'extract-function',
      range: createRange(sourceFile, target.node.getStart(sourceFile), target.node.end),
      nameRange: createRange(sourceFile, target.nameNode.getStart(sourceFile), target.nameNode.end),
    },
  });
}
