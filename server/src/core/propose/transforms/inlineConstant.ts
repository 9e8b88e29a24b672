// Implements the transform `inlineConstant`: replaces the uses of a constant by its value, and removes its declaration.

import { ts } from 'ts-morph';
import { refuse, type RecipeOutcome } from '../recipe.ts';
import type { OpenedFile } from '../applyRecipe.ts';
import { collectFileNames } from '../syntax/names.ts';
import { removeStatement } from '../syntax/removeStatement.ts';
import { applyReplacements, type Replacement } from '../textEdit.ts';
import { findDeclarations } from './declarations.ts';
import type { TransformRequest } from './request.ts';

/**
 * Inlines a top-level constant whose value is a string, a number, a boolean or null. Such a value is the same at every
 * place. Refuses if the constant is exported, declared together with others, used by a type, called, or never read.
 */
export function inlineConstant(
  { symbol }: Extract<TransformRequest, { kind: 'inlineConstant' }>,
  { text, sourceFile }: OpenedFile,
): RecipeOutcome {
  const [statement, ...otherStatements] = findDeclarations(sourceFile, symbol);
  if (!statement || otherStatements.length > 0 || !ts.isVariableStatement(statement))
    return refuse(`There is no top-level constant ${symbol} in the file.`);
  const [declaration] = statement.declarationList.declarations;
  if (statement.modifiers?.length) return refuse(`${symbol} is exported: others may read it.`);
  if (
    statement.declarationList.declarations.length !== 1 ||
    !declaration ||
    !ts.isIdentifier(declaration.name) ||
    (statement.declarationList.flags & ts.NodeFlags.Const) === 0
  )
    return refuse(`${symbol} is not declared on its own.`);
  const value = skipWrappers(declaration.initializer);
  if (!value || !isPlainValue(value))
    return refuse(`The value of ${symbol} is not a text, a number, true, false or null.`);

  const names = collectFileNames(sourceFile);
  const constantSymbol = names.symbolOf(declaration.name);
  const valueText = value.getText(sourceFile);
  const replacements: Replacement[] = [removeStatement(sourceFile, statement)];
  let placeCount = 0;
  for (const reference of constantSymbol ? names.referencesOf(constantSymbol) : []) {
    if (reference === declaration.name) continue;
    const { parent } = reference;
    if (ts.isExportSpecifier(parent) || ts.isExportAssignment(parent))
      return refuse(`${symbol} is exported: others may read it.`);
    if (ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent)) return refuse(`A type is made of ${symbol}.`);
    if (ts.isTaggedTemplateExpression(parent) || (ts.isCallExpression(parent) && parent.expression === reference))
      return refuse(`${symbol} is called.`);
    const spelledValue =
      (ts.isPropertyAccessExpression(parent) && ts.isNumericLiteral(value)) ||
      (ts.isPrefixUnaryExpression(value) && !ts.isVariableDeclaration(parent) && !ts.isCallExpression(parent))
        ? `(${valueText})`
        : valueText;
    replacements.push({
      start: reference.getStart(sourceFile),
      end: reference.end,
      text: ts.isShorthandPropertyAssignment(parent) ? `${symbol}: ${spelledValue}` : spelledValue,
    });
    placeCount++;
  }
  if (placeCount === 0) return refuse(`Nothing reads ${symbol}.`);
  return {
    text: applyReplacements(text, replacements),
    title: `Write the value of ${symbol} where it is read`,
    rationale: `Requested: ${symbol} is ${valueText}, read in ${placeCount === 1 ? 'one place' : `${placeCount} places`}.`,
  };
}

/** The value without parentheses, `as` and `satisfies`. */
function skipWrappers(value: ts.Expression | undefined): ts.Expression | undefined {
  return value && (ts.isAsExpression(value) || ts.isParenthesizedExpression(value) || ts.isSatisfiesExpression(value))
    ? skipWrappers(value.expression)
    : value;
}

/** True for a literal text, number, boolean or null, which can be repeated in every place. */
function isPlainValue(value: ts.Expression): boolean {
  if (ts.isPrefixUnaryExpression(value))
    return value.operator === ts.SyntaxKind.MinusToken && ts.isNumericLiteral(value.operand);
  return (
    ts.isStringLiteralLike(value) ||
    ts.isNumericLiteral(value) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(value.kind)
  );
}
