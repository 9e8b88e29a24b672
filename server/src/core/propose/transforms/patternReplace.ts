// Replaces every expression of a given form. `$name` in the pattern stands for any expression, and always for the same
// one.

import { ts } from 'ts-morph';
import { refuse, type RecipeOutcome } from '../recipe.ts';
import type { Opened } from '../realise.ts';
import { hasEffects } from '../../syntax/effects.ts';
import { nodesIn } from '../syntax/locate.ts';
import { parseSource, syntaxErrors } from '../syntax/parse.ts';
import { bindsTightly } from '../syntax/precedence.ts';
import { tokensOf } from '../syntax/tokens.ts';
import { applyReplacements, type Replacement } from '../textEdit.ts';
import { inQuotes } from '../../../util/visible.ts';
import type { TransformRequest } from './request.ts';

/** Characters of a pattern in a title. */
const LONGEST = 80;

type Holes = Map<string, ts.Expression>;

/** Replaces every match. Nothing inside a replaced place is replaced in the same run. */
export function patternReplace(
  { pattern, replacement, path }: Extract<TransformRequest, { kind: 'patternReplace' }>,
  { text, sourceFile }: Opened,
): RecipeOutcome {
  const [shape, written] = [expressionOf(path, pattern), expressionOf(path, replacement)];
  if (!shape || !written) return refuse(`The ${shape ? 'replacement' : 'pattern'} is not one expression.`);
  if (isHole(shape)) return refuse('The pattern matches any expression.');
  const [patternHoles, replacementHoles] = [holesIn(shape), holesIn(written)];
  const unknown = replacementHoles.find((hole) => !patternHoles.includes(hole));
  if (unknown !== undefined) return refuse(`The replacement has ${unknown}, which the pattern does not have.`);

  const replacements: Replacement[] = [];
  let refusal: string | null = null;
  const visit = (node: ts.Node): void => {
    const holes: Holes = new Map();
    if (matches(shape, node, holes)) {
      const reason = reasonAgainst(node as ts.Expression, holes, replacementHoles, sourceFile);
      if (reason) refusal ??= reason;
      else replacements.push(replacementFor(node as ts.Expression, written, holes, sourceFile));
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
  if (replacements.length === 0) return refuse(refusal ?? 'The pattern matches nothing in the file.');
  const shownPattern = inQuotes(withoutComments(shape, sourceFile), LONGEST);
  const places = replacements.length === 1 ? 'one place' : `${replacements.length} places`;
  return {
    text: applyReplacements(text, replacements),
    title: `Replace ${shownPattern} in ${places}`,
    rationale: `Asked for: ${shownPattern} becomes ${inQuotes(replacement, LONGEST)}, in ${places}${refusal ? '; others were left alone' : ''}.`,
  };
}

/** The pattern without comments, for the title: comments do not affect what it finds. */
function withoutComments(pattern: ts.Expression, place: ts.SourceFile): string {
  return ts.createPrinter({ removeComments: true }).printNode(ts.EmitHint.Expression, pattern, place);
}

function expressionOf(path: string, source: string): ts.Expression | null {
  const sourceFile = parseSource(path, `(${source}\n)`);
  const [only] = sourceFile?.statements ?? [];
  if (
    !sourceFile ||
    syntaxErrors(sourceFile).length > 0 ||
    sourceFile.statements.length !== 1 ||
    !only ||
    !ts.isExpressionStatement(only) ||
    !ts.isParenthesizedExpression(only.expression)
  )
    return null;
  return only.expression.expression;
}

function isHole(node: ts.Node): node is ts.Identifier {
  return ts.isIdentifier(node) && /^\$[A-Za-z]\w*$/.test(node.text);
}

function holesIn(shape: ts.Expression): string[] {
  return [shape, ...nodesIn(shape)].flatMap((node) => (isHole(node) ? [node.text] : []));
}

function matches(shape: ts.Node, node: ts.Node, holes: Holes): boolean {
  if (isHole(shape) && isValue(node)) {
    const boundExpression = holes.get(shape.text);
    if (!boundExpression) holes.set(shape.text, node);
    return !boundExpression || tokensOf(boundExpression).join(' ') === tokensOf(node).join(' ');
  }
  if (shape.kind !== node.kind) return false;
  const [parts, others] = [childrenOf(shape), childrenOf(node)];
  if (parts.length === 0) return others.length === 0 && shape.getText() === node.getText();
  return parts.length === others.length && parts.every((part, at) => matches(part, others[at]!, holes));
}

/** True for an expression that is not the name of a property or a type. */
function isValue(node: ts.Node): node is ts.Expression {
  const { parent } = node;
  if (ts.isSpreadElement(node) || !ts.isExpression(node)) return false;
  return !(
    ts.isIdentifier(node) &&
    ((ts.isPropertyAccessExpression(parent) && parent.name === node) ||
      (ts.isPropertyAssignment(parent) && parent.name === node) ||
      ts.isTypeReferenceNode(parent))
  );
}

/** Children with tokens, so that `a + b` differs from `a - b`; a trailing comma does not count. */
function childrenOf(node: ts.Node): readonly ts.Node[] {
  const children = node
    .getChildren()
    .filter(({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode);
  if (node.kind !== ts.SyntaxKind.SyntaxList) return children;
  return children.at(-1)?.kind === ts.SyntaxKind.CommaToken ? children.slice(0, -1) : children;
}

/** Why this place is left alone; null if it is replaced. */
function reasonAgainst(
  node: ts.Expression,
  holes: Holes,
  used: readonly string[],
  sourceFile: ts.SourceFile,
): string | null {
  if (/\/[/*]/.test(tokensOf(node).reduce((rest, token) => rest.replace(token, ''), node.getText(sourceFile))))
    return 'A comment stands in what would be replaced.';
  for (const [hole, value] of holes) {
    const times = used.filter((usedHole) => usedHole === hole).length;
    if (times !== 1 && hasEffects(sourceFile, value))
      return `What ${hole} stands for has effects, and would be ${times === 0 ? 'left out' : 'done more than once'}.`;
  }
  return null;
}

/** Parentheses that only the old expression needed are removed: `(value as any).at(0)` becomes `value.at(0)`. */
function replacementFor(
  node: ts.Expression,
  written: ts.Expression,
  holes: Holes,
  sourceFile: ts.SourceFile,
): Replacement {
  const { parent } = node;
  const { text } = sourceFile;
  const start = parent.getStart(sourceFile);
  const dropsParentheses =
    ts.isParenthesizedExpression(parent) &&
    !bindsTightly(node) &&
    isPlain(isHole(written) ? holes.get(written.text)! : written) &&
    !ts.isNewExpression(parent.parent) &&
    // `return(…)`
    !/[\w$]/.test(text.charAt(start - 1)) &&
    !/\/[/*]/.test(text.slice(start, node.getStart(sourceFile)) + text.slice(node.end, parent.end));
  const place = dropsParentheses ? parent : node;
  return { start: place.getStart(sourceFile), end: place.end, text: fillHoles(node, written, holes) };
}

/**
 * True if it means the same without parentheses: it is not part of an optional chain, which they end, and not a number
 * before a dot.
 */
function isPlain(node: ts.Expression): boolean {
  return (
    ts.isIdentifier(node) ||
    node.kind === ts.SyntaxKind.ThisKeyword ||
    ((ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isCallExpression(node)) &&
      (node.flags & ts.NodeFlags.OptionalChain) === 0)
  );
}

/** True for an expression that never needs parentheses. */
function standsAlone(node: ts.Expression): boolean {
  return (
    bindsTightly(node) &&
    !ts.isObjectLiteralExpression(node) &&
    !ts.isPrefixUnaryExpression(node) &&
    !ts.isAwaitExpression(node)
  );
}

function fillHoles(node: ts.Expression, written: ts.Expression, holes: Holes): string {
  const source = written.getSourceFile().text;
  const start = written.getStart();
  const inner = [written, ...nodesIn(written)].flatMap((part): Replacement[] => {
    const value = isHole(part) ? holes.get(part.text) : undefined;
    if (!value) return [];
    const valueText = value.getText();
    const apart = bindsTightly(value) || part === written || needsNoParentheses(part);
    return [{ start: part.getStart() - start, end: part.end - start, text: apart ? valueText : `(${valueText})` }];
  });
  const text = applyReplacements(source.slice(start, written.end), inner);
  const filledPart = isHole(written) ? holes.get(written.text)! : written;
  return standsAlone(filledPart) || needsNoParentheses(node) ? text : `(${text})`;
}

/** True for a place that takes any expression without parentheses: an argument, a value, between brackets. */
function needsNoParentheses(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return parent.expression !== node;
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === node;
  return (
    ts.isParenthesizedExpression(parent) ||
    ts.isVariableDeclaration(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isTemplateSpan(parent) ||
    ts.isIfStatement(parent) ||
    ts.isWhileStatement(parent) ||
    ts.isArrayLiteralExpression(parent)
  );
}
