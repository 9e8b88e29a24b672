// Bug patterns of statements and calls: a self-assignment, an unused result, an error that is not thrown, an async
// executor, a second `await`, and a loop in the wrong direction.

import { ts } from 'ts-morph';
import { skipParentheses } from '../controlFlow.ts';
import { hasOperator } from '../values.ts';
import { isRepeatable, isSameCode, quoteCode } from './sameCode.ts';
import type { BugPatternMatch, BugPatternFinder } from './pattern.ts';

const { EqualsEqualsToken, EqualsEqualsEqualsToken } = ts.SyntaxKind;
/** Matches methods of texts that take no arguments and have no other effect than their result. */
const TEXT_METHOD_PATTERN = /^(?:trim|trimStart|trimEnd|toUpperCase|toLowerCase)$/;
/** Matches names of classes of errors. */
const ERROR_CLASS_PATTERN = /^(?:[A-Z]\w*)?Error$/;

/** Patterns of a statement that is only an expression. */
export const statementPatterns: BugPatternFinder = {
  nodeKinds: [ts.SyntaxKind.ExpressionStatement],
  find: (node, sourceFile) => {
    const { expression } = node as ts.ExpressionStatement;
    return findSelfAssignment(expression, sourceFile) ?? findLostComparison(expression) ?? findLostResult(expression);
  },
};

/** Patterns of `new Promise(…)`. */
export const promisePatterns: BugPatternFinder = { nodeKinds: [ts.SyntaxKind.NewExpression], find: findAsyncExecutor };

/** Patterns of `await …`. */
export const awaitPatterns: BugPatternFinder = { nodeKinds: [ts.SyntaxKind.AwaitExpression], find: findRepeatedAwait };

/** Patterns of `for (…; …; …)`. */
export const loopPatterns: BugPatternFinder = { nodeKinds: [ts.SyntaxKind.ForStatement], find: findWrongDirection };

/**
 * Finds `a = a`. A setter may have an effect, so properties count only if they are those of `this` in a constructor.
 */
function findSelfAssignment(expression: ts.Expression, sourceFile: ts.SourceFile): BugPatternMatch | null {
  if (!hasOperator(expression, ts.SyntaxKind.EqualsToken)) return null;
  const { left, right } = expression;
  if (!isSameCode(left, right) || !isRepeatable(left, sourceFile)) return null;
  if (!ts.isIdentifier(left) && !isOwnFieldInConstructor(left)) return null;
  return {
    name: 'assigned to itself',
    mayBeIntended: true,
    node: expression,
    message: `${quoteCode(left)} is assigned to itself, which changes nothing.`,
  };
}

/** True for `this.field` in a constructor, if its class has no setter for the field. */
function isOwnFieldInConstructor(node: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(node) || node.expression.kind !== ts.SyntaxKind.ThisKeyword) return false;
  const method = ts.findAncestor(node, ts.isFunctionLike);
  if (!method || !ts.isConstructorDeclaration(method)) return false;
  return !method.parent.members.some(
    (member) => ts.isSetAccessor(member) && ts.isIdentifier(member.name) && member.name.text === node.name.text,
  );
}

/** Finds `a === b;` as a statement. */
function findLostComparison(expression: ts.Expression): BugPatternMatch | null {
  if (!hasOperator(expression, EqualsEqualsToken) && !hasOperator(expression, EqualsEqualsEqualsToken)) return null;
  return {
    name: 'comparison that nobody uses',
    node: expression,
    message: 'nobody uses the result of this comparison; an assignment or a check is missing.',
  };
}

