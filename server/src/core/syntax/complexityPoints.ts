// Defines which syntax of TypeScript and JavaScript adds to cyclomatic and cognitive complexity, independently of the
// walk.

import { ts } from 'ts-morph';
import { isAssignmentDefault, isElseIf, isLogical, listLogicalOperators, skipParentheses } from './controlFlow.ts';

const K = ts.SyntaxKind;

/** The names of constructs that add complexity, for people. */
export type Construct =
  | 'if'
  | 'else if'
  | 'else'
  | 'for'
  | 'while'
  | 'do'
  | 'switch'
  | 'case'
  | 'catch'
  | '?:'
  | '&&'
  | '||'
  | '??'
  | '&&='
  | '||='
  | '??='
  | '?.'
  | 'default value'
  | 'labelled jump';

/** Cognitive complexity: the construct adds nothing. */
export const NO_POINTS = 0;
/** Cognitive complexity: the construct adds 1. */
const FLAT_POINTS = 1;
/** Cognitive complexity: the construct adds 1 plus its nesting. (This number only distinguishes the case.) */
export const NESTED_POINTS = 2;
/** The contribution of a construct to cognitive complexity. */
export type CognitivePoints = typeof NO_POINTS | typeof FLAT_POINTS | typeof NESTED_POINTS;

/** Called for each construct, in the order of the walk. `cyclomatic` is 0 or 1. */
export type AddPoint = (node: ts.Node, construct: Construct, cyclomatic: number, cognitive: CognitivePoints) => void;

/** Reports the points that a node adds. Call it for every node except functions, outer nodes first. */
export function addNodePoints(node: ts.Node, add: AddPoint): void {
  switch (node.kind) {
    case K.IfStatement: {
      const elseStatement = (node as ts.IfStatement).elseStatement;
      if (isElseIf(node)) add(node, 'else if', 1, FLAT_POINTS);
      else add(node, 'if', 1, NESTED_POINTS);
      if (elseStatement && elseStatement.kind !== K.IfStatement) add(elseStatement, 'else', 0, FLAT_POINTS);
      return;
    }
    case K.ForStatement:
    case K.ForInStatement:
    case K.ForOfStatement:
      return add(node, 'for', 1, NESTED_POINTS);
    case K.WhileStatement:
      return add(node, 'while', 1, NESTED_POINTS);
    case K.DoStatement:
      return add(node, 'do', 1, NESTED_POINTS);
    case K.CatchClause:
      return add(node, 'catch', 1, NESTED_POINTS);
    case K.ConditionalExpression:
      return add((node as ts.ConditionalExpression).questionToken, '?:', 1, NESTED_POINTS);
    case K.SwitchStatement:
      return add(node, 'switch', 0, NESTED_POINTS);
    case K.CaseClause:
      return add(node, 'case', 1, NO_POINTS);
    case K.BreakStatement:
    case K.ContinueStatement:
      if ((node as ts.BreakStatement).label) add(node, 'labelled jump', 0, FLAT_POINTS);
      return;
    case K.Parameter:
    case K.BindingElement: {
      const { initializer } = node as ts.ParameterDeclaration;
      if (initializer) add(initializer, 'default value', 1, NO_POINTS);
      return;
    }
    case K.ShorthandPropertyAssignment: {
      const { objectAssignmentInitializer } = node as ts.ShorthandPropertyAssignment;
      if (objectAssignmentInitializer) add(objectAssignmentInitializer, 'default value', 1, NO_POINTS);
      return;
    }
    case K.PropertyAccessExpression:
    case K.ElementAccessExpression:
    case K.CallExpression: {
      const { questionDotToken } = node as ts.PropertyAccessExpression;
      if (questionDotToken) add(questionDotToken, '?.', 1, NO_POINTS);
      return;
    }
    case K.BinaryExpression:
      return addBinaryPoints(node as ts.BinaryExpression, add);
    default:
  }
}

/** Reports the points of a binary expression: logical operators, logical assignments and default values. */
function addBinaryPoints(node: ts.BinaryExpression, add: AddPoint): void {
  switch (node.operatorToken.kind) {
    case K.AmpersandAmpersandToken:
    case K.BarBarToken:
    case K.QuestionQuestionToken:
      if (!isOperandOfLogical(node)) addLogicalPoints(node, add);
      return;
    case K.AmpersandAmpersandEqualsToken:
      return add(node.operatorToken, '&&=', 1, NO_POINTS);
    case K.BarBarEqualsToken:
      return add(node.operatorToken, '||=', 1, NO_POINTS);
    case K.QuestionQuestionEqualsToken:
      return add(node.operatorToken, '??=', 1, NO_POINTS);
    case K.EqualsToken:
      if (isAssignmentDefault(node)) add(node.right, 'default value', 1, NO_POINTS);
      return;
    default:
  }
}

/**
 * Reports the points of the logical operators of an expression. Like SonarJS, it counts only sequences of `&&`, and not
 * even these if they only decide what JSX shows.
 */
function addLogicalPoints(root: ts.BinaryExpression, add: AddPoint): void {
  const operators = listLogicalOperators(root);
  const decidesJsx =
    findOuterNode(root)?.kind === K.JsxExpression &&
    operators.every(
      (operator) =>
        operator.operatorToken.kind === root.operatorToken.kind &&
        !isConditional(operator.left) &&
        !isConditional(operator.right),
    );
  let previous: ts.SyntaxKind | null = null;
  for (const { operatorToken } of operators) {
    const operator = operatorToken.kind;
    const startsAndSequence = operator === K.AmpersandAmpersandToken && previous !== operator && !decidesJsx;
    add(
      operatorToken,
      operator === K.AmpersandAmpersandToken ? '&&' : operator === K.BarBarToken ? '||' : '??',
      1,
      startsAndSequence ? FLAT_POINTS : NO_POINTS,
    );
    previous = operator;
  }
}

function isOperandOfLogical(node: ts.BinaryExpression): boolean {
  const holder = findOuterNode(node);
  return holder !== undefined && isLogical(holder);
}

function isConditional(operand: ts.Expression): boolean {
  return skipParentheses(operand).kind === K.ConditionalExpression;
}

/** The node around an expression, ignoring parentheses. */
function findOuterNode(node: ts.Node): ts.Node | undefined {
  let holder = node.parent;
  while (holder?.kind === K.ParenthesizedExpression) holder = holder.parent;
  return holder;
}
