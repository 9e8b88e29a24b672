// Counts constructs that show whether a problem was really solved or only hidden from other measures. Hidden: values
// without a type (`script.untyped`), conditions whose result is used as a number or a text (`script.reckoned`). Solved:
// ifs that end with a jump (`script.guards`), catches that pass the error on (`script.told`), fewer loops
// (`script.loops`). `score/questionsForPerson.ts` compares the counts of both trees.

import { ts } from 'ts-morph';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { forEachNode } from './deadCode.ts';
import { isEmptyBlock } from '../../syntax/needlessParts.ts';

/** Built-in functions that return `any`, by owner; '' for functions that are called by their own name. */
const UNTYPED_CALLS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['', new Set(['Object', 'Array', 'require'])],
  ['JSON', new Set(['parse'])],
  ['Object', new Set(['create', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'getOwnPropertyDescriptors'])],
  ['Reflect', new Set(['get', 'apply', 'construct', 'getPrototypeOf', 'getOwnPropertyDescriptor'])],
]);
/** Classes whose objects hold values of type `any` if they are created without arguments and type arguments. */
const COLLECTION_CLASSES = new Set(['Array', 'Map', 'Set', 'WeakMap', 'WeakSet']);
/** Names after `typeof` that stand for a type with untyped members. */
const UNTYPED_GLOBALS = new Set(
  'JSON Reflect Object Function Array Promise Proxy console eval globalThis window'.split(' '),
);
/** Types that accept values of many kinds without checking how they are used. */
const WIDE_TYPES = new Set(['Function', 'Object', 'CallableFunction', 'NewableFunction']);
/** Members of platform types that are `any` or return it. */
const UNTYPED_MEMBERS = new Set(['json', 'data', 'detail', 'state', 'reason', 'result', 'error', 'parse']);
/** Matches names of types of the platform that have members in `UNTYPED_MEMBERS`. */
const PLATFORM_TYPE = /^(?:Body|Response|Request|History|JSON|IDBRequest|PromiseRejectedResult|\w*Event)$/;
const SyntaxKind = ts.SyntaxKind;
/** Operators whose result is true or false. */
const COMPARISON_OPERATORS = new Set([
  SyntaxKind.LessThanToken,
  SyntaxKind.GreaterThanToken,
  SyntaxKind.LessThanEqualsToken,
  SyntaxKind.GreaterThanEqualsToken,
  SyntaxKind.EqualsEqualsToken,
  SyntaxKind.ExclamationEqualsToken,
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
  SyntaxKind.InKeyword,
  SyntaxKind.InstanceOfKeyword,
]);
/** Operators that treat true as 1 and false as 0. */
const ARITHMETIC_OPERATORS = new Set([
  SyntaxKind.AsteriskToken,
  SyntaxKind.SlashToken,
  SyntaxKind.PercentToken,
  SyntaxKind.PlusToken,
  SyntaxKind.MinusToken,
  SyntaxKind.AsteriskAsteriskToken,
  SyntaxKind.AmpersandToken,
  SyntaxKind.BarToken,
  SyntaxKind.CaretToken,
  SyntaxKind.LessThanLessThanToken,
  SyntaxKind.GreaterThanGreaterThanToken,
  SyntaxKind.PlusEqualsToken,
  SyntaxKind.MinusEqualsToken,
  SyntaxKind.AsteriskEqualsToken,
  SyntaxKind.AmpersandEqualsToken,
  SyntaxKind.BarEqualsToken,
  SyntaxKind.CaretEqualsToken,
]);
/** Operators of one operand that make it a number. */
const SIGN_OPERATORS = new Set([SyntaxKind.PlusToken, SyntaxKind.MinusToken, SyntaxKind.TildeToken]);
/** Functions that convert a value to a number or a string. */
const CONVERSION_FUNCTIONS = new Set(['Number', 'String', 'BigInt', 'parseInt']);

/**
 * A count in progress. The caller passes every node to `visit`, and then reads `counts`: the number by the name of the
 * measure.
 */
interface HiddenProblemCount {
  visit(node: ts.Node): void;
  counts(): Readonly<Record<string, number>>;
}

