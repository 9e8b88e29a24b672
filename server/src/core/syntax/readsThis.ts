// Decides whether code reads the `this` of the function around it.

import { ts } from 'ts-morph';

/**
 * True if the code reads `this`, directly or in an arrow function. Other functions and classes have their own `this`.
 */
export function readsThis(node: ts.Node): boolean {
  const reads = (child: ts.Node): boolean => {
    if (child.kind === ts.SyntaxKind.ThisKeyword) return true;
    if (ts.isTypeNode(child) || ts.isClassLike(child)) return false;
    if (ts.isFunctionLike(child) && !ts.isArrowFunction(child)) return false;
    return ts.forEachChild(child, reads) ?? false;
  };
  return ts.forEachChild(node, reads) ?? false;
}
