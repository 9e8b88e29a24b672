// Reads short functions in test code that use nothing but what they are given, so that another call may pass them, too.

import { ts } from 'ts-morph';

/** Maximum number of characters. Longer ones make a call hard to read. */
const MAX_LENGTH = 60;
/** Names outside of the function that always mean the same. */
const ALLOWED_GLOBALS: ReadonlySet<string> = new Set([
  'Array',
  'Boolean',
  'Math',
  'Number',
  'Object',
  'String',
  'undefined',
]);
/** Members of these that give another answer each time, or that change an object. */
const UNSTEADY_PATTERN = /\.(?:random|assign|defineProperty|defineProperties|setPrototypeOf|freeze|seal)\b/;
const K = ts.SyntaxKind;
/** Syntax that changes something, reaches outside, or is not plain JavaScript that a call can contain. */
const CHANGING_KINDS: ReadonlySet<ts.SyntaxKind> = new Set([
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
 * The text of an arrow function whose body is one expression of its parameters, without their types; null for any other
 * function, for one that changes something, and for one that is long.
 */
export function plainFunction(node: ts.Node): string | null {
  if (!ts.isArrowFunction(node) || ts.isBlock(node.body) || (node.modifiers?.length ?? 0) > 0) return null;
  const names = new Set<string>();
  const parameters: string[] = [];
  for (const { name, initializer, dotDotDotToken } of node.parameters) {
    if (initializer || dotDotDotToken || !bind(name, names)) return null;
    parameters.push(name.getText());
  }
  const [only] = node.parameters;
  const isBare = parameters.length === 1 && only && ts.isIdentifier(only.name);
  const text = `${isBare ? parameters[0] : `(${parameters.join(', ')})`} => ${node.body.getText()}`;
  const isPlain = text.length <= MAX_LENGTH && !text.includes('\n') && !UNSTEADY_PATTERN.test(text);
  // The quotes of a call are changed without parsing it.
  const isSimple = !/\/[*/]/.test(text) && !(text.includes('"') && /['`]/.test(text));
  return isPlain && isSimple && usesOnly(node.body, names) ? text : null;
}

/** Adds the names that the parameter binds. False if it has default values, or computes the names of members. */
function bind(name: ts.BindingName, names: Set<string>): boolean {
  if (ts.isIdentifier(name)) {
    names.add(name.text);
    return true;
  }
  return name.elements.every((element) => {
    if (!ts.isBindingElement(element) || element.initializer) return false;
    const isComputed = element.propertyName !== undefined && ts.isComputedPropertyName(element.propertyName);
    return !isComputed && bind(element.name, names);
  });
}

/** True if the expression reads only these names and their values, and changes nothing. */
function usesOnly(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (ts.isTypeNode(node) || ts.isFunctionLike(node) || CHANGING_KINDS.has(node.kind)) return false;
  if (ts.isBinaryExpression(node) && node.operatorToken.kind >= K.FirstAssignment) {
    if (node.operatorToken.kind <= K.LastAssignment) return false;
  }
  if (ts.isPrefixUnaryExpression(node) && [K.PlusPlusToken, K.MinusMinusToken].includes(node.operator)) return false;
  if (ts.isIdentifier(node)) {
    const { parent } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    const isKey = ts.isPropertyAssignment(parent) && parent.name === node;
    // A member whose name is computed could be `random`.
    const isComputed = ts.isElementAccessExpression(parent) && parent.expression === node;
    return isMember || isKey || names.has(node.text) || (ALLOWED_GLOBALS.has(node.text) && !isComputed);
  }
  return ts.forEachChild(node, (child) => (usesOnly(child, names) ? undefined : true)) !== true;
}
