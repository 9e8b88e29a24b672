// Generalises one edit of an expression to a template: code that occurs both before and after the edit becomes a hole.

import { ts } from 'ts-morph';
import type { HoleKind } from '../../model/learnedRecipes.ts';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { LOCAL_ORIGIN, type OriginLookup } from '../../syntax/nameOrigins.ts';
import type { ReplacedExpression } from './differences.ts';

/** The code for which a hole stands in one edit. */
export interface HoleValue {
  readonly text: string;
  readonly kind: HoleKind;
  /** Origins of the free names in it, by name. */
  readonly names: Readonly<Record<string, string>>;
}

/** One edit with holes, as plain data. Both sides are printed in the same way, whatever their original layout. */
export interface Template {
  readonly pattern: string;
  readonly replacement: string;
  /** The values of `$a`, `$b` and so on, in this order. */
  readonly holes: readonly HoleValue[];
  /** Origins of the free names outside of the holes, by name. */
  readonly names: Readonly<Record<string, string>>;
  readonly before: string;
  readonly after: string;
}

/** Maximum number of characters of a side of an edit. Longer edits are rewritings of one place. */
const MAX_CHARACTERS = 400;
/** Maximum number of holes. An edit with more is unlikely to occur in other places. */
const MAX_HOLES = 6;

/**
 * The template of an edit; null if it is not a small change of an expression, has more than `MAX_HOLES` holes, or uses
 * names that begin with `$`, like the names of holes. `origins`: the origins of names in the file before and after.
 */
export function createTemplate(
  { before, after }: ReplacedExpression,
  origins: { readonly before: OriginLookup; readonly after: OriginLookup },
): Template | null {
  const [beforeText, afterText] = [before.getText(), after.getText()];
  if (beforeText.length > MAX_CHARACTERS || afterText.length > MAX_CHARACTERS) return null;
  const commonTexts = new Set(collectHoleCandidates(after).map(normaliseText));
  const chosenNodes = findOutermost(before, (node) => isHoleable(node) && commonTexts.has(normaliseText(node)));
  const texts = [...new Set(chosenNodes.map(normaliseText))];
  if (texts.length > MAX_HOLES || chosenNodes.some((node) => usesParametersOf(before, node))) return null;
  const holeOf = (node: ts.Node): string | null => {
    const holeIndex = isHoleable(node) ? texts.indexOf(normaliseText(node)) : -1;
    return holeIndex < 0 ? null : createHoleName(holeIndex);
  };
  const [pattern, replacement] = [printWithHoles(before, holeOf), printWithHoles(after, holeOf)];
  if (pattern === null || replacement === null || pattern === replacement) return null;
  const names = {
    ...collectFreeNames(before, holeOf, origins.before),
    ...collectFreeNames(after, holeOf, origins.after),
  };
  if (Object.keys(names).some((name) => name.startsWith('$'))) return null;
  return {
    pattern,
    replacement,
    names,
    holes: texts.map((text) => {
      const node = chosenNodes.find((expression) => normaliseText(expression) === text)!;
      return {
        text: node.getText(),
        kind: findHoleKind(node),
        names: collectFreeNames(node, () => null, origins.before),
      };
    }),
    before: beforeText,
    after: afterText,
  };
}

/** The name of the hole at an index: `$a`, `$b` and so on. */
export function createHoleName(index: number): string {
  return `$${String.fromCharCode('a'.charCodeAt(0) + index)}`;
}

/** The kind to which a hole is restricted if all examples have it. */
function findHoleKind(node: ts.Node): HoleKind {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return 'string';
  if (ts.isNumericLiteral(node)) return 'number';
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return 'function';
  if (ts.isObjectLiteralExpression(node)) return 'object';
  return ts.isArrayLiteralExpression(node) ? 'array' : 'any';
}

/** The text of a node without its layout. Nodes with the same text become the same hole. */
function normaliseText(node: ts.Node): string {
  return node.getText().replace(/\s+/g, ' ');
}

/** Expressions that a hole may stand for, including the root. */
function collectHoleCandidates(root: ts.Node): ts.Node[] {
  return [root, ...collectNodesBelow(root)].filter(isHoleable);
}

/**
 * True for an expression in the place of a value. Called functions and the tag of a template are never holes, because
 * they show what the edit is about.
 */
function isHoleable(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isExpression(node) || ts.isSpreadElement(node) || ts.isOmittedExpression(node)) return false;
  if (node.kind === ts.SyntaxKind.SuperKeyword || node.kind === ts.SyntaxKind.ImportKeyword) return false;
  if (ts.isParenthesizedExpression(node)) return false;
  if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node) return false;
  if (ts.isTaggedTemplateExpression(parent) || ts.isTypeNode(parent) || isWithinType(node)) return false;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  if (ts.isShorthandPropertyAssignment(parent) || ts.isBindingElement(parent) || ts.isParameter(parent)) return false;
  return !('name' in parent && parent.name === node);
}

