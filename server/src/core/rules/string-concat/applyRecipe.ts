// template-string: rewrites a string that is joined by `+` as a template.

import { ts } from 'ts-morph';
import { parseConcatenation, isInConcatenation, isStringNode } from '../../syntax/concatenation.ts';
import { explainPreferredJoining } from '../../propose/preferredForm.ts';
import { openTypes } from '../../propose/extraction/checkerTypes.ts';
import { refuse, type RecipeContext, type RecipeOutcome } from '../../propose/recipe.ts';
import { allowsSyntax } from '../../propose/syntax/dialect.ts';
import { collectDescendants } from '../../propose/syntax/locate.ts';
import { findOpportunityNode } from '../../propose/syntax/opportunityNode.ts';
import { findNodeToReplace } from '../../propose/syntax/precedence.ts';
import { detectLineWidth } from '../../propose/fileStyle.ts';
import { applyReplacements, lineEnd, lineStart } from '../../propose/textEdit.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

/**
 * Rewrites `'a' + b + 'c'` as `` `a${b}c` ``. Refuses if a value may be an object, which `+` and a template may convert
 * to different texts, or if the template would be hard to read.
 */
export function applyRecipe(context: RecipeContext): RecipeOutcome {
  const { sourceFile, text } = context;
  const node = findOpportunityNode(
    context,
    (candidate): candidate is ts.BinaryExpression =>
      ts.isBinaryExpression(candidate) && parseConcatenation(candidate) !== null && !isInConcatenation(candidate),
  );
  if (!node) return refuse('There is no longer a string here that is concatenated.');
  const nodeText = node.getText(sourceFile);
  if (/\/[/*]/.test(nodeText.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, '')))
    return refuse('A comment stands between the parts.');
  if (nodeText.includes('\n')) return refuse('It is laid out over several lines.');
  const keptJoiningReason = context.isRequested ? null : explainPreferredJoining(sourceFile, node);
  if (keptJoiningReason) return refuse(keptJoiningReason);
  const placeReason = explainRefusedPlace(node);
  if (placeReason) return refuse(placeReason);
  if (!allowsSyntax(sourceFile, 'const'))
    return refuse('Nothing in the file shows that it may use syntax as new as that.');
  const types = openTypes(context.tree, context.absolutePath, text);
  try {
    const concatenation = parseConcatenation(node, (part) => types.isString(part));
    if (!concatenation || concatenation.valueCount === 0) return refuse('There is nothing in it but text.');
    const uncertainPart = concatenation.parts.find((part) => !isStringNode(part) && !types.isPlain(part));
    if (uncertainPart)
      return refuse(
        `${uncertainPart.getText(sourceFile)} may be an object, which + and a template may print in two ways.`,
      );
    const pieces = concatenation.parts.map((part) => createTemplatePiece(sourceFile, part));
    const refusedPiece = pieces.find((piece) => typeof piece !== 'string');
    if (refusedPiece && typeof refusedPiece !== 'string') return refusedPiece;
    const template = `\`${pieces.join('')}\``;
    const replacedNode = findNodeToReplace(sourceFile, node, 'atom');
    const width =
      lineEnd(text, replacedNode.end) -
      lineStart(text, replacedNode.end) +
      template.length -
      (replacedNode.end - replacedNode.getStart(sourceFile));
    if (width > detectLineWidth(text)) return refuse('The line would be longer than the lines of this file are.');
    return {
      text: applyReplacements(text, [
        { start: replacedNode.getStart(sourceFile), end: replacedNode.end, text: template },
      ]),
      title: 'use a template literal',
      rationale: 'Every inserted part is a primitive value, which a template literal converts to text as + does.',
    };
  } finally {
    types.dispose();
  }
}

/** The reason why a template must not be at the place of the node; null if it may. */
function explainRefusedPlace(node: ts.BinaryExpression): string | null {
  for (let ancestor: ts.Node = node; ancestor.parent; ancestor = ancestor.parent) {
    if (ts.isTemplateSpan(ancestor.parent)) return 'A template would stand in a template.';
    if (ts.isBinaryExpression(ancestor.parent) && parseConcatenation(ancestor.parent))
      return 'It is a part of a longer text, which is put together by +.';
    if (ts.isFunctionLike(ancestor.parent)) return null;
    if (ts.isEnumMember(ancestor.parent) || ts.isLiteralTypeNode(ancestor.parent))
      return 'It is worked out by the compiler.';
    if (ts.isExpressionStatement(ancestor.parent))
      return ancestor === node ? 'As a statement it would stand behind the line before it.' : null;
    if (ts.isStatement(ancestor)) return null;
  }
  return null;
}

/** The text of a part inside a template; or the reason why the part cannot be written there. */
function createTemplatePiece(sourceFile: ts.SourceFile, part: ts.Expression): string | { readonly refused: string } {
  const inner = skipParentheses(part);
  if (ts.isStringLiteral(inner)) {
    const rawText = sourceFile.text.slice(inner.getStart(sourceFile) + 1, inner.end - 1);
    if (/`|\$(?:[\w{]|$)/.test(rawText))
      return refuse('It holds marks that a template reads itself, or that look as if it did.');
    if (/\\[0-9]|\\\r?\n/.test(rawText)) return refuse('It holds an escape that a template does not know.');
    return rawText.replaceAll(/\\(['"])/g, '$1');
  }
  const innerText = inner.getText(sourceFile);
  if (ts.isNoSubstitutionTemplateLiteral(inner) || ts.isTemplateExpression(inner)) return innerText.slice(1, -1);
  if (innerText.includes('`')) return refuse('A template would stand in a template.');
  return containsString(inner)
    ? { refused: 'One of the values holds a text itself, which is hard to read in a template.' }
    : `\${${innerText}}`;
}

/**
 * True if a string is inside the value. A string that is the only argument of a call, as in `names.join(', ')`, is easy
 * to read, so it does not count.
 */
function containsString(value: ts.Expression): boolean {
  const isOnlyArgument = (node: ts.Node) =>
    ts.isCallExpression(node.parent) && node.parent.arguments.length === 1 && node.parent.arguments[0] === node;
  return collectDescendants(value).some((node) => ts.isStringLiteral(node) && !isOnlyArgument(node));
}
