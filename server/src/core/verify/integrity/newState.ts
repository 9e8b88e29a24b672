// Finds variables that functions newly change and use across calls. With such state, code can behave differently at its
// n-th call, which hardly any test notices.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { findLongLived, findLeftmostExpression, type LongLivedDeclarations } from './longLived.ts';
import { isAssignment } from '../../syntax/values.ts';
import { isImport } from '../../syntax/names.ts';

/** A variable of a module that functions change and use. */
export interface NewState {
  readonly path: string;
  readonly name: string;
}

/** Methods that change the object on which they are called. */
const CHANGING_METHODS = new Set(
  'push pop shift unshift splice sort reverse fill copyWithin set add delete clear next'.split(' '),
);
/** Functions that change their first argument. */
const CHANGING_FUNCTIONS = new Set(
  'Object.assign Object.defineProperty Object.defineProperties Reflect.set Reflect.deleteProperty'.split(' '),
);
/** Methods in which a regular expression with the flag `g` or `y` updates its `lastIndex`. */
const STATEFUL_METHODS = new Set(['test', 'exec']);

/** The new state of each edited script. State is not new if the file had state with the same name before. */
export function collectNewState(edits: readonly FileEdit[]): readonly NewState[] {
  return edits.flatMap(({ path, before, after }) => {
    if (after === null || !SCRIPT_PATTERN.test(path)) return [];
    const namesBefore = before === null ? new Set<string>() : findKeptNames(path, before);
    return [...findKeptNames(path, after)].filter((name) => !namesBefore.has(name)).map((name) => ({ path, name }));
  });
}

/** A change of a variable or an object, by one node. */
interface Change {
  readonly target: ts.Expression;
  /** True if the contents of the target change; false if the target itself gets another value. */
  readonly isInside: boolean;
}

/** Names of variables that outlive calls, are changed by some function, and are used for more than this change. */
function findKeptNames(path: string, text: string): ReadonlySet<string> {
  const kind = /x$/.test(path) ? ts.ScriptKind.TSX : undefined;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const nodes = collectNodesBelow(source);
  const longLived = findLongLived(nodes);
  const keptByNode = new Map<ts.Node, string>();
  const changes = new Set<ts.Node>();
  for (const node of nodes)
    for (const { target, isInside } of collectChanges(node, longLived)) {
      const root = findLeftmostExpression(target);
      const declaration = root && findDeclarationBehind(root, isInside || root !== target, longLived);
      if (!root || !declaration || (isInside && isForeign(declaration))) continue;
      keptByNode.set(declaration, findName(declaration) ?? root.getText());
      if (ts.isExpressionStatement(node.parent) && root === target && !isInside) changes.add(root);
    }
  const names = new Set([...keptByNode.values()]);
  const usedNodes = new Set<ts.Node>();
  for (const node of nodes) {
    if (node.kind === ts.SyntaxKind.ThisKeyword) usedNodes.add(longLived.ownerOf(node) ?? node);
    if (!ts.isIdentifier(node) || !names.has(node.text) || changes.has(node) || isNameOnly(node)) continue;
    usedNodes.add(longLived.declarationOf(node) ?? node);
  }
  return new Set([...keptByNode].flatMap(([declaration, name]) => (usedNodes.has(declaration) ? [name] : [])));
}

/**
 * The declaration to which the start of a target refers, if it outlives calls; otherwise null. `isObject`: true if the
 * object to which the name refers counts, rather than the variable.
 */
function findDeclarationBehind(
  root: ts.Expression,
  isObject: boolean,
  longLived: LongLivedDeclarations,
): ts.Node | null {
  if (!ts.isIdentifier(root)) return longLived.ownerOf(root);
  return isObject ? longLived.objectOf(root) : longLived.declarationOf(root);
}

function findName(declaration: ts.Node): string | undefined {
  const { name } = declaration as ts.NamedDeclaration;
  return name && ts.isIdentifier(name) ? name.text : undefined;
}

/** True for a package or a whole module. A method such as `delete` may be a function there that changes nothing. */
function isForeign(declaration: ts.Node): boolean {
  if (!isImport(declaration)) return false;
  const { moduleSpecifier } = ts.findAncestor(declaration, ts.isImportDeclaration) ?? {};
  const isFromRepository =
    moduleSpecifier && ts.isStringLiteral(moduleSpecifier) && /^[.#~@]?\.*\//.test(moduleSpecifier.text);
  return ts.isNamespaceImport(declaration) || !isFromRepository;
}

/** The changes that this one node makes. */
function collectChanges(node: ts.Node, longLived: LongLivedDeclarations): readonly Change[] {
  if (ts.isBinaryExpression(node))
    return isAssignment(node) ? collectTargets(node.left).map((target) => ({ target, isInside: false })) : [];
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken
      ? [{ target: node.operand, isInside: false }]
      : [];
  if (ts.isDeleteExpression(node)) return [{ target: node.expression, isInside: false }];
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression, name } = node.expression;
  const [first] = node.arguments;
  if (first && CHANGING_FUNCTIONS.has(node.expression.getText())) return [{ target: first, isInside: true }];
  if (CHANGING_METHODS.has(name.text)) return [{ target: expression, isInside: true }];
  return STATEFUL_METHODS.has(name.text) && ts.isIdentifier(expression) && isStatefulPattern(expression, longLived)
    ? [{ target: expression, isInside: true }]
    : [];
}

/** The targets of an assignment; several for a pattern such as `[a, b.c]`. */
function collectTargets(target: ts.Expression): readonly ts.Expression[] {
  if (ts.isArrayLiteralExpression(target)) return target.elements.flatMap(collectTargets);
  if (ts.isSpreadElement(target)) return collectTargets(target.expression);
  if (ts.isBinaryExpression(target)) return collectTargets(target.left);
  if (!ts.isObjectLiteralExpression(target)) return [target];
  return target.properties.flatMap((property) => {
    if (ts.isPropertyAssignment(property)) return collectTargets(property.initializer);
    if (ts.isShorthandPropertyAssignment(property)) return [property.name];
    return ts.isSpreadAssignment(property) ? collectTargets(property.expression) : [];
  });
}

/** True for the name of a lasting variable whose initial value is a regular expression with the flag `g` or `y`. */
function isStatefulPattern(name: ts.Identifier, longLived: LongLivedDeclarations): boolean {
  const declaration = longLived.declarationOf(name);
  return (
    declaration !== null &&
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    /\/[a-z]*[gy][a-z]*$/.test(declaration.initializer.getText())
  );
}

/**
 * True if the identifier only names a member, a property, a declaration, an import or an export, so that it reads no
 * value.
 */
function isNameOnly({ parent, text }: ts.Identifier): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === text && parent.expression.getText() !== text;
  return ts.isVariableDeclaration(parent) || ts.isFunctionDeclaration(parent) || ts.isPropertyAssignment(parent)
    ? parent.name?.getText() === text
    : isImport(parent) || ts.isExportSpecifier(parent);
}
