// Decides whether evaluating an expression can have side effects.

import { ts } from 'ts-morph';
import { collectNodesBelow } from './nodesBelow.ts';
import { isAssignment } from './values.ts';

/**
 * True for calls, tagged templates, `new`, `await`, `yield`, assignments, deletes, spreads in lists and calls (they
 * run an iterator), class expressions and decorators, and for reading a property that the same file declares as a
 * getter. Bodies of functions are not examined. `isPure`: recognises calls without side effects of their own.
 */
export function hasSideEffects(
  sourceFile: ts.SourceFile,
  expression: ts.Node,
  isPure: (node: ts.Node) => boolean = () => false,
): boolean {
  const getters = findGetters(sourceFile);
  const visit = (node: ts.Node): boolean => {
    if (ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isTypeNode(node)) return false;
    if (hasDirectEffect(node) && !isPure(node)) return true;
    if (ts.isPropertyAccessExpression(node) && getters.has(node.name.text)) return true;
    return ts.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(expression);
}

/** By file: the result of `findGetters`. */
const GETTERS_CACHE = new WeakMap<ts.SourceFile, ReadonlySet<string>>();

/** The names of the getters of the file, computed once. */
function findGetters(sourceFile: ts.SourceFile): ReadonlySet<string> {
  const cachedGetters = GETTERS_CACHE.get(sourceFile);
  if (cachedGetters) return cachedGetters;
  const getters = new Set(
    collectNodesBelow(sourceFile).flatMap((node) =>
      ts.isGetAccessorDeclaration(node) && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name))
        ? [node.name.text]
        : [],
    ),
  );
  GETTERS_CACHE.set(sourceFile, getters);
  return getters;
}

/** True for a node that may have an effect itself, whatever its children are. */
function hasDirectEffect(node: ts.Node): boolean {
  switch (node.kind) {
    case ts.SyntaxKind.CallExpression:
    case ts.SyntaxKind.NewExpression:
    case ts.SyntaxKind.TaggedTemplateExpression:
    case ts.SyntaxKind.AwaitExpression:
    case ts.SyntaxKind.YieldExpression:
    case ts.SyntaxKind.DeleteExpression:
    case ts.SyntaxKind.PostfixUnaryExpression:
    case ts.SyntaxKind.SpreadElement:
    case ts.SyntaxKind.ClassExpression:
    case ts.SyntaxKind.Decorator:
      return true;
    case ts.SyntaxKind.PrefixUnaryExpression: {
      const { operator } = node as ts.PrefixUnaryExpression;
      return operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;
    }
    case ts.SyntaxKind.BinaryExpression:
      return isAssignment(node);
    default:
      return false;
  }
}
