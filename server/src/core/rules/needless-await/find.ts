// needless-await: finds an `await` of a value that is not a promise, and promises that are created only to be
// unwrapped.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { resolveLocal } from '../../analysis/script/bindings.ts';
import type { Finding } from '../finding.ts';
import { findImportOfCall } from '../../analysis/shared/imports.ts';
import { findFunctionAround } from '../../analysis/shared/loops.ts';
import { hasAdjacentComment } from '../../analysis/shared/reasons.ts';
import type { NodeFinder } from '../finders.ts';
import { isPlainAsync } from '../../syntax/declarations/modifiers.ts';

export const finder: NodeFinder = {
  nodes: [ts.SyntaxKind.AwaitExpression, ts.SyntaxKind.ReturnStatement],
  find: findNeedlessAwait,
};

/** Global objects whose functions return no promises. */
const PLAIN_GLOBALS = new Set(['JSON', 'Object', 'Math', 'Number', 'String', 'Date']);

/**
 * Reports a needless `await` or promise, unless a comment is next to it, because it is then intended. `return await
 * call()` is not reported: it keeps the function in the stack of an error, and inside `try` it is needed for catching.
 * `node` is an `await` or a `return`.
 */
function findNeedlessAwait(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const result = ts.isAwaitExpression(node)
    ? findNeedlessAwaitExpression(node, sourceFile)
    : findNeedlessReturn(node as ts.ReturnStatement, sourceFile);
  return result && !hasAdjacentComment(node, sourceFile) ? result : null;
}

function findNeedlessAwaitExpression(node: ts.AwaitExpression, sourceFile: ts.SourceFile): Finding | null {
  const value = skipParentheses(node.expression);
  const wrappedValue = findPromiseCall(value, 'resolve')?.arguments[0];
  // A call may or may not return a promise; the wrapper makes that visible, so it is kept.
  if (wrappedValue && !ts.isCallExpression(skipParentheses(wrappedValue)))
    return createFinding(
      node,
      'promise around a value',
      'a promise around a value that is awaited at once: `await` takes the value as it is.',
      sourceFile,
    );
  const settledReason = describeSettledValue(value);
  return settledReason === null
    ? null
    : createFinding(node, settledReason, `nothing to wait for: this is ${settledReason}.`, sourceFile);
}

/**
 * Finds `return Promise.resolve(value)` and `return Promise.reject(error)` in an async function. Null if the statement
 * is the whole body, if an error that is thrown instead would be caught, or if a caught error is passed on.
 */
function findNeedlessReturn(node: ts.ReturnStatement, sourceFile: ts.SourceFile): Finding | null {
  const value = node.expression && skipParentheses(node.expression);
  if (!value || !(findPromiseCall(value, 'resolve') ?? findPromiseCall(value, 'reject'))) return null;
  const enclosingFunction = findFunctionAround(node);
  // An empty implementation of an interface is complete as it is.
  if (
    enclosingFunction?.body &&
    ts.isBlock(enclosingFunction.body) &&
    enclosingFunction.body.statements.length === 1 &&
    enclosingFunction.body.statements[0] === node
  )
    return null;
  if (!enclosingFunction || !isPlainAsync(enclosingFunction)) return null;
  const method = findPromiseCall(value, 'resolve') ? 'resolve' : 'reject';
  if (
    method === 'reject' &&
    (isInTryBlock(node, enclosingFunction) || passesCaughtErrorOn(node, value, enclosingFunction))
  )
    return null;
  const advice = method === 'resolve' ? 'return the value itself' : '`throw` says the same';
  return createFinding(
    node,
    `Promise.${method} in an async function`,
    `a promise made by hand in an async function, which makes one anyway: ${advice}.`,
    sourceFile,
  );
}

/**
 * True for `catch (error) { … return Promise.reject(error) }`. This is a common way to pass an error on, which handlers
 * use alike.
 */
