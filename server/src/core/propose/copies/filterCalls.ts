// Replaces `filter(…)[0]` by `find(…)`, and tests of `filter(…).length` by `some(…)`. Both stop as soon as the result
// is known.

import { ts } from 'ts-morph';
import { mayChangeState } from '../../syntax/callbackEffects.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { isArray, type CopyRemoval, type TypedSource } from './copyRemoval.ts';
import { isAssignment } from '../../syntax/values.ts';

/**
 * Changes `list.filter(f)[0]` to `list.find(f)`, or refuses if that would change behaviour. Null for any other node.
 */
export function replaceFilterWithFind(
  node: ts.Node,
  source: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  if (!ts.isElementAccessExpression(node)) return null;
  const index = skipParentheses(node.argumentExpression);
  const filter = parseFilterCall(node.expression);
  if (!filter || !ts.isNumericLiteral(index) || index.text !== '0') return null;
  if (isWritten(node)) return { refused: 'Something is written to the list of matches.' };
  const reason = explainRefusal(filter, source) ?? explainCommentConflict(filter.call.end, node.end, source);
  if (reason) return { refused: reason };
  return {
    replacements: [createRename(filter.name, 'find', source), { start: filter.call.end, end: node.end, text: '' }],
    title: 'find the first match instead of collecting all',
    rationale:
      '`filter` makes a list of every match to take its first; `find` stops there. The test is no longer called for the elements after it.',
  };
}

/**
 * Changes `list.filter(f).length > 0` to `list.some(f)`, and `… === 0` to `!list.some(f)`, or refuses if that would
 * change behaviour. Null for any other node.
 */
export function replaceFilterWithSome(
  node: ts.Node,
  source: TypedSource,
): CopyRemoval | { readonly refused: string } | null {
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'length' || node.questionDotToken) return null;
  const filter = parseFilterCall(node.expression);
  const test = filter && findEmptinessTestAround(node);
  if (!filter || !test) return null;
  const { sourceFile } = source;
  const start = test.replacedNode.getStart(sourceFile);
  const reason =
    (ts.isOptionalChain(filter.call) ? 'Without a list, the result would be different.' : null) ??
    explainRefusal(filter, source) ??
    explainCommentConflict(filter.call.end, test.replacedNode.end, source) ??
    explainCommentConflict(start, filter.call.getStart(sourceFile), source);
  if (reason) return { refused: reason };
  return {
    replacements: [
      { start, end: filter.call.getStart(sourceFile), text: test.isNegated ? '!' : '' },
      createRename(filter.name, 'some', source),
      { start: filter.call.end, end: test.replacedNode.end, text: '' },
    ],
    title: `test whether ${test.isNegated ? 'no' : 'any'} element matches instead of collecting all`,
    rationale:
      '`filter` makes a list of every match to see whether there is one; `some` stops at the first. The test is no longer called for the elements after it.',
  };
}

/** A call of `filter`: the name `filter` in it, its list and its condition. */
interface FilterCall {
  readonly call: ts.CallExpression;
  readonly name: ts.MemberName;
  readonly list: ts.Expression;
  readonly test: ts.Expression;
}

/** Reads a call of `filter` with one argument; null for other expressions. */
function parseFilterCall(expression: ts.Expression): FilterCall | null {
  const call = expression;
  const [test] = ts.isCallExpression(call) ? call.arguments : [];
  if (
    !ts.isCallExpression(call) ||
    !test ||
    call.arguments.length !== 1 ||
    !ts.isPropertyAccessExpression(call.expression) ||
    call.expression.name.text !== 'filter'
  )
    return null;
  return { call, name: call.expression.name, list: call.expression.expression, test: skipParentheses(test) };
}

/** The reason why the iteration must not stop early, as a sentence; null if it may. */
function explainRefusal({ list, test, call }: FilterCall, source: TypedSource): string | null {
  const type = source.checker.getNonNullableType(source.checker.getTypeAtLocation(list));
  const parts = type.isUnion() ? type.types : [type];
  if (
    !isArray(list, source) &&
    !parts.every((part) => source.checker.isArrayType(part) || source.checker.isTupleType(part))
  )
    return 'The compiler does not know what is filtered to be an array.';
  if (call.typeArguments) return 'The call names the type of what it keeps.';
  if (ts.isIdentifier(test) && test.text === 'Boolean') return null;
  if (!ts.isArrowFunction(test) && !ts.isFunctionExpression(test)) return 'The code of the test is not visible here.';
  if (test.parameters.length > 2) return 'The test looks at the list itself.';
  return mayChangeState(test) ? 'The test changes something, so it matters how often it is asked.' : null;
}

/** A test whether the filtered list is empty. */
interface EmptinessTest {
  /** The node to replace: the comparison, the negation, or only `….length`. */
  readonly replacedNode: ts.Expression;
  readonly isNegated: boolean;
}

/**
 * Finds the test around `….length` that decides whether the list is empty; null if the length is used for something
 * else.
 */
function findEmptinessTestAround(length: ts.PropertyAccessExpression): EmptinessTest | null {
  const { parent } = length;
  if (ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.ExclamationToken)
    return { replacedNode: parent, isNegated: true };
  if (ts.isIfStatement(parent) && parent.expression === length) return { replacedNode: length, isNegated: false };
  if (!ts.isBinaryExpression(parent) || parent.left !== length || !ts.isNumericLiteral(parent.right)) return null;
  const comparison = `${parent.operatorToken.getText()} ${parent.right.text}`;
  if (['> 0', '!== 0', '!= 0', '>= 1'].includes(comparison)) return { replacedNode: parent, isNegated: false };
  return ['=== 0', '== 0', '< 1'].includes(comparison) ? { replacedNode: parent, isNegated: true } : null;
}

/** True if the node is assigned to, deleted, or the operand of a unary operator other than `!`. */
function isWritten(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return parent.left === node && isAssignment(parent);
  return (
    ts.isDeleteExpression(parent) ||
    ts.isPostfixUnaryExpression(parent) ||
    (ts.isPrefixUnaryExpression(parent) && parent.operator !== ts.SyntaxKind.ExclamationToken)
  );
}

/** The replacement of a method name by the name `to`. */
function createRename(name: ts.MemberName, to: string, { sourceFile }: TypedSource) {
  return { start: name.getStart(sourceFile), end: name.end, text: to };
}

/** The refusal if the text that would be removed contains a comment; null if it contains none. */
function explainCommentConflict(start: number, end: number, { sourceFile }: TypedSource): string | null {
  return /\/[/*]/.test(sourceFile.text.slice(start, end)) ? 'A comment would be lost.' : null;
}
