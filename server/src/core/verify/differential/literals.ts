// The values at which code branches: literals of the code and of its tests. Inputs are made from them, too.

import { ts } from 'ts-morph';
import type { DifferentialPlan } from './plan.ts';

/** Longer texts are messages, not cases; in new code, a case may be of any text that can be read. */
const [LONGEST, LONGEST_NEW] = [40, 400];
const MOST = 120;

/** What is `fresh` matters most, then the first of the others: what comes after them fills what room is left. */
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