/** Starts a count for a file. */
export function createHiddenProblemCount(sourceFile: ts.SourceFile): HiddenProblemCount {
  const castFunctions = new Set(findCastFunctions(sourceFile));
  let [untypedNodes, arithmeticConditions, guards, reportedErrors, loops] = [0, 0, 0, 0, 0];
  return {
    visit(node) {
      if (isUntyped(node, castFunctions)) untypedNodes++;
      if (isCondition(node) && isUsedAsNumber(node as ts.Expression)) arithmeticConditions++;
      if (ts.isIfStatement(node) && endsWithJump(node.thenStatement)) guards++;
      if (ts.isCatchClause(node) && passesErrorOn(node)) reportedErrors++;
      if (ts.isIterationStatement(node, false)) loops++;
    },
    counts: () => ({
      'script.untyped': untypedNodes,
      'script.reckoned': arithmeticConditions,
      'script.guards': guards,
      'script.told': reportedErrors,
      'script.loops': loops,
    }),
  };
}

/**
 * Names of the file's top-level functions that turn any value into any type: by an assertion to a type that the caller
 * names, or by a type guard that only returns true or has no statements.
 */
export function findCastFunctions(sourceFile: ts.SourceFile): readonly string[] {
  const names: string[] = [];
  for (const statement of sourceFile.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name && isCast(statement)) names.push(statement.name.text);
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer && isFunction(initializer) && isCast(initializer)) names.push(name.text);
    }
  }
  return names.sort();
}

type FunctionNode = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression;

