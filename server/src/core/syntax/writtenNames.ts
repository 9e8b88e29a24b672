// Finds the names that code assigns to after their declaration, the names of a `let` that are never assigned again, and
// assignments within expressions.

import { ts } from 'ts-morph';
import { collectBoundIdentifiers } from './names.ts';
import { hasModifier } from './declarations/modifiers.ts';
import { isAssignment } from './values.ts';

/** By root: the result of `findAssignedTargets`. */
const TARGETS_CACHE = new WeakMap<ts.Node, ReadonlyMap<string, readonly ts.Identifier[]>>();

/**
 * Names that are assigned, incremented, decremented, or the target of a loop or a pattern, anywhere below `root`, each
 * with all places. Cached, because every rule needs them.
 */
export function findAssignedTargets(root: ts.Node): ReadonlyMap<string, readonly ts.Identifier[]> {
  const cached = TARGETS_CACHE.get(root);
  if (cached) return cached;
  const targets = new Map<string, ts.Identifier[]>();
  const pending: ts.Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    for (const target of collectTargets(node)) targets.set(target.text, [...(targets.get(target.text) ?? []), target]);
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  TARGETS_CACHE.set(root, targets);
  return targets;
}

/**
 * The names that are assigned, incremented, decremented, or the target of a loop or a pattern, anywhere below `root`.
 */
export function findAssignedNames(root: ts.Node): Set<string> {
  return new Set(findAssignedTargets(root).keys());
}

/**
 * The names of a `let` that nothing in `targets` writes to. Null if one of them is written to or has no initial value,
 * if the statement has `export` or `declare`, and for the variable of a `for … in`. `isSame` decides whether a written
 * name refers to the declared one.
 */
export function findConstantNames(
  list: ts.VariableDeclarationList,
  targets: ReadonlyMap<string, readonly ts.Identifier[]>,
  isSame: (target: ts.Identifier, name: ts.Identifier) => boolean,
): ts.Identifier[] | null {
  if ((list.flags & ts.NodeFlags.BlockScoped) !== ts.NodeFlags.Let || ts.isForInStatement(list.parent)) return null;
  const { parent } = list;
  if (ts.isVariableStatement(parent) && hasModifier(parent, ts.SyntaxKind.ExportKeyword, ts.SyntaxKind.DeclareKeyword))
    return null;
  if (!ts.isForOfStatement(parent) && list.declarations.some(({ initializer }) => !initializer)) return null;
  const names = list.declarations.flatMap(({ name }) => collectBoundIdentifiers(name));
  return names.length > 0 && names.every((name) => !targets.get(name.text)?.some((target) => isSame(target, name)))
    ? names
    : null;
}

/** True if an expression, or an operand of it, is an assignment; calls and functions inside are not examined. */
export function containsAssignment(expression: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(expression)) return containsAssignment(expression.expression);
  if (!ts.isBinaryExpression(expression)) return false;
  return isAssignment(expression) || containsAssignment(expression.left) || containsAssignment(expression.right);
}

/** The names that this node itself assigns to. */
function collectTargets(node: ts.Node): ts.Identifier[] {
  if (ts.isBinaryExpression(node)) return isAssignment(node) ? collectIdentifiers(node.left) : [];
  if (ts.isPostfixUnaryExpression(node)) return collectIdentifiers(node.operand);
  if (ts.isPrefixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken
      ? collectIdentifiers(node.operand)
      : [];
  return (ts.isForOfStatement(node) || ts.isForInStatement(node)) && !ts.isVariableDeclarationList(node.initializer)
    ? collectIdentifiers(node.initializer)
    : [];
}

/** The names within the target of an assignment: one name, or those of a pattern. */
function collectIdentifiers(target: ts.Node): ts.Identifier[] {
  if (ts.isIdentifier(target)) return [target];
  if (
    ts.isParenthesizedExpression(target) ||
    ts.isNonNullExpression(target) ||
    ts.isAsExpression(target) ||
    ts.isSatisfiesExpression(target) ||
    ts.isTypeAssertionExpression(target)
  )
    return collectIdentifiers(target.expression);
  if (ts.isArrayLiteralExpression(target))
    return target.elements.flatMap((element) =>
      collectIdentifiers(ts.isSpreadElement(element) ? element.expression : element),
    );
  if (ts.isBinaryExpression(target) && target.operatorToken.kind === ts.SyntaxKind.EqualsToken)
    return collectIdentifiers(target.left);
  if (!ts.isObjectLiteralExpression(target)) return [];
  return target.properties.flatMap((property) => {
    if (ts.isShorthandPropertyAssignment(property)) return [property.name];
    if (ts.isPropertyAssignment(property)) return collectIdentifiers(property.initializer);
    return ts.isSpreadAssignment(property) ? collectIdentifiers(property.expression) : [];
  });
}
