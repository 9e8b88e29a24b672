// Reads loops that count from 0 to the length of a list and use the index only to read the list.

import { ts } from 'ts-morph';
import { findAssignedTargets } from './writtenNames.ts';
import { isPropertyPath, isAssignment } from './values.ts';
import { skipParentheses } from './controlFlow.ts';

/** A loop that only reads the elements of a list in order. */
export interface IndexLoop {
  /** Name of the index variable. */
  readonly index: string;
  /** The list, as a property path: `list`, `this.list`. */
  readonly list: ts.Expression;
  /** Occurrences of `list[i]` in text order; at least one. */
  readonly reads: readonly ts.ElementAccessExpression[];
  /** `const item = list[i];` (or `let`) at the start of the body, if it is the only read. */
  readonly itemDeclaration: ts.VariableStatement | null;
}

/**
 * Recognises `for (let i = 0; i < list.length; i++)` whose body refers to the list only as `list[i]`, never writes to
 * it, and does nothing with side effects before the last such read, because that could change the list.
 */
export function parseIndexLoop(loop: ts.ForStatement): IndexLoop | null {
  const { initializer, condition, incrementor, statement } = loop;
  if (
    !initializer ||
    !ts.isVariableDeclarationList(initializer) ||
    (initializer.flags & ts.NodeFlags.BlockScoped) !== ts.NodeFlags.Let ||
    !condition ||
    !incrementor
  )
    return null;
  const [counter, secondDeclaration] = initializer.declarations;
  if (
    !counter ||
    secondDeclaration ||
    !ts.isIdentifier(counter.name) ||
    !counter.initializer ||
    counter.initializer.getText() !== '0'
  )
    return null;
  const index = counter.name.text;
  const listExpression = findList(condition, index);
  if (
    !listExpression ||
    !isIncrement(incrementor, index) ||
    !isPropertyPath(listExpression) ||
    listExpression.kind === ts.SyntaxKind.ThisKeyword
  )
    return null;
  const reads = collectReads(statement, index, listExpression);
  if (!reads || reads.length === 0 || !isLoopInvariant(listExpression, loop)) return null;
  const firstStatement = findItemDeclaration(statement, reads);
  if ((reads.length > 1 || !firstStatement) && mayChangeListBefore(statement, reads.at(-1)!.end)) return null;
  return { index, list: listExpression, reads, itemDeclaration: firstStatement };
}

/** The list in the condition `i < list.length`; null for any other condition. */
function findList(condition: ts.Expression, index: string): ts.Expression | null {
  if (!ts.isBinaryExpression(condition) || condition.operatorToken.kind !== ts.SyntaxKind.LessThanToken) return null;
  const { left, right } = condition;
  if (
    !ts.isIdentifier(left) ||
    left.text !== index ||
    !ts.isPropertyAccessExpression(right) ||
    right.name.text !== 'length' ||
    right.questionDotToken
  )
    return null;
  return right.expression;
}

/** True for `index++`, `++index` and `index += 1`. */
function isIncrement(step: ts.Expression, index: string): boolean {
  if (
    ts.isPostfixUnaryExpression(step) ||
    (ts.isPrefixUnaryExpression(step) && step.operator === ts.SyntaxKind.PlusPlusToken)
  )
    return step.operator === ts.SyntaxKind.PlusPlusToken && step.operand.getText() === index;
  return (
    ts.isBinaryExpression(step) &&
    step.operatorToken.kind === ts.SyntaxKind.PlusEqualsToken &&
    step.left.getText() === index &&
    step.right.getText() === '1'
  );
}

/**
 * The reads of the list in the body. Null if the index or the list is used in any other way, or is read in code that
 * may run later.
 */
function collectReads(
  body: ts.Statement,
  index: string,
  listExpression: ts.Expression,
): ts.ElementAccessExpression[] | null {
  const path = listExpression.getText();
  const root = findRoot(listExpression);
  const reads: ts.ElementAccessExpression[] = [];
  const visit = (node: ts.Node, isNested: boolean): boolean => {
    if (
      ts.isElementAccessExpression(node) &&
      node.expression.getText() === path &&
      ts.isIdentifier(node.argumentExpression) &&
      node.argumentExpression.text === index
    ) {
      if (isNested || node.questionDotToken || isWrittenOrCalled(node)) return false;
      reads.push(node);
      return true;
    }
    if (
      (ts.isPropertyAccessExpression(node) || ts.isIdentifier(node)) &&
      node.getText() === path &&
      !isPropertyName(node)
    )
      return false;
    if (
      ts.isIdentifier(node) &&
      !isPropertyName(node) &&
      (node.text === index || (path === root && node.text === root))
    )
      return false;
    const inner = isNested || ts.isFunctionLike(node) || ts.isClassLike(node);
    return !ts.forEachChild(node, (child) => !visit(child, inner) || undefined);
  };
  return visit(body, false) ? reads : null;
}

