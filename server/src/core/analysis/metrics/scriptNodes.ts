// Answers questions about syntax nodes for the metrics of TypeScript and JavaScript.

import { ts } from 'ts-morph';
import { isElseIf, isLogical, skipParentheses } from '../../syntax/controlFlow.ts';
import type { FunctionKind } from '../functionUnit.ts';

/** The kinds of functions by kind of syntax node; a list instead of a map, because it is read for every node. */
const FUNCTION_KINDS: readonly (FunctionKind | undefined)[] = createKindTable([
  [ts.SyntaxKind.FunctionDeclaration, 'function'],
  [ts.SyntaxKind.FunctionExpression, 'functionExpression'],
  [ts.SyntaxKind.ArrowFunction, 'arrow'],
  [ts.SyntaxKind.MethodDeclaration, 'method'],
  [ts.SyntaxKind.GetAccessor, 'getter'],
  [ts.SyntaxKind.SetAccessor, 'setter'],
  [ts.SyntaxKind.Constructor, 'constructor'],
  [ts.SyntaxKind.ClassStaticBlockDeclaration, 'staticBlock'],
]);

function createKindTable(kinds: readonly (readonly [ts.SyntaxKind, FunctionKind])[]): (FunctionKind | undefined)[] {
  const kindByNode = new Array<FunctionKind | undefined>(ts.SyntaxKind.Count).fill(undefined);
  for (const [node, kind] of kinds) kindByNode[node] = kind;
  return kindByNode;
}

/** The kind of a function with a body; null for any other node, including overloads and signatures. */
export function findFunctionKind(node: ts.Node): FunctionKind | null {
  const kind = FUNCTION_KINDS[node.kind];
  return kind && (node as ts.FunctionLikeDeclaration).body ? kind : null;
}

/** True for the initial value of a class field: the constructor runs it as separate code. */
export function isFieldInitialiser(node: ts.Node): boolean {
  const parent = node.parent;
  return parent?.kind === ts.SyntaxKind.PropertyDeclaration && (parent as ts.PropertyDeclaration).initializer === node;
}

/** True for nodes that `max-depth` counts as a level: control structures and `try`, but not `else if`. */
export function isDepthBlock(node: ts.Node): boolean {
  switch (node.kind) {
    case ts.SyntaxKind.IfStatement:
      return !isElseIf(node);
    case ts.SyntaxKind.ForStatement:
    case ts.SyntaxKind.ForInStatement:
    case ts.SyntaxKind.ForOfStatement:
    case ts.SyntaxKind.WhileStatement:
    case ts.SyntaxKind.DoStatement:
    case ts.SyntaxKind.SwitchStatement:
    case ts.SyntaxKind.TryStatement:
      return true;
    default:
      return false;
  }
}

/** True for a statement without effect or meaning: `;`, `x;`, `void x;`, `0;`, `debugger;`, a directive. */
export function isInertStatement(node: ts.Node): boolean {
  if (node.kind === ts.SyntaxKind.EmptyStatement || node.kind === ts.SyntaxKind.DebuggerStatement) return true;
  if (node.kind !== ts.SyntaxKind.ExpressionStatement) return false;
  let expression = skipParentheses((node as ts.ExpressionStatement).expression);
  if (ts.isVoidExpression(expression)) expression = skipParentheses(expression.expression);
  return (
    ts.isIdentifier(expression) ||
    ts.isLiteralExpression(expression) ||
    expression.kind === ts.SyntaxKind.TrueKeyword ||
    expression.kind === ts.SyntaxKind.FalseKeyword ||
    expression.kind === ts.SyntaxKind.NullKeyword
  );
}

/** True for a function that is called where it is written: `(() => { … })()`. */
export function isImmediatelyCalled(node: ts.Node): boolean {
  let callee = node;
  while (callee.parent && ts.isParenthesizedExpression(callee.parent)) callee = callee.parent;
  return callee.parent !== undefined && ts.isCallExpression(callee.parent) && callee.parent.expression === callee;
}

/**
 * True for a callback that is a loop or a `catch` in the form of a call: `items.forEach((item) => { … })`,
 * `run().catch((error) => { … })`.
 */
