// Detects whether code reads the clock.

import { ts } from 'ts-morph';
import { createWordSet } from '../../../util/wordSet.ts';
import type { ModuleOutline } from '../differential/declarations.ts';

/** Names through which code reads the clock. */
export const CLOCK_NAMES = createWordSet('Date performance');

/** True if the declaration `from`, or a declaration of its file that is named in `mentioned`, reads the clock. */
export function readsClock(
  { declarations }: Pick<ModuleOutline, 'declarations'>,
  from: string,
  mentioned: ReadonlySet<string>,
): boolean {
  if (![...CLOCK_NAMES].some((word) => mentioned.has(word))) return false;
  return [from, ...mentioned].some((name) => {
    const declaration = declarations.get(name);
    return declaration !== undefined && usesClock(declaration.node);
  });
}

/** True if the code of this node reads the clock; types do not count. */
export function usesClock(node: ts.Node): boolean {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return false;
  if (isClockRead(node)) return true;
  return ts.forEachChild(node, (child) => usesClock(child) || undefined) ?? false;
}

/** True for a name of the clock in an expression that reads it. */
export function isClockRead(node: ts.Node): boolean {
  return ts.isIdentifier(node) && CLOCK_NAMES.has(node.text) && !isTimeless(node);
}

/**
 * True if this mention of `Date` does not read the clock: `instanceof Date`, `new Date(0)`, `Date.UTC(…)`,
 * `Date.prototype`, `a.Date`, `{ Date: a }`.
 */
function isTimeless(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent))
    return parent.name === name || /^(?:UTC|parse|prototype)$/.test(parent.name.text);
  if (ts.isPropertyAssignment(parent)) return parent.name === name;
  if (ts.isNewExpression(parent)) return parent.expression === name && (parent.arguments?.length ?? 0) > 0;
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
}
