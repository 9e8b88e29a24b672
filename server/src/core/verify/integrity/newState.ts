// Finds variables that a change newly keeps between calls: with them, code can behave otherwise at its n-th call than
// at its first, which hardly any test notices.

import { ts } from 'ts-morph';
import type { FileEdit } from '../../model.ts';
import { everyNode } from '../../syntax/everyNode.ts';

/** A variable of a module that functions change and use. */
export interface NewState {
  readonly path: string;
  readonly name: string;
}

const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Methods that change the object that they are called on. */
const CHANGES = new Set(
  'push pop shift unshift splice sort reverse fill copyWithin set add delete clear next'.split(' '),
);
/** Methods by which a regular expression with the flag `g` or `y` remembers where it was. */
const REMEMBERS = new Set(['test', 'exec']);

/** The state that is new in its file; what existed under the same name before is not. */
export function newState(edits: readonly FileEdit[]): readonly NewState[] {
  return edits.flatMap(({ path, before, after }) => {
    if (after === null || !SCRIPT.test(path)) return [];
    const known = before === null ? new Set<string>() : keptNames(path, before);
    return [...keptNames(path, after)].filter((name) => !known.has(name)).map((name) => ({ path, name }));
  });
}

/** Names of variables outside of functions that some function changes, and that are used beyond that change. */
function keptNames(path: string, text: string): ReadonlySet<string> {
  const kind = /x$/.test(path) ? ts.ScriptKind.TSX : undefined;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const nodes = everyNode(source);
  const kept = new Map<ts.Node, string>();
  const changes = new Set<ts.Identifier>();
  for (const node of nodes) {
    const changed = changedIn(node);
    const root = changed && rootOf(changed);
    const declaration = root && lastingDeclaration(root);
    if (!root || !declaration) continue;
    kept.set(declaration, root.text);
    if (ts.isExpressionStatement(node.parent) && root === changed) changes.add(root);
  }
  const used = new Set(
    nodes.flatMap((node) => {
      if (!ts.isIdentifier(node) || changes.has(node) || isNameOnly(node)) return [];
      const declaration = lastingDeclaration(node);
      return declaration ? [declaration] : [];
    }),
  );
  return new Set([...kept].flatMap(([declaration, name]) => (used.has(declaration) ? [name] : [])));
}

/** The expression whose value a node changes; null if it changes none. */
function changedIn(node: ts.Node): ts.Expression | null {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment ? node.left : null;
  }
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken
      ? node.operand
      : null;
  if (ts.isDeleteExpression(node)) return node.expression;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const { expression, name } = node.expression;
  if (CHANGES.has(name.text)) return expression;
  return REMEMBERS.has(name.text) && ts.isIdentifier(expression) && isRemembering(expression) ? expression : null;
}

function isRemembering(name: ts.Identifier): boolean {
  const declaration = lastingDeclaration(name);
  return (
    declaration !== null &&
    ts.isVariableDeclaration(declaration) &&
    declaration.initializer !== undefined &&
    /\/[a-z]*[gy][a-z]*$/.test(declaration.initializer.getText())
  );
}

function rootOf(expression: ts.Expression): ts.Identifier | null {
  let root: ts.Expression = expression;
  while (
    ts.isPropertyAccessExpression(root) ||
    ts.isElementAccessExpression(root) ||
    ts.isNonNullExpression(root) ||
    ts.isParenthesizedExpression(root)
  )
    root = root.expression;
  return ts.isIdentifier(root) ? root : null;
}

function isNameOnly({ parent, text }: ts.Identifier): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === text && parent.expression.getText() !== text;
  return ts.isVariableDeclaration(parent) || ts.isFunctionDeclaration(parent) || ts.isPropertyAssignment(parent)
    ? parent.name?.getText() === text
    : ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent);
}

/**
 * The declaration of a name that outlives the calls of the function around the node: outside of all functions, or in
 * one that runs while the module loads. Null if a function in between declares the name, and outside of functions.
 */
function lastingDeclaration(name: ts.Identifier): ts.Node | null {
  let scopesLeft = 0;
  for (let scope: ts.Node = name.parent; scope; scope = scope.parent) {
    const isFunction = ts.isFunctionLike(scope) && !isCalledAtOnce(scope);
    const found = ts.isFunctionLike(scope) || ts.isSourceFile(scope) ? declarationIn(scope, name.text) : undefined;
    if (found) return scopesLeft > 0 && !isFunction && isLoadedOnce(scope) ? found : null;
    if (isFunction) scopesLeft += 1;
  }
  return null;
}

function isLoadedOnce(scope: ts.Node): boolean {
  for (let outer: ts.Node = scope; outer; outer = outer.parent)
    if (ts.isFunctionLike(outer) && !isCalledAtOnce(outer)) return false;
  return true;
}

/** True for `(() => …)()`. */
function isCalledAtOnce(scope: ts.Node): boolean {
  let outer = scope.parent;
  while (outer && ts.isParenthesizedExpression(outer)) outer = outer.parent;
  return outer !== undefined && ts.isCallExpression(outer) && outer.expression.getText().includes(scope.getText());
}

/** What declares the name in this function or file, nested functions left out. */
function declarationIn(scope: ts.Node, name: string): ts.Node | undefined {
  const search = (node: ts.Node): ts.Node | undefined => {
    if (declares(node, name)) return node;
    return node !== scope && ts.isFunctionLike(node) ? undefined : ts.forEachChild(node, search);
  };
  return ts.forEachChild(scope, search);
}

function declares(node: ts.Node, name: string): boolean {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node);
  return isDeclaration && node.name !== undefined && ts.isIdentifier(node.name) && node.name.text === name;
}
