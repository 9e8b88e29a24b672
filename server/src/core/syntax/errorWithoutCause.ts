// Finds errors that a `catch` throws without passing on the error that it has caught.

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

/**
 * Matches functions and classes that the engine implements. The stack of an error that they throw ends in the `try`, so
 * it adds little to the message.
 */
const FUNCTIONS_OF_ENGINE =
  /^(?:JSON\.(?:parse|stringify)|(?:de|en)codeURI(?:Component)?|BigInt|structuredClone|Number|String|Intl\.\w+|RegExp|URL|Date|Function|Temporal\.\w+(?:\.from)?)$/;
/** Matches methods of built-in values that the engine implements. */
const METHODS_OF_ENGINE =
  /^(?:toLocale(?:Date|Time|Lower|Upper)?(?:Case|String)|toISOString|normalize|format|formatToParts|resolvedOptions)$/;

/** A new error that loses the caught one. */
export interface LostCause {
  readonly newError: ts.NewExpression | ts.CallExpression;
  /** Name of the caught error in the handler; null if the handler does not name it. */
  readonly caughtName: string | null;
  /** The code that handles the caught error. */
  readonly handler: ErrorHandler;
  /** True if the message of the new error contains a part of the caught one, such as its message. */
  readonly keepsPart: boolean;
}

/** A `catch`, or a function that is passed to `.catch(…)` or as the second argument to `.then(…)`. */
export type ErrorHandler = ts.CatchClause | ts.ArrowFunction | ts.FunctionExpression;

/**
 * The lost cause of `throw new Error('…')` in a `catch (error)`. Null for any other statement, and if
 * - the name of the error has another meaning at the throw,
 * - the new error contains the whole old one,
 * - the handler passes the old error to a function, which may log it,
 * - the tried code only loads a module that may be absent, or
 * - the new message has a part of the old error, and the stack of that error would end in the `try`.
 */
export function parseLostCause(node: ts.ThrowStatement): LostCause | null {
  const thrownExpression = node.expression;
  if (!ts.isNewExpression(thrownExpression) && !ts.isCallExpression(thrownExpression)) return null;
  if (!ts.isIdentifier(thrownExpression.expression) || !ERROR_CLASSES.has(thrownExpression.expression.text))
    return null;
  const [message, ...otherArguments] = thrownExpression.arguments ?? [];
  if (otherArguments.length > 0 || (message && ts.isSpreadElement(message))) return null;
  const handler = findErrorHandler(node);
  const name = handler && findErrorName(handler);
  if (!handler || name === undefined) return null;
  const tryBlock = ts.isCatchClause(handler) ? handler.parent.tryBlock : null;
  const guardedCode = tryBlock ?? findReceiver(handler);
  if (guardedCode && loadsOnlyModules(guardedCode)) return null;
  if (name === null) return { newError: thrownExpression, caughtName: null, handler, keepsPart: false };
  const body = ts.isCatchClause(handler) ? handler.block : handler.body;
  const names = [name, ...collectPartNames(body, name)];
  if (isRedefinedIn(body, name) || (message && mayContainError(message, name)) || passesErrorToCall(body, name, node))
    return null;
  const keepsPart = message !== undefined && names.some((part) => readsName(message, part));
  if (keepsPart && tryBlock && callsOnlyEngine(tryBlock)) return null;
  return { newError: thrownExpression, caughtName: name, handler, keepsPart };
}

/** The innermost handler that contains the statement; null if a function that is not a handler is between them. */
function findErrorHandler(node: ts.Node): ErrorHandler | null {
  let outer = node.parent;
  while (outer && !ts.isFunctionLike(outer) && !ts.isCatchClause(outer)) outer = outer.parent;
  if (!outer || ts.isCatchClause(outer)) return outer ?? null;
  if (!ts.isArrowFunction(outer) && !ts.isFunctionExpression(outer)) return null;
  const call = outer.parent;
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return null;
  const method = call.expression.name.text;
  const isHandler = method === 'catch' ? call.arguments[0] === outer : method === 'then' && call.arguments[1] === outer;
  return isHandler ? outer : null;
}

/** The promise whose error a function handles: `import('koa')` in `import('koa').catch(…)`. */
function findReceiver({ parent }: ErrorHandler): ts.Expression | null {
  return ts.isCallExpression(parent) && ts.isPropertyAccessExpression(parent.expression)
    ? parent.expression.expression
    : null;
}

/**
 * The name of the error in the handler; null if the handler does not name it, undefined if it destructures the error.
 */
function findErrorName(handler: ErrorHandler): string | null | undefined {
  const declaration = ts.isCatchClause(handler) ? handler.variableDeclaration : handler.parameters[0];
  if (!declaration) return null;
  return ts.isIdentifier(declaration.name) ? declaration.name.text : undefined;
}

/**
 * True for code that only loads modules, such as `require('koa')`. The new error then says what to install, and needs
 * no cause.
 */
function loadsOnlyModules(guardedCode: ts.Node): boolean {
  const calls = collectCalls(guardedCode);
  return (
    calls.length > 0 &&
    calls.every(
      ({ expression }) =>
        expression.kind === ts.SyntaxKind.ImportKeyword || /^require(?:\.resolve)?$/.test(expression.getText()),
    )
  );
}

/** True if the block calls only functions that the engine implements. */
function callsOnlyEngine(tryBlock: ts.Block): boolean {
  return collectCalls(tryBlock).every(
    ({ expression }) =>
      FUNCTIONS_OF_ENGINE.test(expression.getText()) ||
      (ts.isPropertyAccessExpression(expression) && METHODS_OF_ENGINE.test(expression.name.text)),
  );
}

/** The calls, `new` included, that the code makes itself, without those in inner functions. */
function collectCalls(block: ts.Node): (ts.CallExpression | ts.NewExpression)[] {
  const calls: (ts.CallExpression | ts.NewExpression)[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) calls.push(node);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(block);
  return calls;
}

/** Names of variables whose values are computed from the error: `const reason = error.message;`. */
function collectPartNames(body: ts.Node, name: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      if (readsName(node.initializer, name)) names.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(body);
  return names;
}

function readsName(node: ts.Node, name: string): boolean {
  if (ts.isIdentifier(node) && node.text === name)
    return !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node);
  return ts.forEachChild(node, (child) => readsName(child, name) || undefined) ?? false;
}

/** True if a statement other than the throw passes the whole error to a call: `console.error(error);`. */
function passesErrorToCall(body: ts.Node, name: string, thrown: ts.Node): boolean {
  const visit = (node: ts.Node): boolean => {
    if (node === thrown) return false;
    if (
      ts.isCallExpression(node) &&
      node.expression.getText() !== 'String' &&
      node.arguments.some((argument) => ts.isIdentifier(argument) && argument.text === name) &&
      ts.isExpressionStatement(ts.isAwaitExpression(node.parent) ? node.parent.parent : node.parent)
    )
      return true;
    return ts.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(body);
}

/** True if the block declares the name again or assigns to it. */
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
function mayContainError(message: ts.Expression, name: string): boolean {
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