/** True for a node inside a type. */
function isWithinType(node: ts.Node): boolean {
  for (let current = node.parent; current; current = current.parent) {
    if (ts.isTypeNode(current)) return true;
    if (ts.isExpression(current)) return false;
  }
  return false;
}

/** The outermost accepted nodes inside the root, without the root itself. */
function findOutermost(root: ts.Node, accepts: (node: ts.Node) => boolean): ts.Node[] {
  const accepted: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (node !== root && accepts(node)) accepted.push(node);
    else ts.forEachChild(node, visit);
  };
  visit(root);
  return accepted;
}

/** The expression with holes, printed without its layout; null if it contains comments, statements, classes or JSX. */
function printWithHoles(root: ts.Expression, holeOf: (node: ts.Node) => string | null): string | null {
  const start = root.getStart();
  const source = root.getText();
  let text = '';
  let offset = 0;
  let isPrintable = true;
  const visit = (node: ts.Node): void => {
    const hole = holeOf(node);
    if (hole !== null) {
      text += source.slice(offset, node.getStart() - start) + hole;
      offset = node.end - start;
    } else if (preventsTemplate(node)) isPrintable = false;
    else ts.forEachChild(node, visit);
  };
  visit(root);
  text += source.slice(offset);
  return isPrintable ? printExpression(text) : null;
}

/** True for statements, classes, JSX and `yield`. An edit with such code outside of its holes gives no template. */
function preventsTemplate(node: ts.Node): boolean {
  return (
    ts.isStatement(node) ||
    ts.isClassLike(node) ||
    ts.isJsxElement(node) ||
    ts.isJsxSelfClosingElement(node) ||
    ts.isJsxFragment(node) ||
    node.kind === ts.SyntaxKind.YieldExpression
  );
}

/** The expression in the compiler's standard layout; null if the text is not one expression, or has comments. */
function printExpression(text: string): string | null {
  const file = ts.createSourceFile('shape.tsx', `(${text}\n);`, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const [statement] = file.statements;
  if (file.statements.length !== 1 || !statement || !ts.isExpressionStatement(statement)) return null;
  if (!ts.isParenthesizedExpression(statement.expression)) return null;
  const printer = ts.createPrinter({ removeComments: true });
  const withComments = ts.createPrinter();
  const { expression } = statement.expression;
  const printed = printer.printNode(ts.EmitHint.Expression, expression, file);
  const printedText = withComments.printNode(ts.EmitHint.Expression, expression, file);
  return printed === printedText ? printed.replace(/\n\s*/g, ' ') : null;
}

/** Origins of the free names in the code, outside of holes. */
function collectFreeNames(
  root: ts.Node,
  holeOf: (node: ts.Node) => string | null,
  origins: OriginLookup,
): Record<string, string> {
  const names: Record<string, string> = {};
  const visit = (node: ts.Node): void => {
    if (holeOf(node) !== null || ts.isTypeNode(node)) return;
    if (node.kind === ts.SyntaxKind.ThisKeyword) names['this'] = LOCAL_ORIGIN;
    else if (ts.isIdentifier(node) && isReference(node) && !isDeclaredWithin(node, root))
      names[node.text] = origins.of(node.text, root);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return names;
}

/** True for a name that refers to a variable or a function; false for the name of a member or a declaration. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isBindingElement(parent) && (parent.propertyName === node || parent.name === node)) return false;
  return !('name' in parent && parent.name === node);
}

/** True if the code in a hole depends on a parameter of a function within the edit, so that it cannot be moved. */
function usesParametersOf(root: ts.Node, value: ts.Node): boolean {
  return [value, ...collectNodesBelow(value)].some(
    (node) =>
      ts.isIdentifier(node) && isReference(node) && isDeclaredWithin(node, root) && !isDeclaredWithin(node, value),
  );
}

/** True for the name of a parameter of a function that is inside `root` or is `root`. */
function isDeclaredWithin(node: ts.Identifier, root: ts.Node): boolean {
  for (let current: ts.Node = node; current !== root.parent; current = current.parent) {
    if (!ts.isFunctionLike(current)) continue;
    const isDeclared = current.parameters.some((parameter) =>
      [parameter.name, ...collectNodesBelow(parameter.name)].some(
        (boundName) => ts.isIdentifier(boundName) && boundName.text === node.text,
      ),
    );
    if (isDeclared) return true;
  }
  return false;
}
