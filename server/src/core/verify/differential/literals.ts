// Collects the values at which code may branch, from the literals of the code and of its tests, for the generator of
// inputs.

import { ts } from 'ts-morph';
import type { DifferentialPlan } from './plan.ts';

/** Longer strings are usually messages. In new code, any readable string may be a special case. */
const [MAX_STRING_LENGTH, MAX_NEW_STRING_LENGTH] = [40, 400];
/** Maximum number of literals of each kind: numbers, strings, bigints. */
const MAX_LITERALS = 120;

/**
 * The literals of the code, at most 120 of each kind: those of `newNodes` first, with strings of up to 400 characters,
 * then those of `sourceFiles`, up to 40. Words in regular expressions count as strings.
 */
export function collectLiterals(
  sourceFiles: readonly ts.Node[],
  newNodes: readonly ts.Node[] = [],
): DifferentialPlan['constants'] {
  let maxLength = MAX_NEW_STRING_LENGTH;
  const numbers = new Set<number>();
  const strings = new Set<string>();
  const bigints = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isNumericLiteral(node) && numbers.size < MAX_LITERALS) numbers.add(Number(node.text));
    else if (ts.isBigIntLiteral(node) && bigints.size < MAX_LITERALS) bigints.add(node.text.slice(0, -1));
    else if (ts.isStringLiteralLike(node) && node.text.length <= maxLength && strings.size < MAX_LITERALS)
      strings.add(node.text);
    else if (ts.isRegularExpressionLiteral(node))
      for (const [word] of node.text.matchAll(/[A-Za-z0-9]{1,12}/g)) if (strings.size < MAX_LITERALS) strings.add(word);
    ts.forEachChild(node, visit);
  };
  for (const node of newNodes) visit(node);
  maxLength = MAX_STRING_LENGTH;
  for (const file of sourceFiles) visit(file);
  return { numbers: [...numbers], strings: [...strings], bigints: [...bigints] };
}
