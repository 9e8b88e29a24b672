// Collects the values at which code may branch, from the literals of the code and of its tests, for the generator of
// inputs.

import { ts } from 'ts-morph';
import type { DifferentialPlan } from './plan.ts';

/** Longer strings are usually messages. In new code, any readable string may be a special case. */
const [LONGEST, LONGEST_NEW] = [40, 400];
/** Maximum number of literals of each kind: numbers, strings, bigints. */
const MOST = 120;

/**
 * The literals of the code, at most 120 of each kind: those of `fresh` first, with strings of up to 400 characters,
 * then those of `sourceFiles`, up to 40. Words in regular expressions count as strings.
 */
export function literalsOf(
  sourceFiles: readonly ts.Node[],
  fresh: readonly ts.Node[] = [],
): DifferentialPlan['constants'] {
  let longest = LONGEST_NEW;
  const numbers = new Set<number>();
  const strings = new Set<string>();
  const bigints = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isNumericLiteral(node) && numbers.size < MOST) numbers.add(Number(node.text));
    else if (ts.isBigIntLiteral(node) && bigints.size < MOST) bigints.add(node.text.slice(0, -1));
    else if (ts.isStringLiteralLike(node) && node.text.length <= longest && strings.size < MOST) strings.add(node.text);
    else if (ts.isRegularExpressionLiteral(node))
      for (const [word] of node.text.matchAll(/[A-Za-z0-9]{1,12}/g)) if (strings.size < MOST) strings.add(word);
    ts.forEachChild(node, visit);
  };
  for (const node of fresh) visit(node);
  longest = LONGEST;
  for (const file of sourceFiles) visit(file);
  return { numbers: [...numbers], strings: [...strings], bigints: [...bigints] };
}
