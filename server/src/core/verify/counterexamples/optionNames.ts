// Finds the names of the options that a function reads from its parameters, for code without declared types.

import { ts } from 'ts-morph';

/** Members that strings, arrays or functions have anyway, so they are not options. */
const COMMON_NAMES = new Set(['length', 'name', 'constructor', 'prototype', 'toString']);

/**
 * The names of the members that the first function in the node reads from its parameters or destructures. Omits members
 * that it only calls, and common ones such as `length`. Empty if there is no function.
 */
export function collectOptionNames(node: ts.Node): readonly string[] {
  const firstFunction = findFunction(node);
  if (!firstFunction) return [];
  const names = new Set<string>();
  const parameterNames = new Set<string>();
  const addPattern = (bound: ts.BindingName): void => {
    if (ts.isIdentifier(bound)) parameterNames.add(bound.text);
    else if (ts.isObjectBindingPattern(bound))
      for (const { propertyName, name, dotDotDotToken } of bound.elements) {
        const key = propertyName ?? name;
        if (!dotDotDotToken && (ts.isIdentifier(key) || ts.isStringLiteralLike(key))) names.add(key.text);
      }
  };
  for (const { name } of firstFunction.parameters) addPattern(name);
  const visit = (child: ts.Node): void => {
    if (
      ts.isPropertyAccessExpression(child) &&
      ts.isIdentifier(child.expression) &&
      parameterNames.has(child.expression.text) &&
      !(ts.isCallExpression(child.parent) && child.parent.expression === child)
    )
      names.add(child.name.text);
    if (ts.isVariableDeclaration(child) && child.initializer && refersToName(child.initializer, parameterNames))
      if (!ts.isIdentifier(child.name)) addPattern(child.name);
    ts.forEachChild(child, visit);
  };
  visit(firstFunction);
  return [...names].filter((name) => !COMMON_NAMES.has(name));
}

function findFunction(node: ts.Node): ts.SignatureDeclaration | null {
  if (ts.isFunctionLike(node)) return node;
  return ts.forEachChild(node, (child) => findFunction(child) ?? undefined) ?? null;
}

/** True if the expression is one of these names, also with a default, as in `options || {}` and `options ?? {}`. */
function refersToName(node: ts.Expression, names: ReadonlySet<string>): boolean {
  if (ts.isIdentifier(node)) return names.has(node.text);
  if (ts.isParenthesizedExpression(node)) return refersToName(node.expression, names);
  return ts.isBinaryExpression(node) && refersToName(node.left, names);
}