function passesCaughtErrorOn(node: ts.Node, value: ts.Expression, outerFunction: ts.Node): boolean {
  const rejectedValue = findPromiseCall(value, 'reject')?.arguments[0];
  for (let inner = node; inner !== outerFunction; inner = inner.parent) {
    const name = ts.isCatchClause(inner) ? inner.variableDeclaration?.name : undefined;
    if (
      name &&
      rejectedValue &&
      ts.isIdentifier(name) &&
      ts.isIdentifier(rejectedValue) &&
      name.text === rejectedValue.text
    )
      return true;
  }
  return false;
}

/** True inside the block of a `try` within the function `outerFunction`, which would handle a thrown error. */
function isInTryBlock(node: ts.Node, outerFunction: ts.Node): boolean {
  for (let inner = node; inner !== outerFunction; inner = inner.parent)
    if (ts.isTryStatement(inner.parent) && inner.parent.tryBlock === inner) return true;
  return false;
}

/** A finding that marks the word `await` or `return`. */
function createFinding(node: ts.Node, pattern: string, message: string, sourceFile: ts.SourceFile): Finding {
  const start = node.getStart(sourceFile);
  const keyword = ts.isAwaitExpression(node) ? 'await' : 'return';
  return {
    rule: 'needless-await',
    start,
    end: node.end,
    nameStart: start,
    nameEnd: start + keyword.length,
    impact: 12,
    confidence: 0.75,
    message,
    evidence: { pattern },
    recipe: 'remove-await',
  };
}

/** The call itself if it is one of `Promise.resolve` or `Promise.reject` with at most one argument; otherwise null. */
function findPromiseCall(value: ts.Expression, method: 'resolve' | 'reject'): ts.CallExpression | null {
  if (!ts.isCallExpression(value) || value.arguments.length > 1 || !ts.isPropertyAccessExpression(value.expression))
    return null;
  const { expression, name } = value.expression;
  if (!ts.isIdentifier(expression) || expression.text !== 'Promise' || name.text !== method) return null;
  return value;
}

/** A phrase for a value that is visibly not a promise (`a literal`); null if it may be one. */
function describeSettledValue(value: ts.Expression): string | null {
  if (ts.isLiteralExpression(value) || ts.isTemplateExpression(value)) return 'a literal';
  if (ts.isObjectLiteralExpression(value))
    return value.properties.some((property) => property.name?.getText() === 'then' || ts.isSpreadAssignment(property))
      ? null
      : 'an object literal';
  if (ts.isArrayLiteralExpression(value)) return 'an array, not a promise of one';
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return 'a function, not its answer';
  if (!ts.isCallExpression(value)) return null;
  const callee = skipParentheses(value.expression);
  if (
    ts.isPropertyAccessExpression(callee) &&
    ts.isIdentifier(callee.expression) &&
    PLAIN_GLOBALS.has(callee.expression.text) &&
    !resolveLocal(callee.expression)
  )
    return `the answer of \`${callee.getText()}\``;
  const importedName = findImportOfCall(value);
  if (
    importedName &&
    ((importedName.module === 'fs' && importedName.name.endsWith('Sync')) || importedName.module === 'path')
  )
    return `the answer of \`${callee.getText()}\``;
  return ts.isIdentifier(callee) && returnsPlainValue(callee)
    ? `the answer of \`${callee.text}\`, which is declared to give no promise`
    : null;
}

/** True for a function of this file that is declared to return a string, number, boolean, array or nothing. */
function returnsPlainValue(callee: ts.Identifier): boolean {
  const declarations = resolveLocal(callee)?.symbol.declarations ?? [];
  const [declaration] = declarations;
  if (
    declarations.length !== 1 ||
    !declaration ||
    !ts.isFunctionDeclaration(declaration) ||
    !declaration.type ||
    declaration.asteriskToken
  )
    return false;
  const { kind } = declaration.type;
  return (
    kind === ts.SyntaxKind.StringKeyword ||
    kind === ts.SyntaxKind.NumberKeyword ||
    kind === ts.SyntaxKind.BooleanKeyword ||
    kind === ts.SyntaxKind.VoidKeyword ||
    kind === ts.SyntaxKind.ArrayType
  );
}
