// Finds the loop and the function around a node, the names that change while a loop runs, and the expressions that
// stay the same. Decided by names within one file.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { findFunctionKind } from '../metrics/scriptNodes.ts';
import { endsWithExit } from './exits.ts';
import { createWordSet } from '../../../util/wordSet.ts';
import { isAssignment } from '../../syntax/values.ts';

/** Methods that call their first argument for the elements of a list. */
const EACH_METHODS = new Set(['forEach', 'map', 'filter', 'flatMap', 'some', 'every', 'find', 'findIndex', 'reduce']);
/**
 * Methods that do not change their arguments and, except for `WRITING_METHODS`, not the object that they are called on.
 */
const READING_METHODS = createWordSet(`
  at charAt concat endsWith entries every find findIndex findLast flat flatMap filter forEach get has includes
  indexOf join keys lastIndexOf map match padEnd padStart reduce replace replaceAll slice some split startsWith test
  toLowerCase toString toUpperCase trim values isArray stringify parse push min max floor from
`);
/** Those of `READING_METHODS` that change the object that they are called on. */
const WRITING_METHODS = new Set(['push']);

/** A loop, or a call that calls a function for each element. */
export interface LoopWithBody {
  /** The loop statement, or the call of `forEach` or a similar method. */
  readonly node: ts.Node;
  /** The code that runs in every iteration. */
  readonly body: ts.Node;
  /** The iterated value; null for loops other than `for … of` and `for … in`. */
  readonly iteratedValue: ts.Expression | null;
}

/**
 * The innermost loop that runs `node` in every iteration. Null outside of loops, in an inner function, and on a path
 * that exits the loop.
 */
export function findEnclosingLoop(node: ts.Node): LoopWithBody | null {
  for (let inner = node; inner.parent; inner = inner.parent) {
    const outer = inner.parent;
    if (ts.isIterationStatement(outer, false))
      return runsOnce(outer, inner) ? findEnclosingLoop(outer) : createLoop(outer);
    if (findFunctionKind(outer)) return findCallbackLoop(outer, inner);
    if (exitsBetween(outer, inner)) return null;
  }
  return null;
}

/**
 * True for a part of a loop that is evaluated before the first iteration: the iterated value and the variable of
 * `for … of` and `for … in`, and the initialiser of `for`.
 */
function runsOnce(loop: ts.IterationStatement, part: ts.Node): boolean {
  if (ts.isForOfStatement(loop) || ts.isForInStatement(loop)) return loop.statement !== part;
  return ts.isForStatement(loop) && loop.initializer === part;
}

/** The loop of a statement; only `for … of` and `for … in` name the iterated value. */
function createLoop(loop: ts.IterationStatement): LoopWithBody {
  return ts.isForOfStatement(loop) || ts.isForInStatement(loop)
    ? { node: loop, body: loop.statement, iteratedValue: loop.expression }
    : { node: loop, body: loop, iteratedValue: null };
}

/** The loop of `list.forEach((item) => …)`, for a part of that callback's body; null for any other function. */
function findCallbackLoop(functionNode: ts.Node, part: ts.Node): LoopWithBody | null {
  if (!isEachCallback(functionNode) || (functionNode as ts.FunctionLikeDeclaration).body !== part) return null;
  const call = functionNode.parent as ts.CallExpression;
  return { node: call, body: part, iteratedValue: (call.expression as ts.PropertyAccessExpression).expression };
}

/**
 * True if the path from `inner` out to `outer` exits the loop, so that there is no next iteration, or crosses a class.
 */
function exitsBetween(outer: ts.Node, inner: ts.Node): boolean {
  if (ts.isBlock(outer)) return !findFunctionKind(outer.parent) && containsExit(outer);
  if (ts.isIfStatement(outer)) return outer.expression !== inner && ts.isStatement(inner) && endsWithExit(inner);
  if (ts.isReturnStatement(outer)) return !isEachCallback(findFunctionAround(outer));
  return ts.isThrowStatement(outer) || ts.isClassLike(outer);
}

