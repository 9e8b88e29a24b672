// Extracts short arrow functions from test code that depend only on their parameters, so that generated calls can pass
// them as arguments.

import { ts } from 'ts-morph';
import { isAssignment } from '../../syntax/values.ts';

/** Maximum number of characters. A longer function makes a call hard to read. */
const MAX_LENGTH = 60;
/** Maximum number of statements. */
const MAX_STATEMENTS = 3;
/** Globals that such a function may use. */
const ALLOWED_GLOBALS: ReadonlySet<string> = new Set([
  'Array',
  'Boolean',
  'Math',
  'Number',
  'Object',
  'String',
  'undefined',
]);
/**
 * Matches members of the allowed globals that are not deterministic or that change an object, and members that lead to
 * shared prototypes.
 */
const IMPURE_MEMBER_PATTERN =
  /\.(?:random|assign|defineProperty|defineProperties|setPrototypeOf|freeze|seal)\b|\b(?:__proto__|prototype|constructor)\b/;
const K = ts.SyntaxKind;
/** Syntax that changes something, acts outside, or cannot be part of a call in plain JavaScript. */
const DISALLOWED_KINDS: ReadonlySet<ts.SyntaxKind> = new Set([
  K.ThisKeyword,
  K.AwaitExpression,
  K.YieldExpression,
  K.NewExpression,
  K.DeleteExpression,
  K.PostfixUnaryExpression,
  K.AsExpression,
  K.NonNullExpression,
  K.SatisfiesExpression,
  K.TypeAssertionExpression,
  K.TaggedTemplateExpression,
  K.RegularExpressionLiteral,
  K.ImportKeyword,
  K.ClassExpression,
  K.JsxElement,
  K.JsxSelfClosingElement,
  K.JsxFragment,
]);

/**
 * The code of a short arrow function without types, possibly async, that depends only on its parameters. Its body is
 * one expression, or a few statements that change members of its parameters (`draft => { draft.done = true }`). Null
 * for any other function.
 */
export function findPlainFunction(node: ts.Node): string | null {
  if (!ts.isArrowFunction(node)) return null;
  const names = new Set<string>();
  const parameters: string[] = [];
  for (const { name, initializer, dotDotDotToken } of node.parameters) {
    if (initializer || dotDotDotToken || !addBoundNames(name, names)) return null;
    parameters.push(name.getText());
  }
  const [onlyParameter] = node.parameters;
  const needsNoParentheses = parameters.length === 1 && onlyParameter && ts.isIdentifier(onlyParameter.name);
  const body = ts.isBlock(node.body)
    ? formatMemberChanges(node.body, names)
    : usesOnly(node.body, names) && node.body.getText();
  if (body === null || body === false) return null;
  const text = `${node.modifiers ? 'async ' : ''}${needsNoParentheses ? parameters[0] : `(${parameters.join(', ')})`} => ${body}`;
  const fitsOnLine = text.length <= MAX_LENGTH && !text.includes('\n') && !IMPURE_MEMBER_PATTERN.test(text);
  // The caller replaces quotes in the text, which would break comments and mixed quotes.
  const isQuotable = !/\/[*/]/.test(text) && !(text.includes('"') && /['`]/.test(text));
  return fitsOnLine && isQuotable ? text : null;
}

/** True if the body of the function returns no value. */
export function returnsNothing({ body }: ts.FunctionLikeDeclaration): boolean {
  if (!body) return false;
  if (!ts.isBlock(body))
    return ts.isCallExpression(body) || (ts.isBinaryExpression(body) && body.operatorToken.kind === K.EqualsToken);
  const hasResult = (node: ts.Node): boolean =>
    (ts.isReturnStatement(node) && node.expression !== undefined) ||
    (!ts.isFunctionLike(node) && ts.forEachChild(node, (child) => hasResult(child) || undefined) === true);
  return !hasResult(body);
}

/** The block on one line, if each of its statements only changes a member of these names; otherwise null. */
function formatMemberChanges({ statements }: ts.Block, names: ReadonlySet<string>): string | null {
  if (statements.length === 0 || statements.length > MAX_STATEMENTS) return null;
  if (
    !statements.every(
      (statement) => ts.isExpressionStatement(statement) && isMemberAssignment(statement.expression, names),
    )
  )
    return null;
  const texts = statements.map((statement) => statement.getText());
  return `{ ${texts.map((text, index) => (index < texts.length - 1 ? text.replace(/;?$/, ';') : text)).join(' ')} }`;
}

/**
 * True for an assignment to a member of one of these names, for the deletion of such a member, and for `name.member++`.
 */
function isMemberAssignment(node: ts.Expression, names: ReadonlySet<string>): boolean {
  const isMember = (target: ts.Expression): boolean => {
    let root = target;
    while (ts.isPropertyAccessExpression(root) || ts.isElementAccessExpression(root)) root = root.expression;
    return root !== target && ts.isIdentifier(root) && names.has(root.text) && usesOnly(target, names);
  };
  if (ts.isBinaryExpression(node)) return isAssignment(node) && isMember(node.left) && usesOnly(node.right, names);
  if (ts.isDeleteExpression(node)) return isMember(node.expression);
  return (ts.isPostfixUnaryExpression(node) || isPrefixUpdate(node)) && isMember(node.operand);
}

/** True for `++name.member` and `--name.member`. */
function isPrefixUpdate(node: ts.Expression): node is ts.PrefixUnaryExpression {
  return ts.isPrefixUnaryExpression(node) && [K.PlusPlusToken, K.MinusMinusToken].includes(node.operator);
}

/** Adds the names that the parameter binds. False if it has default values, or computed names of members. */
function addBoundNames(name: ts.BindingName, names: Set<string>): boolean {
  if (ts.isIdentifier(name)) {
    names.add(name.text);
    return true;
  }
  return name.elements.every((element) => {
    if (!ts.isBindingElement(element) || element.initializer) return false;
    const isComputed = element.propertyName !== undefined && ts.isComputedPropertyName(element.propertyName);
    return !isComputed && addBoundNames(element.name, names);
  });
}

/** True if the expression reads only these names and their values, and changes nothing. */
function usesOnly(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (ts.isTypeNode(node) || ts.isFunctionLike(node) || DISALLOWED_KINDS.has(node.kind)) return false;
  if (isAssignment(node)) return false;
  if (ts.isExpression(node) && isPrefixUpdate(node)) return false;
  if (ts.isIdentifier(node)) {
    const { parent } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    const isKey = ts.isPropertyAssignment(parent) && parent.name === node;
    // A member with a computed name could be `random`.
    const isComputed = ts.isElementAccessExpression(parent) && parent.expression === node;
    return isMember || isKey || names.has(node.text) || (ALLOWED_GLOBALS.has(node.text) && !isComputed);
  }
  return ts.forEachChild(node, (child) => (usesOnly(child, names) ? undefined : true)) !== true;
}
