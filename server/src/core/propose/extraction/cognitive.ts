// Cognitive complexity by SonarSource's definition, as far as choosing a cut needs it: no recursion, no framework
// labels.

import { ts } from 'ts-morph';

/** Complexity of a node that stands at the given depth of nesting. */
export function cognitiveOf(node: ts.Node, nesting = 0): number {
  if (ts.isIfStatement(node)) return ifOf(node, nesting, true);
  if (ts.isBinaryExpression(node) && isLogical(node)) return logicalOf(node, nesting);
  if ((ts.isBreakStatement(node) || ts.isContinueStatement(node)) && node.label) return 1;
  if (nests(node))
    return 1 + nesting + children(node, (child) => cognitiveOf(child, isHead(node, child) ? nesting : nesting + 1));
  return children(node, (child) => cognitiveOf(child, ts.isFunctionLike(node) ? nesting + 1 : nesting));
}

/** Depth at which `inner` stands within `outer`, as `cognitiveOf(outer)` counts it. */
export function nestingWithin(outer: ts.Node, inner: ts.Node): number {
  let depth = 0;
  for (let node = inner; node !== outer && node.parent; node = node.parent) {
    const { parent } = node;
    if (parent === outer) break;
    if (ts.isIfStatement(parent))
      depth += node !== parent.expression && !(parent.elseStatement === node && ts.isIfStatement(node)) ? 1 : 0;
    else if (nests(parent)) depth += isHead(parent, node) ? 0 : 1;
    else if (ts.isFunctionLike(parent)) depth += 1;
  }
  return depth;
}

function ifOf(node: ts.IfStatement, nesting: number, first: boolean): number {
  const own = first ? 1 + nesting : 1;
  const then = cognitiveOf(node.expression, nesting) + cognitiveOf(node.thenStatement, nesting + 1);
  if (!node.elseStatement) return own + then;
  if (ts.isIfStatement(node.elseStatement)) return own + then + ifOf(node.elseStatement, nesting, false);
  return own + then + 1 + cognitiveOf(node.elseStatement, nesting + 1);
}

/** One for each run of the same operator. */
function logicalOf(node: ts.BinaryExpression, nesting: number, above?: ts.SyntaxKind): number {
  const { kind } = node.operatorToken;
  const side = (operand: ts.Expression): number => {
    const bare = unwrap(operand);
    return ts.isBinaryExpression(bare) && isLogical(bare)
      ? logicalOf(bare, nesting, kind)
      : cognitiveOf(operand, nesting);
  };
  return (kind === above ? 0 : 1) + side(node.left) + side(node.right);
}

function unwrap(expression: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(expression) ? unwrap(expression.expression) : expression;
}

function isLogical({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return (
    kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    kind === ts.SyntaxKind.QuestionQuestionToken
  );
}

function nests(node: ts.Node): boolean {
  return (
    ts.isIterationStatement(node, false) ||
    ts.isSwitchStatement(node) ||
    ts.isCatchClause(node) ||
    ts.isConditionalExpression(node)
  );
}

/** The part of a nesting construct that stands on its own level: what is asked, not what follows from it. */
function isHead(node: ts.Node, child: ts.Node): boolean {
  if (ts.isIterationStatement(node, false)) return child !== node.statement;
  if (ts.isSwitchStatement(node)) return child === node.expression;
  return ts.isConditionalExpression(node) && child === node.condition;
}

function children(node: ts.Node, cost: (child: ts.Node) => number): number {
  let sum = 0;
  ts.forEachChild(node, (child) => void (sum += cost(child)));
  return sum;
}
