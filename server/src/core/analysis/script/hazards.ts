// Counts constructs that make TypeScript and JavaScript less safe, in one walk. The ruler weighs them.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { isBareJump, isInertStatement } from '../metrics/scriptNodes.ts';
import { findUnreachableAfter } from './deadCode.ts';

/**
 * The kinds of hazards: the type `any`, `!` after a value, a type assertion, an assertion of an assertion, evaluated
 * text, a caught error that is ignored, a promise whose rejection is lost, and comments that silence the compiler for a
 * file (`uncheckedFile`), the compiler for a line (`ignoredError` and `expectedError`), or a linter.
 */
const HAZARDS = [
  'any',
  'nonNull',
  'assertion',
  'doubleAssertion',
  'dynamicCode',
  'swallowedError',
  'floatingPromise',
  'uncheckedFile',
  'ignoredError',
  'expectedError',
  'lintSilence',
] as const;
/** A kind of construct that can hide an error from the compiler, a linter or a person. */
export type Hazard = (typeof HAZARDS)[number];

/** Matches comments that silence the compiler or a linter. */
const SUPPRESSION_PATTERN =
  /@ts-nocheck|@ts-ignore|@ts-expect-error|(?:eslint|oxlint)-disable|biome-ignore|tslint:disable|deno-lint-ignore|jshint ignore|noinspection|NOSONAR|\beslint [\w/-]+: *(?:0|["']?off)/g;

const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * Starts a count. The caller passes every node that is not dead code to `visit`, and then reads `counts` and
 * `firstOffsets`.
 */
export function createHazardCount(sourceFile: ts.SourceFile): {
  visit(node: ts.Node): void;
  counts(): Readonly<Record<Hazard, number>>;
  /** The offset of the first hazard of each kind that occurs. */
  firstOffsets(): Readonly<Partial<Record<Hazard, number>>>;
} {
  const counts = Object.fromEntries(HAZARDS.map((hazard) => [hazard, 0])) as Record<Hazard, number>;
  const firsts = new Map<Hazard, number>();
  const suppressions = new Map<number, string>();
  const anyAliases = new Set<string>();
  const typeNames = new Map<string, number>();
  const count = (hazard: Hazard, node: ts.Node): void => {
    counts[hazard]++;
    if (!firsts.has(hazard)) firsts.set(hazard, node.getStart(sourceFile));
  };
  const idleFunctions = collectIdleFunctions(sourceFile);
  const isTypeScript = /\.[cm]?tsx?$/.test(sourceFile.fileName);
  for (const match of sourceFile.text.matchAll(SUPPRESSION_PATTERN)) suppressions.set(match.index, match[0]);
  return {
    visit(node) {
      const hazard = findHazard(node, idleFunctions);
      if (hazard) count(hazard, node);
      if (isTypeScript && ts.isParameter(node) && isImplicitAny(node)) count('any', node);
      if (ts.isTypeAliasDeclaration(node) && node.type.kind === ts.SyntaxKind.AnyKeyword)
        anyAliases.add(node.name.text);
      if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName))
        typeNames.set(node.typeName.text, (typeNames.get(node.typeName.text) ?? 0) + 1);
      if (suppressions.size > 0 && isText(node))
        for (const offset of suppressions.keys())
          if (offset >= node.pos && offset < node.end && offset >= node.getStart(sourceFile))
            suppressions.delete(offset);
    },
    counts() {
      const totalCounts = { ...counts };
      for (const word of suppressions.values()) totalCounts[classifySuppression(word)]++;
      for (const alias of anyAliases) totalCounts.any += typeNames.get(alias) ?? 0;
      return totalCounts;
    },
    firstOffsets() {
      const allHazards = new Map(firsts);
      for (const [offset, word] of suppressions) {
        const kind = classifySuppression(word);
        if (!allHazards.has(kind)) allHazards.set(kind, offset);
      }
      return Object.fromEntries(allHazards);
    },
  };
}