function isFunction(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/**
 * True for a function that turns any value into any type: by an assertion to one of its type parameters, or by a type
 * guard that only returns true or has no statements.
 */
function isCast(node: FunctionNode): boolean {
  const returned = findReturnedExpression(node);
  if (node.type && ts.isTypePredicateNode(node.type))
    return returned ? returned.kind === SyntaxKind.TrueKeyword : isEmptyBlock(node.body);
  const types = new Set(node.typeParameters?.map(({ name }) => name.text));
  if (types.size === 0 || !returned || !(ts.isAsExpression(returned) || ts.isTypeAssertionExpression(returned)))
    return false;
  const { type } = returned;
  return ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && types.has(type.typeName.text);
}

/** The only expression that a function returns; null if it does more, or has no body. */
function findReturnedExpression({ body }: FunctionNode): ts.Expression | null {
  if (!body) return null;
  if (!ts.isBlock(body)) return skipParentheses(body) as ts.Expression;
  const [onlyStatement] = body.statements;
  if (
    body.statements.length !== 1 ||
    !onlyStatement ||
    !ts.isReturnStatement(onlyStatement) ||
    !onlyStatement.expression
  )
    return null;
  return skipParentheses(onlyStatement.expression) as ts.Expression;
}

/**
 * True if the type of a node is `any`, accepts everything, or was never checked, although `any` is not written there.
 */
function isUntyped(node: ts.Node, castFunctions: ReadonlySet<string>): boolean {
  switch (node.kind) {
    case SyntaxKind.CallExpression:
      return isUntypedCall(node as ts.CallExpression, castFunctions);
    case SyntaxKind.NewExpression:
      return isUntypedCollection(node as ts.NewExpression);
    case SyntaxKind.Identifier:
      return (node as ts.Identifier).text === 'arguments' && !ts.isPropertyAccessExpression(node.parent);
    case SyntaxKind.PropertyAccessExpression:
      return isUntypedProperty(node as ts.PropertyAccessExpression);
    case SyntaxKind.TypeQuery:
      return UNTYPED_GLOBALS.has(findFirstName((node as ts.TypeQueryNode).exprName));
    case SyntaxKind.TypeReference: {
      const { typeName } = node as ts.TypeReferenceNode;
      return ts.isIdentifier(typeName) && WIDE_TYPES.has(typeName.text);
    }
    case SyntaxKind.IndexedAccessType:
      return isUntypedMember(node as ts.IndexedAccessTypeNode);
    case SyntaxKind.VariableDeclaration:
      return mayBeUninitialised(node as ts.VariableDeclaration) && ts.isVariableStatement(node.parent.parent);
    case SyntaxKind.PropertyDeclaration:
      return mayBeUninitialised(node as ts.PropertyDeclaration);
    case SyntaxKind.FunctionDeclaration:
      return !(node as ts.FunctionDeclaration).body;
    case SyntaxKind.DeclareKeyword:
      return true;
    default:
      return false;
  }
}

/**
 * True for a call whose result is untyped: of a function in `castFunctions` or in `UNTYPED_CALLS`, but not `Array(…)`
 * with arguments, and of a method `json` without arguments.
 */
function isUntypedCall(
  { expression, arguments: args }: ts.CallExpression,
  castFunctions: ReadonlySet<string>,
): boolean {
  if (ts.isIdentifier(expression)) {
    if (castFunctions.has(expression.text)) return true;
    return UNTYPED_CALLS.get('')!.has(expression.text) && !(expression.text === 'Array' && args.length > 0);
  }
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const { name, expression: owner } = expression;
  if (ts.isIdentifier(owner) && UNTYPED_CALLS.get(owner.text)?.has(name.text)) return true;
  return name.text === 'json' && args.length === 0;
}

/** True for `Response['json']`. */
function isUntypedMember({ objectType, indexType }: ts.IndexedAccessTypeNode): boolean {
  return (
    ts.isTypeReferenceNode(objectType) &&
    ts.isIdentifier(objectType.typeName) &&
    PLATFORM_TYPE.test(objectType.typeName.text) &&
    ts.isLiteralTypeNode(indexType) &&
    ts.isStringLiteral(indexType.literal) &&
    UNTYPED_MEMBERS.has(indexType.literal.text)
  );
}

/** True for `new Map()` without type arguments, as in `const kept = new Map();`. */
function isUntypedCollection({ expression, arguments: args, typeArguments, parent }: ts.NewExpression): boolean {
  if (!ts.isIdentifier(expression) || !COLLECTION_CLASSES.has(expression.text)) return false;
  if ((args?.length ?? 0) > 0 || typeArguments) return false;
  return ts.isVariableDeclaration(parent) && parent.type === undefined;
}

/** True for `Row.prototype` and `rows.values().next().value`. */
function isUntypedProperty({ name, expression }: ts.PropertyAccessExpression): boolean {
  if (name.text === 'prototype') return true;
  if (name.text !== 'value' || !ts.isCallExpression(expression)) return false;
  return ts.isPropertyAccessExpression(expression.expression) && expression.expression.name.text === 'next';
}

/** True for a variable without type and value, or with a promise of a later value: `let total;`, `total!: number`. */
function mayBeUninitialised({
  type,
  initializer,
  exclamationToken,
}: ts.VariableDeclaration | ts.PropertyDeclaration): boolean {
  return exclamationToken !== undefined || (type === undefined && initializer === undefined);
}

/** `a` of `a.b.c`. */
function findFirstName(name: ts.EntityName): string {
  let leftmostName = name;
  while (ts.isQualifiedName(leftmostName)) leftmostName = leftmostName.left;
  return leftmostName.text;
}

/** True for `!x` and for comparisons. */
function isCondition(node: ts.Node): boolean {
  if (ts.isPrefixUnaryExpression(node)) return node.operator === SyntaxKind.ExclamationToken;
  return ts.isBinaryExpression(node) && COMPARISON_OPERATORS.has(node.operatorToken.kind as never);
}

/**
 * True if the result of a condition becomes a number, a string or an index. Such a condition is a branch that the
 * measures of complexity do not count.
 */
function isUsedAsNumber(condition: ts.Expression): boolean {
  let value: ts.Node = condition;
  while (isGrouping(value.parent)) value = value.parent;
  const { parent } = value;
  if (ts.isPrefixUnaryExpression(parent)) return SIGN_OPERATORS.has(parent.operator as never);
  if (ts.isBinaryExpression(parent)) return ARITHMETIC_OPERATORS.has(parent.operatorToken.kind as never);
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === value;
  return (
    ts.isCallExpression(parent) &&
    ts.isIdentifier(parent.expression) &&
    CONVERSION_FUNCTIONS.has(parent.expression.text)
  );
}

/** True for parentheses, `&&` and `||`. */
function isGrouping(node: ts.Node): boolean {
  if (ts.isParenthesizedExpression(node)) return true;
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind === SyntaxKind.AmpersandAmpersandToken || kind === SyntaxKind.BarBarToken;
}

/** True if the last statement is `return`, `throw`, `break` or `continue`. */
function endsWithJump(statement: ts.Statement): boolean {
  const lastStatement = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  if (!lastStatement) return false;
  return (
    ts.isReturnStatement(lastStatement) ||
    ts.isThrowStatement(lastStatement) ||
    ts.isBreakOrContinueStatement(lastStatement)
  );
}

/** True if the `catch` throws, or passes the error to a method (`log.warn('…', error)`). */
function passesErrorOn({ block, variableDeclaration }: ts.CatchClause): boolean {
  const name = variableDeclaration?.name;
  const caught = name && ts.isIdentifier(name) ? name.text : null;
  let isPassedOn = false;
  forEachNode(block, (node) => {
    if (ts.isThrowStatement(node)) isPassedOn = true;
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    if (node.arguments.some((argument) => ts.isIdentifier(argument) && argument.text === caught)) isPassedOn = true;
  });
  return isPassedOn;
}
