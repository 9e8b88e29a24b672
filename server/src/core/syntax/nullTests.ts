// Reads tests for null and undefined: `a != null`, `a !== undefined && a !== null`, `a === undefined || a === null`,
// `typeof a.b === 'undefined'`.

import { ts } from 'ts-morph';
import { isPropertyPath, findNullishWord, splitOperands } from './values.ts';
import { skipParentheses } from './controlFlow.ts';

/** A test of `subject` for null or undefined. */
export interface NullTest {
  readonly subject: ts.Expression;
  /** True if values other than null and undefined pass the test; false if null or undefined passes it. */
  readonly passesIfPresent: boolean;
  /** The values that the test compares with. */
  readonly comparedValues: 'null' | 'undefined' | 'both';
}

/**
 * Reads a condition as a test; null if it is not such a test, if its subject is not a property path, or if `null` or
 * `undefined` is on the left (`null != a`).
 */
export function parseNullTest(condition: ts.Expression): NullTest | null {
  const inner = skipParentheses(condition);
  if (!ts.isBinaryExpression(inner)) return null;
  const { kind } = inner.operatorToken;
  if (kind !== ts.SyntaxKind.AmpersandAmpersandToken && kind !== ts.SyntaxKind.BarBarToken)
    return readSingleTest(inner);
  const operands = splitOperands(inner, kind);
  const [left, right] = operands.map((operand) => readSingleTest(skipParentheses(operand)));
  if (operands.length !== 2 || !left || !right) return null;
  const isSameTest =
    left.passesIfPresent === right.passesIfPresent &&
    left.passesIfPresent === (kind === ts.SyntaxKind.AmpersandAmpersandToken) &&
    left.comparedValues !== right.comparedValues &&
    left.comparedValues !== 'both' &&
    right.comparedValues !== 'both';
  return isSameTest && left.subject.getText() === right.subject.getText()
    ? { subject: left.subject, passesIfPresent: left.passesIfPresent, comparedValues: 'both' }
    : null;
}

/** Reads one comparison of a property path with null or undefined; null for any other expression. */
function readSingleTest(node: ts.Expression): NullTest | null {
  if (!ts.isBinaryExpression(node)) return null;
  const isStrict =
    node.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken ||
    node.operatorToken.kind === ts.SyntaxKind.ExclamationEqualsEqualsToken;
  const isLoose =
    node.operatorToken.kind === ts.SyntaxKind.EqualsEqualsToken ||
    node.operatorToken.kind === ts.SyntaxKind.ExclamationEqualsToken;
  if (!isStrict && !isLoose) return null;
  const isPresentTest =
    node.operatorToken.kind === ts.SyntaxKind.ExclamationEqualsToken ||
    node.operatorToken.kind === ts.SyntaxKind.ExclamationEqualsEqualsToken;
  const typeOf = findTypeofUndefined(node);
  if (typeOf)
    return isPropertyPath(typeOf)
      ? { subject: typeOf, passesIfPresent: isPresentTest, comparedValues: 'undefined' }
      : null;
  const nullish = findNullishWord(node.right);
  const subject = skipParentheses(node.left);
  return nullish && isPropertyPath(subject)
    ? { subject, passesIfPresent: isPresentTest, comparedValues: isStrict ? nullish : 'both' }
    : null;
}

/**
 * The `a` of a comparison of `typeof a` with `'undefined'`; null for any other comparison, and if `a` is a bare name,
 * which might be undeclared.
 */
function findTypeofUndefined({ left, right }: ts.BinaryExpression): ts.Expression | null {
  const inner = skipParentheses(left);
  return ts.isTypeOfExpression(inner) &&
    !ts.isIdentifier(inner.expression) &&
    ts.isStringLiteral(right) &&
    right.text === 'undefined'
    ? inner.expression
    : null;
}