/**
 * True if `expression` has the same value in every iteration: literals, and names that nothing in the loop changes,
 * their properties, and texts, lists and sums of them.
 */
export function isLoopInvariant(expression: ts.Expression, loop: LoopWithBody): boolean {
  const changedNames = findChangedNames(loop);
  const pending: ts.Node[] = [expression];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (ts.isIdentifier(node)) {
      if (changedNames.has(node.text)) return false;
      continue;
    }
    if (ts.isPropertyAccessExpression(node)) {
      pending.push(node.expression);
      continue;
    }
    if (
      ts.isTemplateExpression(node) ||
      ts.isTemplateSpan(node) ||
      ts.isParenthesizedExpression(node) ||
      ts.isArrayLiteralExpression(node) ||
      ts.isSpreadElement(node)
    ) {
      ts.forEachChild(node, (child) => {
        pending.push(child);
      });
      continue;
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      pending.push(node.left, node.right);
      continue;
    }
    if (!ts.isLiteralExpression(node) && !ts.isTemplateMiddleOrTemplateTail(node) && !ts.isTemplateHead(node))
      return false;
  }
  return true;
}

/** By block: the result of `containsExit`. */
const CONTAINS_EXIT_CACHE = new WeakMap<ts.Block, boolean>();

/** True if one of the statements always exits the block. Cached, because it is needed for every node in a block. */
function containsExit(block: ts.Block): boolean {
  const hasExit = CONTAINS_EXIT_CACHE.get(block) ?? block.statements.some(endsWithExit);
  CONTAINS_EXIT_CACHE.set(block, hasExit);
  return hasExit;
}

/** By loop: the result of `findChangedNames`. */
const CHANGED_NAMES_CACHE = new WeakMap<ts.Node, ReadonlySet<string>>();

/** Names that the loop declares, assigns, changes, or passes to code that may change them. Cached by loop. */
function findChangedNames(loop: LoopWithBody): ReadonlySet<string> {
  const cached = CHANGED_NAMES_CACHE.get(loop.node);
  if (cached) return cached;
  const changedNames = new Set<string>();
  const visitedCallees = new Set<ts.Node>();
  const pending: ts.Node[] = [loop.node];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isDeclaration(node) && node.name && ts.isIdentifier(node.name)) changedNames.add(node.name.text);
    // If the loop is itself a call, such as `forEach`, that call passes no names on.
    else if (node !== loop.node || ts.isIterationStatement(node, false)) addWrittenNames(node, changedNames);
    const callee = findCallee(node);
    if (callee && !visitedCallees.has(callee)) {
      visitedCallees.add(callee);
      for (const name of collectNamesWrittenBy(callee)) changedNames.add(name);
    }
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  CHANGED_NAMES_CACHE.set(loop.node, changedNames);
  return changedNames;
}

function isDeclaration(
  node: ts.Node,
): node is ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement | ts.FunctionDeclaration {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node)
  );
}

/** By file: its functions by name. */
const FUNCTIONS_CACHE = new WeakMap<ts.SourceFile, ReadonlyMap<string, ts.Node>>();

/** The function of this file that is called by its name; if several have the name, the last one. */
function findCallee(node: ts.Node): ts.Node | null {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return null;
  const sourceFile = node.getSourceFile();
  let functions = FUNCTIONS_CACHE.get(sourceFile);
  if (!functions) FUNCTIONS_CACHE.set(sourceFile, (functions = collectFunctions(sourceFile)));
  return functions.get(node.expression.text) ?? null;
}

/** All functions of the file that have their own name, by name; the last one visited if several share it. */
function collectFunctions(sourceFile: ts.SourceFile): ReadonlyMap<string, ts.Node> {
  const functions = new Map<string, ts.Node>();
  const pending: ts.Node[] = [sourceFile];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (ts.isFunctionDeclaration(node) && node.name) functions.set(node.name.text, node);
    else if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      node.initializer &&
      (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))
    )
      functions.set(node.name.text, node.initializer);
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  return functions;
}

