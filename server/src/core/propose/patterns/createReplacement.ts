// Writes the replacement of a matched expression with only those parentheses that are necessary.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import { bindsTightly } from '../syntax/precedence.ts';
import { applyReplacements, type Replacement } from '../textEdit.ts';
import { isHole, type Holes } from './shape.ts';

/**
 * Replaces `node` by `pattern`, in which `holes` gives the code of each hole. Parentheses that only the old expression
 * needed are removed: `(value as any).at(0)` becomes `value.at(0)`.
 */
export function createReplacement(
  node: ts.Expression,
  pattern: ts.Expression,
  holes: Holes,
  sourceFile: ts.SourceFile,
): Replacement {
  const { parent } = node;
  const { text } = sourceFile;
  const start = parent.getStart(sourceFile);
  const dropsParentheses =
    ts.isParenthesizedExpression(parent) &&
    !bindsTightly(node) &&
    canStandWithoutParentheses(isHole(pattern) ? holes.get(pattern.text)! : pattern) &&
    !ts.isNewExpression(parent.parent) &&
    // A letter before the parenthesis: `return(…)`.
    !/[\w$]/.test(text.charAt(start - 1)) &&
    !/\/[/*]/.test(text.slice(start, node.getStart(sourceFile)) + text.slice(node.end, parent.end));
  const replacedNode = dropsParentheses ? parent : node;
  return { start: replacedNode.getStart(sourceFile), end: replacedNode.end, text: fillHoles(node, pattern, holes) };
}

/**
 * True for names, `this`, and accesses and calls outside optional chains, whose meaning does not change without
 * parentheses. Other expressions may need them: they end an optional chain, and a number needs them before a dot.
 */
function canStandWithoutParentheses(node: ts.Expression): boolean {
  return (
    ts.isIdentifier(node) ||
    node.kind === ts.SyntaxKind.ThisKeyword ||
    ((ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isCallExpression(node)) &&
      (node.flags & ts.NodeFlags.OptionalChain) === 0)
  );
}

/** True for an expression that never needs parentheses. */
function isAtomic(node: ts.Expression): boolean {
  return (
    bindsTightly(node) &&
    !ts.isObjectLiteralExpression(node) &&
    !ts.isPrefixUnaryExpression(node) &&
    !ts.isAwaitExpression(node)
  );
}

/** Fills the holes of the pattern with code. The result is in parentheses if the place of `node` needs them. */
function fillHoles(node: ts.Expression, pattern: ts.Expression, holes: Holes): string {
  const source = pattern.getSourceFile().text;
  const start = pattern.getStart();
  const holeReplacements = [pattern, ...collectDescendants(pattern)].flatMap((part): Replacement[] => {
    const value = isHole(part) ? holes.get(part.text) : undefined;
    if (!value) return [];
    const valueText = value.getText();
    const needsNone = bindsTightly(value) || part === pattern || needsNoParentheses(part);
    return [{ start: part.getStart() - start, end: part.end - start, text: needsNone ? valueText : `(${valueText})` }];
  });
  const text = applyReplacements(source.slice(start, pattern.end), holeReplacements);
  const expression = isHole(pattern) ? holes.get(pattern.text)! : pattern;
  return isAtomic(expression) || needsNoParentheses(node) ? text : `(${text})`;
}

/**
 * True if the place accepts any expression without parentheses: an argument, an initial value, or a place inside
 * brackets.
 */
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
