// floating-promise: finds calls whose promise is neither awaited, stored nor caught.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { resolveLocal } from '../../analysis/script/bindings.ts';
import type { Finding } from '../finding.ts';
import { findImportOfCall } from '../../analysis/shared/imports.ts';
import { findFunctionAround } from '../../analysis/shared/loops.ts';
import { hasAdjacentComment } from '../../analysis/shared/reasons.ts';
import { findLastName } from '../../analysis/shared/triedCalls.ts';
import type { NodeFinder } from '../finders.ts';
import { isPlainAsync } from '../../syntax/declarations/modifiers.ts';

export const finder: NodeFinder = { nodes: [ts.SyntaxKind.ExpressionStatement], find: findFloatingPromise };

/** Modules whose functions return promises, unless their names end in `sync`. */
const PROMISE_MODULES = new Set([
  'fs/promises',
  'timers/promises',
  'stream/promises',
  'dns/promises',
  'readline/promises',
  'fs-extra',
  'p-map',
  'execa',
]);
/** Matches names of handlers and clean-ups, whose callers cannot wait. */
const HANDLER_PATTERN = /^_?(on[A-Z]\w*|close|stop|dispose|destroy|shutdown|exit|kill)$/;
/** Functions of `Promise` whose results must be awaited. */
const PROMISE_COMBINATORS = new Set(['all', 'any', 'race']);

/**
 * Reports a call if the file itself proves that it returns a promise: a call of an `async` function or method of this
 * file, of a module in `PROMISE_MODULES`, or of a combinator such as `Promise.all`, with or without a following
 * `.then`. Only calls inside `async` functions are reported, where `await` is possible; elsewhere, work is often
 * started on purpose. Calls of handlers, of functions that catch all their errors, and calls next to a comment are not
 * reported.
 */
function findFloatingPromise(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const statement = node as ts.ExpressionStatement;
  const root = findRootCall(skipParentheses(statement.expression));
  if (!root) return null;
  const enclosingFunction = findFunctionAround(statement);
  if (!enclosingFunction || !isPlainAsync(enclosingFunction)) return null;
  const source = findPromiseSource(root);
  if (!source || HANDLER_PATTERN.test(findLastName(root.expression)) || hasAdjacentComment(statement, sourceFile))
    return null;
  const start = statement.getStart(sourceFile);
  const { declaration } = source;
  return {
    rule: 'floating-promise',
    start,
    end: statement.end,
    nameStart: root.expression.getStart(sourceFile),
    nameEnd: root.expression.end,
    impact: 45,
    confidence: 0.7,
    message: `nobody waits for ${source.name}: nobody learns of an error in it, and the following code does not wait. Write \`await\`, or \`void\` if that is intended.`,
    evidence: { call: source.name, known: source.reason },
    recipe: null,
    ...(declaration
      ? {
          related: [
            {
              start: declaration.getStart(sourceFile),
              end: (declaration.name ?? declaration).end,
              message: 'It is async.',
            },
          ],
        }
      : {}),
  };
}

/** The call at the start of a chain of `.then` and `.finally`; null if the chain handles errors, or is not a call. */
function findRootCall(expression: ts.Expression): ts.CallExpression | null {
  let call = expression;
  while (ts.isCallExpression(call)) {
    const { expression: callee } = call;
    if (!ts.isPropertyAccessExpression(callee) || !/^(then|finally)$/.test(callee.name.text)) return call;
    if (callee.name.text === 'then' && call.arguments.length > 1) return null;
    call = skipParentheses(callee.expression);
  }
  return null;
}

/** A call that returns a promise: its name for a message, how this is known, and the declaration in this file. */
interface PromiseSource {
  readonly name: string;
  readonly reason: string;
  readonly declaration: ts.NamedDeclaration | null;
}

/**
 * The source of the promise that a call returns; null if the file does not show that it returns one that may reject.
 */
