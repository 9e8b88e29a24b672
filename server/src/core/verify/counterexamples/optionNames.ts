// Reads from the body of a function which options it takes, for code without declared types.

import { ts } from 'ts-morph';

/** Members that every text, list or function has. */
const COMMON = new Set(['length', 'name', 'constructor', 'prototype', 'toString']);

/** The names of members that the first function in the node reads from its parameters, or takes apart. */
export function optionNames(node: ts.Node): readonly string[] {
  const own = functionIn(node);
  if (!own) return [];
  const names = new Set<string>();
  const taken = new Set<string>();
  const takeApart = (bound: ts.BindingName): void => {
    if (ts.isIdentifier(bound)) taken.add(bound.text);
    else if (ts.isObjectBindingPattern(bound))
      for (const { propertyName, name, dotDotDotToken } of bound.elements) {
        const key = propertyName ?? name;
        if (!dotDotDotToken && (ts.isIdentifier(key) || ts.isStringLiteralLike(key))) names.add(key.text);
      }
  };
  for (const { name } of own.parameters) takeApart(name);
  const visit = (child: ts.Node): void => {
    if (
      ts.isPropertyAccessExpression(child) &&
      ts.isIdentifier(child.expression) &&
      taken.has(child.expression.text) &&
      !(ts.isCallExpression(child.parent) && child.parent.expression === child)
    )
      names.add(child.name.text);
    if (ts.isVariableDeclaration(child) && child.initializer && mentions(child.initializer, taken))
      if (!ts.isIdentifier(child.name)) takeApart(child.name);
    ts.forEachChild(child, visit);
  };
  visit(own);
  return [...names].filter((name) => !COMMON.has(name));
}

function functionIn(node: ts.Node): ts.SignatureDeclaration | null {
  if (ts.isFunctionLike(node)) return node;
  return ts.forEachChild(node, (child) => functionIn(child) ?? undefined) ?? null;
}

/** True for one of these names, also in `options || {}` and `options ?? {}`. */
function mentions(node: ts.Expression, names: ReadonlySet<string>): boolean {
  if (ts.isIdentifier(node)) return names.has(node.text);
  if (ts.isParenthesizedExpression(node)) return mentions(node.expression, names);
  return ts.isBinaryExpression(node) && mentions(node.left, names);
}
