// Extracts the best part of a named function, with the same method as the recipe.

import { rangeBetween } from '../syntax/ranges.ts';
import { realise as extractFunction } from '../../rules/cognitive-complexity/realise.ts';
import type { RecipeOutcome } from '../recipe.ts';
import type { Opened } from '../realise.ts';
import { functionNamed } from './declared.ts';
import type { TransformRequest } from './request.ts';

export function extractByName(
  { symbol, path }: Extract<TransformRequest, { kind: 'extractFunction' }>,
  opened: Opened,
): RecipeOutcome {
  const found = functionNamed(opened.sourceFile, symbol);
  if ('refused' in found) return found;
  const { sourceFile } = opened;
  return extractFunction({
    ...opened,
    asked: true,
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
      range: rangeBetween(sourceFile, found.node.getStart(sourceFile), found.node.end),
      nameRange: rangeBetween(sourceFile, found.nameNode.getStart(sourceFile), found.nameNode.end),
    },
  });
}