/**
 * The kind of hazard of a node; null if the node is not a hazard. `idleFunctions`: the names of functions that do
 * nothing.
 */
function findHazard(node: ts.Node, idleFunctions: ReadonlySet<string>): Hazard | null {
  switch (node.kind) {
    case ts.SyntaxKind.AnyKeyword:
      return 'any';
    case ts.SyntaxKind.NonNullExpression:
      return 'nonNull';
    case ts.SyntaxKind.AsExpression:
    case ts.SyntaxKind.TypeAssertionExpression:
      if (!isAssertion(node)) return null;
      return isAssertion(skipParentheses((node as ts.AssertionExpression).expression))
        ? 'doubleAssertion'
        : 'assertion';
    case ts.SyntaxKind.CallExpression:
    case ts.SyntaxKind.NewExpression: {
      if (isDynamicCode(node as ts.CallExpression | ts.NewExpression)) return 'dynamicCode';
      return isSwallowingHandler(node as ts.CallExpression, idleFunctions) ? 'swallowedError' : null;
    }
    case ts.SyntaxKind.TryStatement:
      return leavesFinally((node as ts.TryStatement).finallyBlock) ? 'swallowedError' : null;
    case ts.SyntaxKind.CatchClause:
      return (node as ts.CatchClause).block.statements.every((statement) => isIdle(statement, idleFunctions))
        ? 'swallowedError'
        : null;
    case ts.SyntaxKind.ExpressionStatement:
      return isFloatingPromise((node as ts.ExpressionStatement).expression) ? 'floatingPromise' : null;
    default:
      return null;
  }
}

/** True for a type assertion. `as const` does not count, because it asserts nothing about the value. */
function isAssertion(node: ts.Node): boolean {
  if (ts.isTypeAssertionExpression(node)) return true;
  return (
    ts.isAsExpression(node) &&
    !(ts.isTypeReferenceNode(node.type) && ts.isIdentifier(node.type.typeName) && node.type.typeName.text === 'const')
  );
}

/** True for a parameter whose type is neither declared nor inferred. */
function isImplicitAny({ parent, type, initializer, name }: ts.ParameterDeclaration): boolean {
  if (type || initializer || (ts.isIdentifier(name) && name.text === 'this')) return false;
  if (ts.isFunctionDeclaration(parent) || ts.isConstructorDeclaration(parent)) return true;
  if (ts.isMethodDeclaration(parent)) return ts.isClassLike(parent.parent);
  if (!ts.isArrowFunction(parent) && !ts.isFunctionExpression(parent)) return false;
  return ts.isVariableDeclaration(parent.parent) && parent.parent.type === undefined;
}

/** True for `eval('…')`, `(0, globalThis.eval)('…')`, `new Function('…')` and `setTimeout('…')`. */
function isDynamicCode(node: ts.CallExpression | ts.NewExpression): boolean {
  const name = findCalledName(node.expression);
  if (name === 'Function' || (name === 'eval' && ts.isCallExpression(node))) return true;
  const [first] = node.arguments ?? [];
  return (name === 'setTimeout' || name === 'setInterval') && first !== undefined && ts.isStringLiteralLike(first);
}

/**
 * Name of the called function, even if it is called through the global object or a comma; null if the call has another
 * form.
 */
function findCalledName(expression: ts.Expression): string | null {
  const callee = skipParentheses(expression);
  if (ts.isIdentifier(callee)) return callee.text;
  if (ts.isBinaryExpression(callee) && callee.operatorToken.kind === ts.SyntaxKind.CommaToken)
    return findCalledName(callee.right);
  if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.expression)) return null;
  return /^(globalThis|window|global|self)$/.test(callee.expression.text) ? callee.name.text : null;
}

