// Recognises a stated result that can be compared: a literal, or an array or object of literals.

import { ts } from 'ts-morph';
import { countErrorsOfParser } from '../../syntax/countSyntaxErrors.ts';

/** Matches what stands for something that is left out, or for a description instead of a value. */
const VAGUE_PATTERN = /\.\.\.|…|\[(?:Object|Array|Function|Circular|Getter)/;

/** True for the text of a literal value, such as `'a'`, `-1`, `[1, { b: null }]`. A semicolon at its end is allowed. */
export function isStatedValue(text: string): boolean {
  if (text === '' || VAGUE_PATTERN.test(text)) return false;
  const source = ts.createSourceFile('value.ts', `(${text.replace(/;$/, '')})`, ts.ScriptTarget.Latest, true);
  const [statement, ...others] = source.statements;
  if (countErrorsOfParser(source) > 0 || others.length > 0 || !statement || !ts.isExpressionStatement(statement))
    return false;
  return isLiteral(statement.expression);
}

function isLiteral(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isLiteral(node.expression);
  if (ts.isPrefixUnaryExpression(node)) return isLiteral(node.operand);
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isLiteral);
  if (ts.isObjectLiteralExpression(node))
    return node.properties.every(
      (property) =>
        ts.isPropertyAssignment(property) &&
        !ts.isComputedPropertyName(property.name) &&
        isLiteral(property.initializer),
    );
  return (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    ts.isBigIntLiteral(node) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(node.kind) ||
    (ts.isIdentifier(node) && ['undefined', 'NaN', 'Infinity'].includes(node.text))
  );
}
