// Finds the value that a variable gets at its declaration, if it never gets another one.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { collectNodesBelow } from '../nodesBelow.ts';
import { isAssignment } from '../values.ts';

/** A variable with one value. */
export interface OnlyValue {
  readonly name: ts.Identifier;
  readonly value: ts.Expression;
}

/** A declaration of a variable with a value. */
interface Declaration extends OnlyValue {
  readonly scope: ts.Node;
  /** False if the variable may get another value; null until that is known. */
  hasOnlyValue: boolean | null;
}

/**
 * All identifiers of a file that have one name, in the order of the text, and the declarations of variables among them.
 * `declarations` is null until it is needed.
 */
interface IdentifiersOfName {
  readonly identifiers: ts.Identifier[];
  declarations: readonly Declaration[] | null;
}

/**
 * The value of the variable that the identifier reads; null if the variable may have another value, or if the
 * identifier does not read a variable.
 */
export function findOnlyValue(identifier: ts.Identifier, sourceFile: ts.SourceFile): OnlyValue | null {
  const sameName = readIdentifiersByName(sourceFile).get(identifier.text);
  if (!sameName) return null;
  sameName.declarations ??= sameName.identifiers.flatMap((name) => readDeclaration(name) ?? []);
  const declaration = sameName.declarations.findLast(({ scope }) => isWithin(identifier, scope));
  // In `var list = list.filter(f)`, the value uses the variable itself.
  if (!declaration || declaration.name.pos > identifier.pos || isWithin(identifier, declaration.value)) return null;
  declaration.hasOnlyValue ??= sameName.identifiers.every(
    (other) =>
      other === declaration.name ||
      !isWithin(other, declaration.scope) ||
      !(isDeclarationName(other) || isAssigned(other)),
  );
  return declaration.hasOnlyValue ? declaration : null;
}

/** All identifiers of the file with this name. */
export function findIdentifiersNamed(name: string, sourceFile: ts.SourceFile): readonly ts.Identifier[] {
  return readIdentifiersByName(sourceFile).get(name)?.identifiers ?? [];
}

/** True if the file declares or imports something with this name, so that the name does not refer to the platform. */
export function isDeclaredIn(name: string, sourceFile: ts.SourceFile): boolean {
  return findIdentifiersNamed(name, sourceFile).some(isDeclarationName);
}

/**
 * The declaration of a variable with a value, if `name` is its name; otherwise null. A `var` counts only at the top of
 * its function or file.
 */
function readDeclaration(name: ts.Identifier): Declaration | null {
  const { parent } = name;
  if (!ts.isVariableDeclaration(parent) || parent.name !== name || !parent.initializer) return null;
  const isBlockScoped = (ts.getCombinedNodeFlags(parent) & ts.NodeFlags.BlockScoped) !== 0;
  const scope = findScope(parent, isBlockScoped);
  const block = parent.parent.parent.parent;
  if (!isBlockScoped && block !== scope && block.parent !== scope) return null;
  return { name, value: skipParentheses(parent.initializer), scope, hasOnlyValue: null };
}

/** The block, `switch` or loop of a `let` or `const`, the function of a `var`, or the file. */
function findScope(declaration: ts.Node, isBlockScoped: boolean): ts.Node {
  const endsBlock = (node: ts.Node) =>
    ts.isBlock(node) ||
    ts.isCaseBlock(node) ||
    ts.isForStatement(node) ||
    ts.isForOfStatement(node) ||
    ts.isForInStatement(node);
  const endsScope = (node: ts.Node) =>
    ts.isSourceFile(node) ||
    ts.isFunctionLike(node) ||
    ts.isModuleBlock(node) ||
    ts.isClassStaticBlockDeclaration(node) ||
    (isBlockScoped && endsBlock(node));
  let scope = declaration.parent;
  while (!endsScope(scope)) scope = scope.parent;
  return scope;
}

function isWithin(identifier: ts.Identifier, scope: ts.Node): boolean {
  return identifier.pos >= scope.pos && identifier.end <= scope.end;
}

/** The identifiers of each file by name, computed once. */
const NAMES_CACHE = new WeakMap<ts.SourceFile, ReadonlyMap<string, IdentifiersOfName>>();

/** All identifiers of the file by name, each list in the order of the text. */
function readIdentifiersByName(sourceFile: ts.SourceFile): ReadonlyMap<string, IdentifiersOfName> {
  const cachedNames = NAMES_CACHE.get(sourceFile);
  if (cachedNames) return cachedNames;
  const byName = new Map<string, IdentifiersOfName>();
  const identifiers = collectNodesBelow(sourceFile).filter(ts.isIdentifier);
  for (const identifier of identifiers.toSorted((a, b) => a.pos - b.pos)) {
    const sameName = byName.get(identifier.text);
    if (sameName) sameName.identifiers.push(identifier);
    else byName.set(identifier.text, { identifiers: [identifier], declarations: null });
  }
  NAMES_CACHE.set(sourceFile, byName);
  return byName;
}

/** True if the identifier is the name in a declaration or an import. */
function isDeclarationName(identifier: ts.Identifier): boolean {
  const { parent } = identifier;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isBindingElement(parent) ||
      ts.isFunctionLike(parent) ||
      ts.isClassLike(parent) ||
      ts.isEnumDeclaration(parent) ||
      ts.isModuleDeclaration(parent) ||
      ts.isImportEqualsDeclaration(parent) ||
      ts.isImportClause(parent) ||
      ts.isImportSpecifier(parent) ||
      ts.isNamespaceImport(parent)) &&
    parent.name === identifier
  );
}

/**
 * True if the name or element may get another value: it is assigned, incremented, deleted, or the variable of a `for …
 * of` or `for … in`, alone or as a part of a pattern.
 */
export function isAssigned(target: ts.Node): boolean {
  for (let node = target; ; node = node.parent) {
    const { parent } = node;
    if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
      return parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken;
    if (ts.isDeleteExpression(parent)) return true;
    if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.initializer === node;
    if (ts.isBinaryExpression(parent)) return isAssignment(parent) && parent.left === node;
    if (!isPartOfTarget(parent)) return false;
  }
}

/**
 * True for a node that may be between an assigned name and the whole left side: `[a, { b: c }] = …`, `(a as T) = …`.
 */
function isPartOfTarget(node: ts.Node): boolean {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isShorthandPropertyAssignment(node) ||
    ts.isSpreadElement(node) ||
    ts.isSpreadAssignment(node)
  );
}
