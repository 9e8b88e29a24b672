// Finds the name by which a person knows a TypeScript or JavaScript function, and the position of the name.

import { ts } from 'ts-morph';
import { ANONYMOUS_NAME } from '../functionUnit.ts';
import type { NamePlace } from './namePlace.ts';

/**
 * The function's own name, otherwise the name of its variable, property or field, otherwise the token that makes it a
 * function (`=>`, `function`).
 */
export function findFunctionName(node: ts.Node, sourceFile: ts.SourceFile): NamePlace {
  const name = findDeclaredName(node);
  if (name) return { name: textOf(name, sourceFile), start: name.getStart(sourceFile), end: name.end };
  const start = node.getStart(sourceFile);
  if (ts.isConstructorDeclaration(node)) return findKeywordPlace('constructor', node, sourceFile);
  if (ts.isClassStaticBlockDeclaration(node)) return findKeywordPlace('static', node, sourceFile);
  if (ts.isArrowFunction(node)) {
    const arrow = node.equalsGreaterThanToken;
    return { name: ANONYMOUS_NAME, start: arrow.getStart(sourceFile), end: arrow.end };
  }
  if (ts.isFunctionExpression(node)) return { ...findKeywordPlace('function', node, sourceFile), name: ANONYMOUS_NAME };
  return {
    name: ts.isFunctionDeclaration(node) ? 'default' : ANONYMOUS_NAME,
    start,
    end: Math.min(node.end, start + 'function'.length),
  };
}

/** The function's own name, or the name of its variable, property or field; undefined if it has neither. */
function findDeclaredName(node: ts.Node): ts.Node | undefined {
  const declaredName = (node as ts.NamedDeclaration).name;
  if (declaredName) return declaredName;
  let parent = node.parent;
  while (
    parent &&
    (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent))
  )
    parent = parent.parent;
  if (!parent) return undefined;
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name;
  if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) return parent.name;
  if (
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    parent.right.end === node.end
  ) {
    if (ts.isIdentifier(parent.left)) return parent.left;
    if (ts.isPropertyAccessExpression(parent.left)) return parent.left.name;
  }
  return undefined;
}

/** The text of a name without quotes; a computed name is as written, with its brackets. */
function textOf(name: ts.Node, sourceFile: ts.SourceFile): string {
  if (
    ts.isIdentifier(name) ||
    ts.isPrivateIdentifier(name) ||
    ts.isStringLiteralLike(name) ||
    ts.isNumericLiteral(name)
  )
    return name.text;
  return name.getText(sourceFile);
}

/** The first place of a keyword in a node; an empty place at the start of the node if the keyword is not in it. */
function findKeywordPlace(word: string, node: ts.Node, sourceFile: ts.SourceFile): NamePlace {
  const start = node.getStart(sourceFile);
  const offset = sourceFile.text.indexOf(word, start);
  return offset >= 0 && offset < node.end
    ? { name: word, start: offset, end: offset + word.length }
    : { name: word, start, end: start };
}
