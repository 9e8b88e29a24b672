// Classifies the content of a `try` block: a check whose failure is an answer, a clean-up on whose success nothing
// depends, or work.

import { ts } from 'ts-morph';
import { createAnyOfPattern } from '../../../util/anyOfPattern.ts';
import { isAssignment } from '../../syntax/values.ts';

/** Matches names of functions that clean up. */
const CLEAN_UP_PATTERN = new RegExp(
  `^(${createAnyOfPattern(String.raw`
    abort cancel clean\w* clear close\w* destroy detach disconnect dispose end flush kill release remove\w*
    rm rollback\w* stop teardown terminate unlink unsubscribe
  `)})(Sync)?$`,
  'i',
);
/** Matches names of functions that people call to check whether something is possible. */
const PROBE_PATTERN = new RegExp(
  `^(${createAnyOfPattern(String.raw`
    access chmod chown define\w* load probe\w* try\w* utimes decodeURI(Component)? import isFile lstat open
    parse readFile readlink realpath require resolve stat URL RegExp statfs
  `)})(Sync)?$`,
);
/**
 * Maximum number of statements of a block that only checks a call. In a longer block, the call is one step among
 * others.
 */
const MAX_PROBE_STATEMENTS = 3;

/** True for a call whose failure matters: neither a clean-up nor a check. */
export function isConsequentialCall(value: ts.Expression): boolean {
  return (
    ts.isCallExpression(value) &&
    !PROBE_PATTERN.test(findLastName(value.expression)) &&
    !collectCallsInChain(value).some((call) => CLEAN_UP_PATTERN.test(findLastName(call.expression)))
  );
}

/** True for a `try` inside a `catch` or `finally` of the same function, and for a `try` with a call that cleans up. */
export function isCleanUp(tryStatement: ts.TryStatement): boolean {
  for (let inner: ts.Node = tryStatement; inner.parent; inner = inner.parent) {
    const outer = inner.parent;
    if (ts.isCatchClause(outer) || (ts.isTryStatement(outer) && outer.finallyBlock === inner)) return true;
    if (ts.isFunctionLike(outer)) break;
  }
  const calls = collectCalls(tryStatement.tryBlock);
  return calls.some((call) => CLEAN_UP_PATTERN.test(findLastName(call.expression)));
}

/**
 * True for a block that ends by returning a value or assigning one, because the code then has a fallback value for the
 * failure. Also true for an empty block, and for a short block with a call whose failure is the answer.
 */
export function isProbe(block: ts.Block): boolean {
  const lastStatement = block.statements.at(-1);
  if (!lastStatement || returnsOrAssigns(lastStatement)) return true;
  return (
    block.statements.length <= MAX_PROBE_STATEMENTS &&
    collectCalls(block).some((call) => PROBE_PATTERN.test(findLastName(call.expression)))
  );
}

/** True for `return value`, for an assignment, and for an `if` with one of them in its first branch. */
function returnsOrAssigns(statement: ts.Statement): boolean {
  if (ts.isReturnStatement(statement)) return statement.expression !== undefined;
  if (ts.isIfStatement(statement))
    return ts.isBlock(statement.thenStatement)
      ? statement.thenStatement.statements.some(returnsOrAssigns)
      : returnsOrAssigns(statement.thenStatement);
  return ts.isExpressionStatement(statement) && isAssignment(statement.expression);
}

/** Every call in a chain and in its arguments: `warm.then((browser) => browser.close())`. */
function collectCallsInChain(value: ts.Node): ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  const pending: ts.Node[] = [value];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (ts.isCallExpression(node)) calls.push(node);
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  return calls;
}

/** The calls in the block, without those in inner functions. */
function collectCalls(block: ts.Block): (ts.CallExpression | ts.NewExpression)[] {
  const calls: (ts.CallExpression | ts.NewExpression)[] = [];
  const pending: ts.Node[] = [block];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (ts.isFunctionLike(node)) continue;
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) calls.push(node);
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  return calls;
}

/** The last name of a callee: `close` of `this.server.close`, `import` of `import(…)`; empty if it has none. */
export function findLastName(callee: ts.Expression): string {
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return callee.kind === ts.SyntaxKind.ImportKeyword ? 'import' : ts.isIdentifier(callee) ? callee.text : '';
}