export function isLoopCallback(node: ts.Node): boolean {
  if (node.kind !== ts.SyntaxKind.ArrowFunction && node.kind !== ts.SyntaxKind.FunctionExpression) return false;
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node || !ts.isPropertyAccessExpression(parent.expression))
    return false;
  const { text } = parent.expression.name;
  // Other methods of this kind are called for their result. They are a loop only if the result is not used.
  return (
    text === 'forEach' ||
    text === 'catch' ||
    (/^(map|filter|some|every|find|findIndex|reduce|flatMap)$/.test(text) && ts.isExpressionStatement(parent.parent))
  );
}

/**
 * The parts of a statement that combines several: the operands of commas, the elements of an unused list, or the
 * variables of one declaration. Any other statement is its only part.
 */
export function splitStatement(statement: ts.Node): readonly ts.Node[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations;
  if (!ts.isExpressionStatement(statement)) return [statement];
  const expression = skipParentheses(statement.expression);
  if (ts.isArrayLiteralExpression(expression))
    return expression.elements.length > 0 ? expression.elements : [statement];
  return collectOperands(expression);
}

/** Operands of comma operators, without recursion. */
function collectOperands(expression: ts.Expression): readonly ts.Expression[] {
  const operands: ts.Expression[] = [];
  let current = skipParentheses(expression);
  while (ts.isBinaryExpression(current) && current.operatorToken.kind === ts.SyntaxKind.CommaToken) {
    operands.push(current.right);
    current = skipParentheses(current.left);
  }
  return [...operands, current];
}

/** True for a jump without a value: `return;`, `break;`, `continue;`. */
export function isBareJump(node: ts.Node): boolean {
  if (node.kind === ts.SyntaxKind.ReturnStatement) return (node as ts.ReturnStatement).expression === undefined;
  return node.kind === ts.SyntaxKind.BreakStatement || node.kind === ts.SyntaxKind.ContinueStatement;
}

/**
 * True for a statement that does work itself: an expression or a declaration of variables that does more than call a
 * function, `throw`, and the declaration of a class or type. False for jumps and control structures.
 */
export function isWork(node: ts.Node): boolean {
  switch (node.kind) {
    case ts.SyntaxKind.ExpressionStatement: {
      const expression = skipParentheses((node as ts.ExpressionStatement).expression);
      return (
        !isLogical(expression) &&
        expression.kind !== ts.SyntaxKind.ConditionalExpression &&
        !isDelegation(node) &&
        !isLoopCall(expression)
      );
    }
    case ts.SyntaxKind.VariableStatement:
      return !isDelegation(node);
    case ts.SyntaxKind.ThrowStatement:
    case ts.SyntaxKind.ClassDeclaration:
    case ts.SyntaxKind.InterfaceDeclaration:
    case ts.SyntaxKind.TypeAliasDeclaration:
    case ts.SyntaxKind.EnumDeclaration:
      return true;
    default:
      return false;
  }
}

/**
 * True for a statement that only delegates: `run();`, `const x = await this.load(y);`, `(() => { … })();`. The work is
 * counted in the called function.
 */
function isDelegation(statement: ts.Node): boolean {
  if (ts.isExpressionStatement(statement))
    return splitStatement(statement).every((part) => ts.isExpression(part) && isPlainCall(part));
  if (!ts.isVariableStatement(statement)) return false;
  const [singlePart, secondPart] = statement.declarationList.declarations;
  return singlePart?.initializer !== undefined && secondPart === undefined && isPlainCall(singlePart.initializer);
}

/** True for a call that is a loop; like any loop, it does no work itself. */
function isLoopCall(expression: ts.Expression): boolean {
  return ts.isCallExpression(expression) && expression.arguments.some(isLoopCallback);
}

/** True for a call, possibly awaited, of a name, of a method of `this`, or of a function that is written in place. */
function isPlainCall(expression: ts.Expression): boolean {
  let call = expression;
  while (ts.isParenthesizedExpression(call) || ts.isAwaitExpression(call)) call = call.expression;
  if (!ts.isCallExpression(call)) return false;
  const callee = skipParentheses(call.expression);
  if (ts.isIdentifier(callee) || ts.isFunctionExpression(callee) || ts.isArrowFunction(callee)) return true;
  return ts.isPropertyAccessExpression(callee) && callee.expression.kind === ts.SyntaxKind.ThisKeyword;
}
