// The bug pattern of a condition that asks for a list or an object as such, which counts as true even if it is empty.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { collectNodesBelow } from '../nodesBelow.ts';
import { isCondition } from '../values.ts';
import { quoteCode } from './sameCode.ts';
import type { BugPatternMatch, BugPatternFinder } from './pattern.ts';

/** Patterns of a name that is a condition. */
export const alwaysTruePatterns: BugPatternFinder = { nodes: [ts.SyntaxKind.Identifier], find: findAlwaysTrue };

/**
 * `const lines = []; … if (lines)`: in other languages an empty list counts as false, in JavaScript it does not. Only
 * for variables that get no other value and whose name is declared once in their scope.
 */
function findAlwaysTrue(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const identifier = node as ts.Identifier;
  if (!isCondition(identifier) || !isReference(identifier)) return null;
  const sameName = readNames(sourceFile).get(identifier.text) ?? [];
  const declaration = findDeclaration(identifier, sameName);
  if (!declaration?.initializer) return null;
  const what = describeValue(skipParentheses(declaration.initializer));
  if (what === null || isGuardOfItself(identifier)) return null;
  const scope = findScope(declaration);
  const others = sameName.filter((other) => other !== declaration.name && isWithin(other, scope));
  if (others.some((other) => isDeclared(other) || isAssigned(other))) return null;
  return {
    name: 'always true',
    mayBeIntended: true,
    node: identifier,
    message: `${quoteCode(identifier)} is ${what}, which counts as true even if it is empty.`,
    conflicting: { node: declaration.name, message: 'It gets no other value.' },
    ...(isEmptyList(declaration.initializer) ? { replacement: askForLength(identifier) } : {}),
  };
}

/** The innermost declaration with this name whose scope the identifier is in; null if none is a variable. */
function findDeclaration(
  identifier: ts.Identifier,
  sameName: readonly ts.Identifier[],
): (ts.VariableDeclaration & { readonly name: ts.Identifier }) | null {
  const declarations = sameName.flatMap((other) => {
    const { parent } = other;
    const isVariable = ts.isVariableDeclaration(parent) && parent.name === other;
    return isVariable && isWithin(identifier, findScope(parent)) ? { declaration: parent, name: other } : [];
  });
  const innermost = declarations.at(-1);
  return innermost ? (innermost.declaration as ts.VariableDeclaration & { readonly name: ts.Identifier }) : null;
}

function isWithin(identifier: ts.Identifier, scope: ts.Node): boolean {
  return identifier.pos >= scope.pos && identifier.end <= scope.end;
}

/** True for `[]`: whoever asks for a list that is empty at first asks whether something was added. */
function isEmptyList(initializer: ts.Expression): boolean {
  const value = skipParentheses(initializer);
  return ts.isArrayLiteralExpression(value) && value.elements.length === 0;
}

function askForLength(list: ts.Identifier): string {
  return ts.isPrefixUnaryExpression(list.parent) ? `${list.text}.length` : `${list.text}.length > 0`;
}

const COLLECTIONS: ReadonlySet<string> = new Set(['Map', 'Set', 'WeakMap', 'WeakSet']);

/** What the variable holds; null for anything else. */
function describeValue(value: ts.Expression): string | null {
  if (ts.isArrayLiteralExpression(value)) return 'a list';
  if (ts.isNewExpression(value) && ts.isIdentifier(value.expression) && COLLECTIONS.has(value.expression.text))
    return `a ${value.expression.text}`;
  return ts.isObjectLiteralExpression(value) ? 'an object' : null;
}

/** The block of a `let` or `const`, the function of a `var`, or the file. */
function findScope(declaration: ts.VariableDeclaration): ts.Node {
  const isBlockScoped = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.BlockScoped) !== 0;
  let scope: ts.Node = declaration.parent;
  const ends = (node: ts.Node) =>
    ts.isSourceFile(node) || ts.isFunctionLike(node) || ts.isModuleBlock(node) || (isBlockScoped && ts.isBlock(node));
  while (!ends(scope)) scope = scope.parent;
  return scope;
}

/** The identifiers of a file by name, in the order of the text; computed once. */
const NAMES = new WeakMap<ts.SourceFile, ReadonlyMap<string, readonly ts.Identifier[]>>();

function readNames(sourceFile: ts.SourceFile): ReadonlyMap<string, readonly ts.Identifier[]> {
  const stored = NAMES.get(sourceFile);
  if (stored) return stored;
  const byName = new Map<string, ts.Identifier[]>();
  const identifiers = collectNodesBelow(sourceFile).filter(ts.isIdentifier);
  for (const identifier of identifiers.toSorted((a, b) => a.pos - b.pos)) {
    const sameName = byName.get(identifier.text);
    if (sameName) sameName.push(identifier);
    else byName.set(identifier.text, [identifier]);
  }
  NAMES.set(sourceFile, byName);
  return byName;
}

/** True if the identifier names a declaration or an import. */
function isDeclared(identifier: ts.Identifier): boolean {
  const { parent } = identifier;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isBindingElement(parent) ||
      ts.isFunctionLike(parent) ||
      ts.isClassLike(parent) ||
      ts.isImportClause(parent) ||
      ts.isImportSpecifier(parent) ||
      ts.isNamespaceImport(parent)) &&
    parent.name === identifier
  );
}

/** True if the identifier may get a value: as the left side, or as a part of it, also in `for (x of …)`. */
function isAssigned(identifier: ts.Identifier): boolean {
  let node: ts.Node = identifier;
  for (; ; node = node.parent) {
    const { parent } = node;
    if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
      return [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken].includes(parent.operator);
    if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.initializer === node;
    if (ts.isBinaryExpression(parent)) {
      const { kind } = parent.operatorToken;
      return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment && parent.left === node;
    }
    if (!isPartOfTarget(parent)) return false;
  }
}

/** True for what may stand between an assigned name and the whole left side: `[a, { b: c }] = …`. */
function isPartOfTarget(node: ts.Node): boolean {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isShorthandPropertyAssignment(node) ||
    ts.isSpreadElement(node) ||
    ts.isSpreadAssignment(node)
  );
}

/** False for `other.lines` and `{ lines: 1 }`, which are names of members. */
function isReference(identifier: ts.Identifier): boolean {
  const { parent } = identifier;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === identifier;
  return !ts.isPropertyAssignment(parent) || parent.initializer === identifier;
}

/** True for `lines && lines.length > 0`: the condition is needless, but it decides nothing wrongly. */
function isGuardOfItself(identifier: ts.Identifier): boolean {
  let whole: ts.Node = identifier;
  while (ts.isParenthesizedExpression(whole.parent) || isLogical(whole.parent)) whole = whole.parent;
  return collectNodesBelow(whole).some(
    (node) => ts.isIdentifier(node) && node !== identifier && node.text === identifier.text,
  );
}

function isLogical(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;
}