/** By function: the result of `collectNamesWrittenBy`. */
const WRITTEN_NAMES_CACHE = new WeakMap<ts.Node, ReadonlySet<string>>();

/** Names that a function writes to, without the names that it declares itself. */
function collectNamesWrittenBy(functionNode: ts.Node): ReadonlySet<string> {
  const cached = WRITTEN_NAMES_CACHE.get(functionNode);
  if (cached) return cached;
  const [writtenNames, declaredNames] = [new Set<string>(), new Set<string>()];
  const pending: ts.Node[] = [functionNode];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isDeclaration(node) && node.name && ts.isIdentifier(node.name)) declaredNames.add(node.name.text);
    else addWrittenNames(node, writtenNames);
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  const result = new Set([...writtenNames].filter((name) => !declaredNames.has(name)));
  WRITTEN_NAMES_CACHE.set(functionNode, result);
  return result;
}

/** Adds the names that this node itself assigns, changes or passes on. */
function addWrittenNames(node: ts.Node, changedNames: Set<string>): void {
  if (isAssignment(node)) {
    addTargetNames(node.left, changedNames);
  } else if (
    (ts.isPrefixUnaryExpression(node) &&
      node.operator >= ts.SyntaxKind.PlusPlusToken &&
      node.operator <= ts.SyntaxKind.MinusMinusToken) ||
    ts.isPostfixUnaryExpression(node)
  ) {
    addTargetNames(node.operand, changedNames);
  } else if (ts.isDeleteExpression(node)) {
    addTargetNames(node.expression, changedNames);
  } else if (
    (ts.isForOfStatement(node) || ts.isForInStatement(node)) &&
    !ts.isVariableDeclarationList(node.initializer)
  ) {
    addTargetNames(node.initializer, changedNames);
  } else if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    addNamesChangedByCall(node, changedNames);
  }
}

/** Adds to `changedNames` the names of what a call may change: the receiver of its method, and its arguments. */
function addNamesChangedByCall(node: ts.CallExpression | ts.NewExpression, changedNames: Set<string>): void {
  const callee = skipParentheses(node.expression);
  const method = ts.isPropertyAccessExpression(callee) ? callee.name.text : null;
  if (
    ts.isPropertyAccessExpression(callee) &&
    method !== null &&
    (!READING_METHODS.has(method) || WRITING_METHODS.has(method)) &&
    !ts.isArrayLiteralExpression(skipParentheses(callee.expression))
  )
    addTargetNames(callee.expression, changedNames);
  if (ts.isNewExpression(node) || (method !== null && READING_METHODS.has(method))) return;
  for (const argument of node.arguments ?? []) addTargetNames(argument, changedNames);
}

/** Adds the names at the root of an assignment target: `a` for `a.b[0]`, and every name of a pattern. */
function addTargetNames(target: ts.Node, changedNames: Set<string>): void {
  let node = target;
  while (
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSpreadElement(node)
  )
    node = node.expression;
  if (ts.isIdentifier(node)) changedNames.add(node.text);
  else if (node.kind === ts.SyntaxKind.ThisKeyword) changedNames.add('this');
  else if (ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node)) {
    ts.forEachChild(node, (child) =>
      addTargetNames(
        ts.isPropertyAssignment(child)
          ? child.initializer
          : ts.isShorthandPropertyAssignment(child)
            ? child.name
            : child,
        changedNames,
      ),
    );
  }
}

/** True for a function that is the first argument of `forEach` or a similar method. */
function isEachCallback(node: ts.Node | null): boolean {
  const call = node?.parent;
  if (!node || !call || !ts.isCallExpression(call) || call.arguments[0] !== node) return false;
  return ts.isPropertyAccessExpression(call.expression) && EACH_METHODS.has(call.expression.name.text);
}

/** The function that contains a node; null at the top of a file. */
export function findFunctionAround(node: ts.Node): ts.FunctionLikeDeclaration | null {
  for (let outer = node.parent; outer; outer = outer.parent)
    if (findFunctionKind(outer)) return outer as ts.FunctionLikeDeclaration;
  return null;
}