function findRoot(listExpression: ts.Expression): string {
  let root = listExpression;
  while (ts.isPropertyAccessExpression(root)) root = root.expression;
  return root.getText();
}

/** True if the node is the name of a property instead of a variable. */
function isPropertyName(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return (
    (ts.isPropertyAssignment(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isJsxAttribute(parent)) &&
    parent.name === node
  );
}

/** True if the element is also assigned, incremented, deleted, or called (the call would get the list as `this`). */
function isWrittenOrCalled(read: ts.ElementAccessExpression): boolean {
  let node: ts.Node = read;
  while (
    ts.isNonNullExpression(node.parent) ||
    ts.isParenthesizedExpression(node.parent) ||
    ts.isAsExpression(node.parent)
  )
    node = node.parent;
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.left === node && isAssignment(parent);
  // A call through the list would get the list as `this`.
  if (ts.isCallExpression(parent) || ts.isTaggedTemplateExpression(parent))
    return (ts.isCallExpression(parent) ? parent.expression : parent.tag) === node;
  if (ts.isPostfixUnaryExpression(parent) || ts.isDeleteExpression(parent)) return true;
  if (ts.isPrefixUnaryExpression(parent))
    return parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken;
  return ts.isArrayLiteralExpression(parent) ||
    ts.isSpreadElement(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isForOfStatement(parent)
    ? isTarget(node)
    : false;
}

/** True for a part of a pattern that is assigned to. */
function isTarget(node: ts.Node): boolean {
  let current = node;
  while (
    ts.isArrayLiteralExpression(current.parent) ||
    ts.isObjectLiteralExpression(current.parent) ||
    ts.isPropertyAssignment(current.parent) ||
    ts.isSpreadElement(current.parent)
  )
    current = current.parent;
  const { parent } = current;
  return (
    (ts.isBinaryExpression(parent) &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      parent.left === current) ||
    (ts.isForOfStatement(parent) && parent.initializer === current)
  );
}

/**
 * True if the path refers to the same list during the whole loop: the file never assigns to its first name, and, if the
 * path has properties, the body has no side effects.
 */
function isLoopInvariant(listExpression: ts.Expression, loop: ts.ForStatement): boolean {
  if (ts.isIdentifier(listExpression)) return !findAssignedTargets(loop.getSourceFile()).has(listExpression.text);
  return (
    !findAssignedTargets(loop.getSourceFile()).has(findRoot(listExpression)) &&
    !mayChangeListBefore(loop.statement, loop.statement.end)
  );
}

/** The first statement of the body, if it only declares a name for the element and is the only read; otherwise null. */
function findItemDeclaration(
  body: ts.Statement,
  reads: readonly ts.ElementAccessExpression[],
): ts.VariableStatement | null {
  const firstStatement = ts.isBlock(body) ? body.statements[0] : undefined;
  if (
    !firstStatement ||
    !ts.isVariableStatement(firstStatement) ||
    firstStatement.declarationList.declarations.length !== 1
  )
    return null;
  if (
    (firstStatement.declarationList.flags & ts.NodeFlags.BlockScoped) !== ts.NodeFlags.Const &&
    (firstStatement.declarationList.flags & ts.NodeFlags.BlockScoped) !== ts.NodeFlags.Let
  )
    return null;
  const [{ initializer, type }] = firstStatement.declarationList.declarations as unknown as [ts.VariableDeclaration];
  if (type || !initializer) return null;
  const value = skipParentheses(ts.isNonNullExpression(initializer) ? initializer.expression : initializer);
  return reads.length === 1 && value === reads[0] ? firstStatement : null;
}

/**
 * True if code that ends before `end` may change a list: a call, `await`, `yield`, `for … of`, a spread, `delete`, or a
 * write to something other than a name.
 */
function mayChangeListBefore(body: ts.Node, end: number): boolean {
  const visit = (node: ts.Node): boolean => {
    if (node.pos >= end || ts.isFunctionLike(node)) return false;
    if (node.end <= end && mayChangeList(node)) return true;
    return ts.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(body);
}

/** True for a node that may run other code or write to something other than a name. */
function mayChangeList(node: ts.Node): boolean {
  if (
    ts.isCallExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isYieldExpression(node) ||
    ts.isTaggedTemplateExpression(node) ||
    ts.isDeleteExpression(node) ||
    ts.isForOfStatement(node) ||
    ts.isSpreadElement(node)
  )
    return true;
  if (ts.isBinaryExpression(node)) return isAssignment(node) && !ts.isIdentifier(node.left);
  return (
    (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node)) &&
    !ts.isIdentifier(node.operand) &&
    (ts.isPostfixUnaryExpression(node) ||
      node.operator === ts.SyntaxKind.PlusPlusToken ||
      node.operator === ts.SyntaxKind.MinusMinusToken)
  );
}
