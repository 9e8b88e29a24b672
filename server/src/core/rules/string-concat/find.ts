// string-concat: finds strings of three or more parts that are joined by `+`.

import { ts } from 'ts-morph';
import { parseConcatenation, isInConcatenation } from '../../syntax/concatenation.ts';
import type { Finding } from '../finding.ts';
import { hasCommentWithin } from '../../analysis/shared/reasons.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.BinaryExpression], find: findStringConcat };

/** Minimum number of parts. `'.' + name` is easy to read. */
const MIN_PARTS = 3;
/**
 * Maximum number of characters. A longer string, or a string of several lines, is probably split into parts on purpose.
 */
const MAX_CHARACTERS = 120;

/**
 * Reports a string that is joined by `+` and could be a template. A string with a backtick is not reported, because a
 * template would have to escape it. `node` is a binary expression.
 */
function findStringConcat(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const concatenationNode = node as ts.BinaryExpression;
  if (concatenationNode.operatorToken.kind !== ts.SyntaxKind.PlusToken || isInConcatenation(concatenationNode))
    return null;
  const concatenation = parseConcatenation(concatenationNode);
  if (!concatenation || concatenation.valueCount === 0 || concatenation.parts.length < MIN_PARTS) return null;
  const start = concatenationNode.getStart(sourceFile);
  const concatenationText = sourceFile.text.slice(start, concatenationNode.end);
  if (
    concatenationText.length > MAX_CHARACTERS ||
    concatenationText.includes('\n') ||
    concatenationText.includes('`') ||
    hasCommentWithin(sourceFile.text, start, concatenationNode.end)
  )
    return null;
  return {
    rule: 'string-concat',
    start,
    end: concatenationNode.end,
    nameStart: start,
    nameEnd: concatenationNode.end,
    impact: Math.min(16, 4 + 2 * concatenation.parts.length),
    confidence: 0.7,
    message: `a text put together by ${concatenation.parts.length - 1} \`+\`: a template shows the text as it will be.`,
    evidence: { parts: concatenation.parts.length },
    recipe: 'template-string',
  };
}
