// Makes a script worse on purpose in one of five ways, by small edits found in its syntax tree.

import { ts } from 'ts-morph';
import type { CheatKind } from '../../model/cheats.ts';

/** A replacement of the characters from `start` to `end` (exclusive). */
export interface CheatEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The range of the innermost function that contains the edit; outside functions, of the top-level statement. */
  readonly unit: { readonly start: number; readonly end: number };
}

/** Maps each comparison operator to the one that is off by one. */
const OFF_BY_ONE: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
};

/** All edits that make the script worse in this way, in the order of its syntax tree. */
export function findCheatEdits(kind: CheatKind, path: string, text: string): readonly CheatEdit[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const edits: CheatEdit[] = [];
  const addEdit = (node: ts.Node, replacement: string) => {
    const unit = findUnit(node);
    edits.push({
      start: node.getStart(source),
      end: node.end,
      text: replacement,
      unit: { start: unit.getStart(source), end: unit.end },
    });
  };
  const visit = (node: ts.Node): void => {
    if (kind === 'weakened assertion') removeAssertion(node, addEdit);
    if (kind === 'edge case dropped' && isEarlyExit(node)) addEdit(node, '');
    if (kind === 'error swallowed' && ts.isThrowStatement(node)) addEdit(node, ts.isBlock(node.parent) ? '' : ';');
    if (kind === 'off by one') shiftByOne(node, addEdit);
    if (kind === 'hard-coded answer' && ts.isReturnStatement(node) && node.expression && !isLiteral(node.expression))
      addEdit(node.expression, chooseLiteral(node.expression));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return edits;
}

/** The innermost function that contains the node; outside functions, the top-level statement. */
function findUnit(node: ts.Node): ts.Node {
  let unit = node;
  while (!ts.isFunctionLike(unit) && !ts.isSourceFile(unit.parent)) unit = unit.parent;
  return unit;
}

/** Removes an assertion that is a statement. */
function removeAssertion(node: ts.Node, addEdit: (node: ts.Node, text: string) => void): void {
  if (!ts.isExpressionStatement(node)) return;
  const text = node.getText();
  if (/^(?:await )?(?:expect\(|assert\b|t\.(?:is|deepEqual|true|equal)\()/.test(text)) addEdit(node, '');
}

/** True for an `if` without `else` whose only statement returns or throws. */
function isEarlyExit(node: ts.Node): boolean {
  if (!ts.isIfStatement(node) || node.elseStatement || !ts.isBlock(node.parent)) return false;
  const body = ts.isBlock(node.thenStatement) ? node.thenStatement.statements : [node.thenStatement];
  const [onlyStatement] = body;
  return (
    body.length === 1 &&
    onlyStatement !== undefined &&
    (ts.isReturnStatement(onlyStatement) || ts.isThrowStatement(onlyStatement))
  );
}

/** Makes a comparison or a whole number off by one. */
function shiftByOne(node: ts.Node, addEdit: (node: ts.Node, text: string) => void): void {
  if (ts.isBinaryExpression(node)) {
    const replacement = OFF_BY_ONE[node.operatorToken.kind];
    if (replacement) addEdit(node.operatorToken, replacement);
  }
  if (ts.isNumericLiteral(node) && /^\d+$/.test(node.text) && !ts.isLiteralTypeNode(node.parent))
    addEdit(node, String(Number(node.text) + 1));
}

function isLiteral(node: ts.Expression): boolean {
  return ts.isLiteralExpression(node) || /^(?:true|false|null|undefined)$/.test(node.getText());
}

/** A literal that the expression might plausibly have as its value. */
function chooseLiteral(node: ts.Expression): string {
  const text = node.getText();
  if (/[=!]==|[<>]|^!|^is[A-Z]|&&|\|\|/.test(text)) return 'true';
  return ts.isTemplateExpression(node) || /['"`]|String|join|replace/.test(text) ? "''" : '0';
}
