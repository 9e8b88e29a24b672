// Parses shapes and matches them with code. A shape is an expression with holes: `$name` matches any expression, and
// the same one wherever it occurs.

import { ts } from 'ts-morph';
import type { HoleKind, LearnedShape } from '../../model/learnedRecipes.ts';
import { collectDescendants } from '../syntax/locate.ts';
import { parseSource, listSyntaxErrors } from '../syntax/parse.ts';
import { listTokenTexts } from '../syntax/tokens.ts';

/** The expression in each hole, by the name of the hole with its `$`. */
export type Holes = Map<string, ts.Expression>;

/**
 * A shape as text. The kinds of holes and the origins of names are optional; without them, any expression and any name
 * match.
 */
export type ShapeText = Pick<LearnedShape, 'pattern' | 'replacement'> & Partial<LearnedShape>;

/** A shape as syntax trees. */
export interface ParsedShape {
  readonly pattern: ts.Expression;
  readonly replacement: ts.Expression;
  /** The holes of the replacement in the order of the text, including repeated ones. */
  readonly replacementHoles: readonly string[];
  /** The kinds of expressions that the holes match, by the names of the holes. Other holes match any expression. */
  readonly holeKinds: Readonly<Record<string, HoleKind>>;
  /** The origins of the names in the shape, such as `module:lodash#get`, by name. */
  readonly originsByName: Readonly<Record<string, string>>;
}

/** Parses a shape for files with the extension of `path`; refuses if the text is not a shape. */
export function parseShape(path: string, text: ShapeText): ParsedShape | { readonly refused: string } {
  const [pattern, replacement] = [parseExpression(path, text.pattern), parseExpression(path, text.replacement)];
  if (!pattern || !replacement) return { refused: `The ${pattern ? 'replacement' : 'pattern'} is not one expression.` };
  if (isHole(pattern)) return { refused: 'The pattern matches any expression.' };
  const [patternHoles, replacementHoles] = [collectHoles(pattern), collectHoles(replacement)];
  const unknownHole = replacementHoles.find((hole) => !patternHoles.includes(hole));
  if (unknownHole !== undefined)
    return { refused: `The replacement has ${unknownHole}, which the pattern does not have.` };
  return {
    pattern,
    replacement,
    replacementHoles: replacementHoles,
    holeKinds: text.holes ?? {},
    originsByName: text.names ?? {},
  };
}

/**
 * Parses the source as one expression; null if it is not exactly one. The extension of `path` determines the dialect.
 */
function parseExpression(path: string, source: string): ts.Expression | null {
  const sourceFile = parseSource(path, `(${source}\n)`);
  const [onlyStatement] = sourceFile?.statements ?? [];
  if (
    !sourceFile ||
    listSyntaxErrors(sourceFile).length > 0 ||
    sourceFile.statements.length !== 1 ||
    !onlyStatement ||
    !ts.isExpressionStatement(onlyStatement) ||
    !ts.isParenthesizedExpression(onlyStatement.expression)
  )
    return null;
  return onlyStatement.expression.expression;
}

/** True for an identifier of the form `$name`. */
export function isHole(node: ts.Node): node is ts.Identifier {
  return ts.isIdentifier(node) && /^\$[A-Za-z]\w*$/.test(node.text);
}

/** The holes of an expression in the order of the text, including repeated ones. */
function collectHoles(shape: ts.Expression): string[] {
  return [shape, ...collectDescendants(shape)].flatMap((node) => (isHole(node) ? [node.text] : []));
}

/** True if the node matches the shape. Fills `holes`; after a mismatch, their content is meaningless. */
export function matchesShape(
  shape: ts.Node,
  node: ts.Node,
  holes: Holes,
  kinds: ParsedShape['holeKinds'] = {},
): boolean {
  if (isHole(shape) && isValue(node)) {
    const boundValue = holes.get(shape.text);
    if (!boundValue && !isOfKind(node, kinds[shape.text] ?? 'any')) return false;
    if (!boundValue) holes.set(shape.text, node);
    return !boundValue || listTokenTexts(boundValue).join(' ') === listTokenTexts(node).join(' ');
  }
  if (shape.kind !== node.kind) return false;
  const [parts, otherParts] = [collectChildren(shape), collectChildren(node)];
  if (parts.length === 0) return otherParts.length === 0 && isSameToken(shape, node);
  return (
    parts.length === otherParts.length &&
    parts.every((part, index) => matchesShape(part, otherParts[index]!, holes, kinds))
  );
}

/** True for the same token. Strings with different quotes count as the same. */
function isSameToken(shape: ts.Node, node: ts.Node): boolean {
  if (ts.isStringLiteral(shape) && ts.isStringLiteral(node)) return shape.text === node.text;
  return shape.getText() === node.getText();
}

/** True if the kind of a hole allows the expression. */
function isOfKind(node: ts.Expression, kind: HoleKind): boolean {
  switch (kind) {
    case 'any':
      return true;
    case 'string':
      return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
    case 'number':
      return ts.isNumericLiteral(node);
    case 'function':
      return (
        ts.isArrowFunction(node) ||
        ts.isFunctionExpression(node) ||
        ts.isIdentifier(node) ||
        ts.isPropertyAccessExpression(node)
      );
    case 'object':
      return ts.isObjectLiteralExpression(node);
    case 'array':
      return ts.isArrayLiteralExpression(node);
  }
}

/** True for an expression that is not the name of a property or of a type. */
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

/** The children of a node, including tokens, so that `a + b` differs from `a - b`. A trailing comma is omitted. */
function collectChildren(node: ts.Node): readonly ts.Node[] {
  const children = node
    .getChildren()
    .filter(({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode);
  if (node.kind !== ts.SyntaxKind.SyntaxList) return children;
  return children.at(-1)?.kind === ts.SyntaxKind.CommaToken ? children.slice(0, -1) : children;
}
