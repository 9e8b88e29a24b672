// Finds a new error that a catch throws without the error that it has caught.

import { ts } from 'ts-morph';

/** Built-in errors, which take their cause as `new Error(message, { cause })`. */
const ERROR_CLASSES = new Set([
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'EvalError',
  'URIError',
]);

export interface LostCause {
  readonly newError: ts.NewExpression;
  /** Name of the caught error. */
  readonly caught: string;
}

/**
 * The cause that `throw new Error('…')` in a `catch (error)` loses. Null for any other statement, if the name has
 * another meaning at the throw, or if the new error contains the whole old one.
 */
export function parseLostCause(node: ts.ThrowStatement): LostCause | null {
  const thrown = node.expression;
  if (!ts.isNewExpression(thrown) || !ts.isIdentifier(thrown.expression) || !ERROR_CLASSES.has(thrown.expression.text))
    return null;
  if (thrown.arguments?.length !== 1 || ts.isSpreadElement(thrown.arguments[0]!)) return null;
  const clause = findEnclosingCatch(node);
  const name = clause?.variableDeclaration?.name;
  if (!clause || !name || !ts.isIdentifier(name)) return null;
  if (isRedefinedIn(clause.block, name.text) || passesOn(thrown.arguments[0]!, name.text)) return null;
  return { newError: thrown, caught: name.text };
}

/** The catch whose block runs the statement; null beyond a function. */
function findEnclosingCatch(node: ts.Node): ts.CatchClause | null {
  for (let outer = node.parent; outer && !ts.isFunctionLike(outer); outer = outer.parent)
    if (ts.isCatchClause(outer)) return outer;
  return null;
}

function isRedefinedIn(block: ts.Node, name: string): boolean {
  let isRedefined = false;
  const visit = (node: ts.Node): void => {
    const isName =
      (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) &&
      ts.isIdentifier(node.name);
    if (isName && (node.name as ts.Identifier).text === name) isRedefined = true;
    // An assignment may replace the error before it is passed on.
    if (
      ts.isBinaryExpression(node) &&
      ts.isIdentifier(node.left) &&
      node.left.text === name &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken
    )
      isRedefined = true;
    if (!isRedefined) ts.forEachChild(node, visit);
  };
  visit(block);
  return isRedefined;
}

/** True for `new Error(error)` and `new Error(wrap(error))`, which may contain the old error. */
function passesOn(message: ts.Expression, name: string): boolean {
  let isPassedOn = false;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) {
      const { parent } = node;
      const isPart =
        ts.isPropertyAccessExpression(parent) && parent.expression === node && parent.name.text !== 'cause';
      const isPrinted =
        ts.isTemplateSpan(parent) ||
        (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.PlusToken);
      const isTested = ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
      const isString = ts.isCallExpression(parent) && parent.expression.getText() === 'String';
      const isAsserted = ts.isAsExpression(parent);
      const isName = ts.isPropertyAccessExpression(parent) && parent.name === node;
      if (!isPart && !isPrinted && !isTested && !isString && !isAsserted && !isName) isPassedOn = true;
    }
    if (!isPassedOn) ts.forEachChild(node, visit);
  };
  visit(message);
  return isPassedOn;
}
