// Decides whether an expression has the same value in every iteration of a loop.

import { ts } from 'ts-morph';
import { areInSameFunction, isWriteTarget, type EnclosingLoop } from './loops.ts';
import { isWrite, type Names } from './names.ts';
import { isImport } from '../../syntax/names.ts';

/** Methods that change neither their object nor their arguments. */
const READING_METHODS = new Set(
  (
    'at charAt charCodeAt codePointAt concat endsWith entries every exec find findIndex findLast flat flatMap ' +
    'filter forEach get has includes indexOf isArray join keys lastIndexOf localeCompare map match matchAll ' +
    'normalize padEnd padStart reduce repeat replace replaceAll search slice some split startsWith stringify ' +
    'substring test toFixed toLowerCase toSorted toReversed toString toUpperCase trim trimEnd trimStart values'
  ).split(' '),
);

/**
 * True if the expression has the same value in every iteration. This holds for literals, and for names of the file that
 * are declared before the loop, are not assigned to while it can run, and are not passed to code that could change
 * their content. Properties may be read only through such names. `isDeep`: true if the content of the value must not
 * change either.
 */
export function isLoopInvariant(
  expression: ts.Expression,
  loop: EnclosingLoop,
  names: Names,
  isDeep: boolean,
): boolean {
  if (ts.isIdentifier(expression)) return isInvariantName(expression, loop, names, isDeep);
  if (ts.isPropertyAccessExpression(expression)) return isLoopInvariant(expression.expression, loop, names, true);
  if (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression) || ts.isNonNullExpression(expression))
    return isLoopInvariant(expression.expression, loop, names, isDeep);
  if (ts.isTemplateExpression(expression))
    return expression.templateSpans.every((span) => isLoopInvariant(span.expression, loop, names, isDeep));
  if (ts.isBinaryExpression(expression))
    return (
      expression.operatorToken.kind === ts.SyntaxKind.PlusToken &&
      isLoopInvariant(expression.left, loop, names, isDeep) &&
      isLoopInvariant(expression.right, loop, names, isDeep)
    );
  return ts.isStringLiteralLike(expression) || ts.isNumericLiteral(expression);
}

/**
 * True for a name that is declared once, before the loop or by an import, and is assigned to only before the loop and
 * in the same function, so no closure can assign to it while the loop runs. `isDeep`: true if its content must not
 * change either.
 */
function isInvariantName(identifier: ts.Identifier, loop: EnclosingLoop, names: Names, isDeep: boolean): boolean {
  const symbol = names.symbolOf(identifier);
  const declaration = symbol?.valueDeclaration ?? symbol?.declarations?.[0];
  if (!symbol || !declaration || (symbol.declarations?.length ?? 0) > 1) return false;
  if (declaration.pos >= loop.statement.pos && !isImport(declaration)) return false;
  const references = names.referencesOf(symbol);
  if (
    references.some(
      (reference) =>
        isWrite(reference) &&
        reference.parent !== declaration &&
        !(reference.pos < loop.statement.pos && areInSameFunction(reference, loop.node)),
    )
  )
    return false;
  // Another module may assign to its exported variable, but readers expect an imported name to be stable.
  return (
    !isDeep ||
    references.every(
      (reference) =>
        reference.pos < loop.node.pos || reference.end > loop.node.end || !mayChangeContent(reference, loop.node),
    )
  );
}

/** True if the reference writes a property, or passes the value to code that may write one. */
function mayChangeContent(reference: ts.Node, loop: ts.Node): boolean {
  const { parent } = reference;
  if (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent) || ts.isNonNullExpression(parent))
    return mayChangeContent(parent, loop);
  if (ts.isPropertyAccessExpression(parent) && parent.expression === reference) {
    if (isWriteTarget(parent)) return true;
    if (ts.isCallExpression(parent.parent) && parent.parent.expression === parent)
      return parent.parent !== loop && !READING_METHODS.has(parent.name.text);
    return mayChangeContent(parent, loop);
  }
  if (ts.isElementAccessExpression(parent) && parent.expression === reference)
    return isWriteTarget(parent) || mayChangeContent(parent, loop);
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.expression !== reference;
  if (
    ts.isSpreadElement(parent) ||
    ts.isSpreadAssignment(parent) ||
    ts.isTemplateSpan(parent) ||
    ts.isTypeOfExpression(parent)
  )
    return false;
  if (ts.isBinaryExpression(parent)) return !returnsNoReference(parent.operatorToken.kind);
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isPrefixUnaryExpression(parent)) return false;
  if (ts.isCallExpression(parent))
    return (
      !(ts.isPropertyAccessExpression(parent.expression) && READING_METHODS.has(parent.expression.name.text)) &&
      parent.expression !== reference
    );
  if (ts.isNewExpression(parent))
    return !(ts.isIdentifier(parent.expression) && /^(RegExp|Set|Map|Error|TypeError)$/.test(parent.expression.text));
  return true;
}

/** True for comparisons, `+` and `-`, whose results contain no reference to the operands. */
function returnsNoReference(kind: ts.SyntaxKind): boolean {
  const { SyntaxKind: Kind } = ts;
  return [
    Kind.EqualsEqualsEqualsToken,
    Kind.ExclamationEqualsEqualsToken,
    Kind.EqualsEqualsToken,
    Kind.ExclamationEqualsToken,
    Kind.LessThanToken,
    Kind.GreaterThanToken,
    Kind.LessThanEqualsToken,
    Kind.GreaterThanEqualsToken,
    Kind.PlusToken,
    Kind.MinusToken,
    Kind.InKeyword,
    Kind.InstanceOfKeyword,
  ].includes(kind);
}