/** Finds statements whose result is lost: `new Error('…');`, `text.trim();` and `text.replace(/a/, 'b');`. */
function findLostResult(expression: ts.Expression): BugPatternMatch | null {
  if (!ts.isCallExpression(expression) && !ts.isNewExpression(expression)) return null;
  const { expression: callee, arguments: values = [] } = expression;
  if (ts.isIdentifier(callee) && ERROR_CLASS_PATTERN.test(callee.text) && ts.isNewExpression(expression))
    return {
      name: 'error that nobody throws',
      mayBeIntended: true,
      node: expression,
      message: 'the error is made and dropped; `throw` or `return` is missing.',
    };
  if (!ts.isPropertyAccessExpression(callee) || !ts.isCallExpression(expression)) return null;
  const { text: method } = callee.name;
  const [first, second] = values;
  // A call of `replace` with a function may serve only to visit all matches.
  const isReplace =
    /^replace(?:All)?$/.test(method) &&
    ts.isRegularExpressionLiteral(first ?? callee) &&
    second !== undefined &&
    (ts.isStringLiteralLike(second) || ts.isTemplateExpression(second));
  if (!isReplace && !(TEXT_METHOD_PATTERN.test(method) && values.length === 0)) return null;
  return {
    name: 'result that nobody uses',
    node: expression,
    message: `\`${method}\` gives a new text and changes none, and nobody uses its result.`,
  };
}

/**
 * Finds `new Promise(async (resolve) => …)`. An error in the function rejects another promise, which no code handles.
 */
function findAsyncExecutor(node: ts.Node): BugPatternMatch | null {
  const { expression, arguments: values } = node as ts.NewExpression;
  const executor = values?.[0] && skipParentheses(values[0]);
  if (!ts.isIdentifier(expression) || expression.text !== 'Promise' || !executor) return null;
  if (!ts.isArrowFunction(executor) && !ts.isFunctionExpression(executor)) return null;
  const modifier = executor.modifiers?.find(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  if (!modifier || !awaitsOutsideTry(executor.body)) return null;
  return {
    name: 'async executor',
    mayBeIntended: true,
    node: modifier,
    message:
      'an error in this async function is lost, and the new promise then never settles: it rejects another promise.',
  };
}

/** Finds `await await promise`: the inner `await` already gives the value. */
function findRepeatedAwait(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const inner = skipParentheses((node as ts.AwaitExpression).expression);
  if (!ts.isAwaitExpression(inner)) return null;
  // The author may state in a comment that a second tick is wanted.
  if (/\/[/*]/.test(sourceFile.text.slice(node.getStart(sourceFile), inner.getStart(sourceFile)))) return null;
  return {
    name: 'awaited twice',
    mayBeIntended: true,
    node,
    message: 'the second `await` only delays: the first one has given the value already.',
    replacement: inner.getText(sourceFile),
  };
}

/** True if the function itself awaits something outside of every `try` with a `catch`. */
function awaitsOutsideTry(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false;
  if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) return true;
  if (ts.isTryStatement(node) && node.catchClause)
    return [node.catchClause, node.finallyBlock].some((part) => part !== undefined && awaitsOutsideTry(part));
  return ts.forEachChild(node, (child) => awaitsOutsideTry(child) || undefined) ?? false;
}

/** Finds a counter that moves away from its end, as in `for (let i = 0; i < n; i--)`. */
function findWrongDirection(node: ts.Node): BugPatternMatch | null {
  const { condition, incrementor } = node as ts.ForStatement;
  if (!condition || !incrementor || !ts.isBinaryExpression(condition)) return null;
  if (!ts.isPostfixUnaryExpression(incrementor) && !ts.isPrefixUnaryExpression(incrementor)) return null;
  if (!isSameCode(condition.left, incrementor.operand)) return null;
  const { kind } = condition.operatorToken;
  const isBelow = kind === ts.SyntaxKind.LessThanToken || kind === ts.SyntaxKind.LessThanEqualsToken;
  const isAbove = kind === ts.SyntaxKind.GreaterThanToken || kind === ts.SyntaxKind.GreaterThanEqualsToken;
  const { operator } = incrementor;
  const isWrong =
    (isBelow && operator === ts.SyntaxKind.MinusMinusToken) || (isAbove && operator === ts.SyntaxKind.PlusPlusToken);
  if (!isWrong) return null;
  return {
    name: 'loop in the wrong direction',
    mayBeIntended: true,
    node: incrementor,
    message: `${quoteCode(incrementor)} leads away from the end that ${quoteCode(condition)} sets.`,
  };
}
