// Finds the value that a variable gets at its declaration, if it never gets another one.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { collectNodesBelow } from '../nodesBelow.ts';

/** A variable with one value. */
export interface OnlyValue {
  readonly name: ts.Identifier;
  readonly value: ts.Expression;
}

/** The value of the variable that the identifier reads; null if it may have another one, or if it is no variable. */
export function findOnlyValue(identifier: ts.Identifier, sourceFile: ts.SourceFile): OnlyValue | null {
  const sameName = readNames(sourceFile).get(identifier.text) ?? [];
  const declared = findDeclaration(identifier, sameName);
  if (!declared) return null;
  const { declaration, name } = declared;
  if (!declaration.initializer) return null;
  const scope = findScope(declaration);
  const others = sameName.filter((other) => other !== name && isWithin(other, scope));
  if (others.some((other) => isDeclared(other) || isAssigned(other))) return null;
  return { name, value: skipParentheses(declaration.initializer) };
}

/** The innermost declaration of a variable with this name whose scope the identifier is in; null if there is none. */
function findDeclaration(
  identifier: ts.Identifier,
  sameName: readonly ts.Identifier[],
): { readonly declaration: ts.VariableDeclaration; readonly name: ts.Identifier } | null {
  const declarations = sameName.flatMap((name) => {
    const { parent } = name;
    const isVariable = ts.isVariableDeclaration(parent) && parent.name === name;
    return isVariable && isWithin(identifier, findScope(parent)) ? { declaration: parent, name } : [];
  });
  return declarations.at(-1) ?? null;
}

function isWithin(identifier: ts.Identifier, scope: ts.Node): boolean {
  return identifier.pos >= scope.pos && identifier.end <= scope.end;
}

/** The block of a `let` or `const`, the function of a `var`, or the file. */
function findScope(declaration: ts.VariableDeclaration): ts.Node {
  const isBlockScoped = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.BlockScoped) !== 0;
  const endsScope = (node: ts.Node) =>
    ts.isSourceFile(node) || ts.isFunctionLike(node) || ts.isModuleBlock(node) || (isBlockScoped && ts.isBlock(node));
  let scope: ts.Node = declaration.parent;
  while (!endsScope(scope)) scope = scope.parent;
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

/** True if the identifier is the name in a declaration or an import. */
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
  for (let node: ts.Node = identifier; ; node = node.parent) {
    const { parent } = node;
    if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
      return parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken;
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