/** True for a call whose handler of errors does nothing: `.catch(() => {})` and `.then(show, () => undefined)`. */
function isSwallowingHandler(node: ts.Node, idleFunctions: ReadonlySet<string>): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const method = node.expression.name.text;
  const handler = method === 'catch' ? node.arguments[0] : method === 'then' ? node.arguments[1] : undefined;
  if (handler && ts.isIdentifier(handler)) return idleFunctions.has(handler.text);
  if (!handler || !(ts.isArrowFunction(handler) || ts.isFunctionExpression(handler))) return false;
  if (ts.isBlock(handler.body)) return handler.body.statements.every((statement) => isIdle(statement, idleFunctions));
  const value = skipParentheses(handler.body);
  return ts.isVoidExpression(value) || (ts.isIdentifier(value) && value.text === 'undefined');
}

/** Names of functions in the file that do nothing: an error that is passed to one is swallowed. */
function collectIdleFunctions(sourceFile: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of sourceFile.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name && doesNothing(statement.body))
      names.add(statement.name.text);
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (
        !ts.isIdentifier(name) ||
        !initializer ||
        !(ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      )
        continue;
      if (doesNothing(initializer.body)) names.add(name.text);
    }
  }
  return names;
}

/** True for a body without effect: only idle statements, or the value `undefined`. */
function doesNothing(body: ts.ConciseBody | undefined): boolean {
  if (!body) return false;
  if (ts.isBlock(body)) return body.statements.every((statement) => isIdle(statement, NO_NAMES));
  const value = skipParentheses(body);
  return ts.isVoidExpression(value) || (ts.isIdentifier(value) && value.text === 'undefined');
}

/**
 * True for a statement that does nothing with an error: an inert one, a jump without a value, an alias, a call of one
 * of `idleFunctions`, an `if` whose condition is `false` or `0`, or a block of such statements.
 */
function isIdle(statement: ts.Statement, idleFunctions: ReadonlySet<string>): boolean {
  if (isInertStatement(statement) || isBareJump(statement)) return true;
  if (ts.isBlock(statement)) return statement.statements.every((inner) => isIdle(inner, idleFunctions));
  if (ts.isExpressionStatement(statement) && ts.isCallExpression(statement.expression)) {
    const { expression: called } = statement.expression;
    return ts.isIdentifier(called) && idleFunctions.has(called.text);
  }
  if (ts.isIfStatement(statement)) {
    return (
      findUnreachableAfter(statement).length > 0 &&
      (!statement.elseStatement || isIdle(statement.elseStatement, idleFunctions))
    );
  }
  if (!ts.isVariableStatement(statement)) return false;
  return statement.declarationList.declarations.every(
    ({ initializer }) => !initializer || ts.isIdentifier(initializer) || ts.isLiteralExpression(initializer),
  );
}

/** True if a statement of the `finally` block itself returns, breaks or continues, which discards a pending error. */
function leavesFinally(block: ts.Block | undefined): boolean {
  return (
    block?.statements.some(
      (statement) => ts.isReturnStatement(statement) || ts.isBreakOrContinueStatement(statement),
    ) ?? false
  );
}

/** True for a promise whose rejection would be lost: `load().then(show);`. */
function isFloatingPromise(expression: ts.Expression): boolean {
  const call = skipParentheses(expression);
  // `void` only shows that the code does not wait for the promise; it does not handle a rejection.
  if (ts.isVoidExpression(call)) return isFloatingPromise(call.expression);
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return false;
  const { name, expression: promise } = call.expression;
  if (name.text === 'finally') return isFloatingPromise(promise);
  const handler = call.arguments[1];
  return (
    name.text === 'then' &&
    call.arguments.length > 0 &&
    (handler === undefined ||
      handler.kind === ts.SyntaxKind.NullKeyword ||
      (ts.isIdentifier(handler) && handler.text === 'undefined'))
  );
}

/** True for strings, templates, regular expressions and text of JSX, in which comment marks are not comments. */
function isText(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isRegularExpressionLiteral(node) ||
    ts.isJsxText(node)
  );
}

function classifySuppression(word: string): Hazard {
  if (word === '@ts-nocheck') return 'uncheckedFile';
  if (word === '@ts-ignore') return 'ignoredError';
  return word === '@ts-expect-error' ? 'expectedError' : 'lintSilence';
}