function findPromiseSource(call: ts.CallExpression): PromiseSource | null {
  const callee = skipParentheses(call.expression);
  if (ts.isFunctionExpression(callee) || ts.isArrowFunction(callee))
    return isPlainAsync(callee) && !catchesAll(callee)
      ? { name: 'this async function', reason: 'called where it is written', declaration: null }
      : null;
  const importedName = findImportOfCall(call);
  if (importedName)
    return PROMISE_MODULES.has(importedName.module) && !/sync$/i.test(importedName.name)
      ? { name: `\`${callee.getText()}\``, reason: `from ${importedName.module}`, declaration: null }
      : null;
  if (ts.isIdentifier(callee)) {
    const symbol = resolveLocal(callee)?.symbol;
    const calledFunction = symbol?.declarations?.length === 1 ? findFunction(symbol.declarations[0]!) : null;
    return calledFunction && isPlainAsync(calledFunction) && !catchesAll(calledFunction)
      ? { name: `\`${callee.text}\``, reason: 'async in this file', declaration: symbol!.declarations![0]! }
      : null;
  }
  if (!ts.isPropertyAccessExpression(callee)) return null;
  if (
    ts.isIdentifier(callee.expression) &&
    callee.expression.text === 'Promise' &&
    PROMISE_COMBINATORS.has(callee.name.text)
  )
    return { name: `\`Promise.${callee.name.text}\``, reason: 'Promise', declaration: null };
  if (callee.expression.kind !== ts.SyntaxKind.ThisKeyword) return null;
  const method = findMethodOfClass(callee);
  return method && isPlainAsync(method) && !catchesAll(method)
    ? { name: `\`${callee.getText()}\``, reason: 'async in this class', declaration: method }
    : null;
}

/** The function that a declaration declares, or that is the value of a constant; null for other declarations. */
function findFunction(declaration: ts.Declaration): ts.FunctionLikeDeclaration | null {
  if (ts.isFunctionDeclaration(declaration)) return declaration;
  if (
    !ts.isVariableDeclaration(declaration) ||
    !declaration.initializer ||
    (declaration.parent.flags & ts.NodeFlags.Const) === 0
  )
    return null;
  const value = skipParentheses(declaration.initializer);
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value) ? value : null;
}

/**
 * The method to which `this.name` refers in the class around it; null if there is none, or if `this` is another object.
 */
function findMethodOfClass(callee: ts.PropertyAccessExpression): ts.MethodDeclaration | null {
  for (let outer: ts.Node = callee; outer.parent; outer = outer.parent) {
    if (ts.isFunctionDeclaration(outer) || ts.isFunctionExpression(outer) || ts.isObjectLiteralExpression(outer))
      return null;
    if (!ts.isClassLike(outer)) continue;
    return (
      outer.members
        .filter(ts.isMethodDeclaration)
        .find((member) => member.body !== undefined && member.name.getText() === callee.name.text) ?? null
    );
  }
  return null;
}

/** True for a function that never ends, so that its callers cannot wait for it. */
function runsForever(node: ts.FunctionLikeDeclaration): boolean {
  return node.body !== undefined && /\b(while\s*\(\s*true\s*\)|for\s*\(\s*;\s*;\s*\))/.test(node.body.getText());
}

/** The results of `neverRejects` by function. */
const NEVER_REJECTS_CACHE = new WeakMap<ts.Node, boolean>();

/** True if the function never rejects, as `neverRejects` computes it. The result is cached for each function. */
function catchesAll(node: ts.FunctionLikeDeclaration): boolean {
  const catches = NEVER_REJECTS_CACHE.get(node) ?? neverRejects(node);
  NEVER_REJECTS_CACHE.set(node, catches);
  return catches;
}

/**
 * True if the body never ends, or if it ends with a `try` whose `catch` does not throw again, with only variables and
 * ifs before it.
 */
function neverRejects(node: ts.FunctionLikeDeclaration): boolean {
  const { body } = node;
  if (!body || !ts.isBlock(body)) return false;
  if (runsForever(node)) return true;
  const lastStatement = body.statements.at(-1);
  if (
    !lastStatement ||
    !ts.isTryStatement(lastStatement) ||
    !lastStatement.catchClause ||
    /\bthrow\b/.test(lastStatement.catchClause.getText())
  )
    return false;
  return body.statements
    .slice(0, -1)
    .every((statement) => ts.isVariableStatement(statement) || ts.isIfStatement(statement));
}
