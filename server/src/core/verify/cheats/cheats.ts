// Five ways to spoil a script, as edits of its syntax tree.

import { ts } from 'ts-morph';
import type { CheatKind } from '../../model/cheats.ts';

/** Text to put in place of the characters from `start` to `end`. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** All places where a script can be spoiled in this way, in the order of the syntax tree. */
export function placesFor(kind: CheatKind, path: string, text: string): readonly Place[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const places: Place[] = [];
  const put = (node: ts.Node, replacement: string) =>
    places.push({ start: node.getStart(source), end: node.end, text: replacement });
  const visit = (node: ts.Node): void => {
    if (kind === 'weakened assertion') weaken(node, put);
    if (kind === 'edge case dropped' && isEarlyEnd(node)) put(node, '');
    if (kind === 'error swallowed' && ts.isThrowStatement(node)) put(node, ts.isBlock(node.parent) ? '' : ';');
    if (kind === 'off by one') shift(node, put);
    if (kind === 'hard-coded answer' && ts.isReturnStatement(node) && node.expression && !isLiteral(node.expression))
      put(node.expression, literalFor(node.expression));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

function weaken(node: ts.Node, put: (node: ts.Node, text: string) => void): void {
  if (!ts.isExpressionStatement(node)) return;
  const text = node.getText();
  if (/^(?:await )?(?:expect\(|assert\b|t\.(?:is|deepEqual|true|equal)\()/.test(text)) put(node, '');
}

/** An `if` without `else` that only returns or throws. */
function isEarlyEnd(node: ts.Node): boolean {
  if (!ts.isIfStatement(node) || node.elseStatement || !ts.isBlock(node.parent)) return false;
  const body = ts.isBlock(node.thenStatement) ? node.thenStatement.statements : [node.thenStatement];
  const [only] = body;
  return body.length === 1 && only !== undefined && (ts.isReturnStatement(only) || ts.isThrowStatement(only));
}

const SHIFTED: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
};

function shift(node: ts.Node, put: (node: ts.Node, text: string) => void): void {
  if (ts.isBinaryExpression(node)) {
    const other = SHIFTED[node.operatorToken.kind];
    if (other) put(node.operatorToken, other);
  }
  if (ts.isNumericLiteral(node) && /^\d+$/.test(node.text) && !ts.isLiteralTypeNode(node.parent))
    put(node, String(Number(node.text) + 1));
}

function isLiteral(node: ts.Expression): boolean {
  return ts.isLiteralExpression(node) || /^(?:true|false|null|undefined)$/.test(node.getText());
}

function literalFor(node: ts.Expression): string {
  const text = node.getText();
  if (/[=!]==|[<>]|^!|^is[A-Z]|&&|\|\|/.test(text)) return 'true';
  return ts.isTemplateExpression(node) || /['"`]|String|join|replace/.test(text) ? "''" : '0';
}
