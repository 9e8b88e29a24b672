// needless-copy: copying a value that was made a moment ago, or that the receiver copies anyway.

import { ts } from 'ts-morph';
import { skipParentheses } from '../metrics/scriptNodes.ts';
import { resolveLocal } from '../script/bindings.ts';
import type { Finding } from './finding.ts';

/** `node` is an array or object literal, a call or a `new`. */
export function needlessCopy(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const copied = copyOf(node as ts.Expression);
  if (!copied) return null;
  const start = node.getStart(sourceFile);
  return {
    rule: 'needless-copy',
    start,
    end: node.end,
    nameStart: start,
    nameEnd: Math.min(node.end, Math.max(start + 1, copied.value.getStart(sourceFile))),
    impact: 12,
    confidence: 0.7,
    message: copied.message,
    evidence: { pattern: copied.pattern },
    recipe: null,
  };
}

interface Copy {
  readonly pattern: string;
  readonly value: ts.Node;
  readonly message: string;
}

function copyOf(node: ts.Expression): Copy | null {
  if (ts.isArrayLiteralExpression(node)) return spreadOfFreshArray(node);
  if (ts.isObjectLiteralExpression(node)) return spreadOfLiteral(node);
  if (ts.isNewExpression(node)) return intoCollection(node);
  return ts.isCallExpression(node) ? byCall(node) : null;
}

/** `[...items.map(f)]` */
function spreadOfFreshArray(node: ts.ArrayLiteralExpression): Copy | null {
  const value = onlySpread(node);
  if (!value || isConsumed(node)) return null;
  return isFreshArray(value) ? { pattern: 'spread of a new array', value, message: 'This spreads a new array into another one: the first can be used as it is.' } : null;
}

/** `{ ...{ a: 1 } }` */
function spreadOfLiteral(node: ts.ObjectLiteralExpression): Copy | null {
  for (const property of node.properties) {
    if (!ts.isSpreadAssignment(property)) continue;
    const value = skipParentheses(property.expression);
    if (ts.isObjectLiteralExpression(value) && value.properties.length > 0) return { pattern: 'spread of a literal', value, message: 'This spreads an object literal: its properties can be written directly.' };
  }
  return null;
}

/** `new Set([...items])`: the constructor reads any iterable. */
function intoCollection(node: ts.NewExpression): Copy | null {
  if (!ts.isIdentifier(node.expression) || !/^(Weak)?(Set|Map)$/.test(node.expression.text) || node.arguments?.length !== 1) return null;
  const argument = skipParentheses(node.arguments[0]!);
  const value = ts.isArrayLiteralExpression(argument) ? onlySpread(argument) : null;
  return value ? { pattern: 'spread into a collection', value, message: `\`new ${node.expression.text}\` copies what it is given: the spread makes one copy too many.` } : null;
}

function byCall(node: ts.CallExpression): Copy | null {
  const callee = node.expression;
  if (!ts.isPropertyAccessExpression(callee)) return null;
  const method = callee.name.text;
  const owner = ts.isIdentifier(callee.expression) ? callee.expression.text : null;
  const [first, second] = node.arguments;
  if (owner === 'Array' && method === 'from' && node.arguments.length === 1 && first && isFreshArray(skipParentheses(first))) {
    return { pattern: 'Array.from of a new array', value: first, message: '`Array.from` copies an array that was just made: it can be used as it is.' };
  }
  if (owner === 'JSON' && method === 'parse' && first && node.arguments.length === 1) {
    const inner = stringified(skipParentheses(first));
    if (inner && (ts.isObjectLiteralExpression(inner) || ts.isArrayLiteralExpression(inner)) && !holdsValues(inner)) return { pattern: 'JSON round trip', value: inner, message: 'This writes a new literal as JSON and reads it back: it is already a copy.' };
  }
  if (owner === 'Object' && method === 'assign' && node.arguments.length === 2 && first && second && isEmptyObject(first) && ts.isObjectLiteralExpression(skipParentheses(second))) {
    return { pattern: 'Object.assign of a literal', value: second, message: '`Object.assign` copies an object literal into a new object: the literal is one already.' };
  }
  const source = skipParentheses(callee.expression);
  if (method === 'slice' && node.arguments.length === 0 && isFreshArray(source)) {
    return { pattern: 'slice of a new array', value: callee.name, message: '`slice()` copies an array that was just made: it can be used as it is.' };
  }
  if (['slice', 'concat', 'includes', 'indexOf', 'join'].includes(method) && ts.isArrayLiteralExpression(source)) {
    const value = onlySpread(source);
    if (value && isKnownArray(value)) return { pattern: `copy before ${method}`, value, message: `\`${method}\` leaves the array alone: there is no need to copy it first.` };
  }
  return null;
}

/** Expressions that give an array which nobody else holds. Methods that strings and iterators share are left out. */
function isFreshArray(value: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(value)) return true;
  if (!ts.isCallExpression(value) || !ts.isPropertyAccessExpression(value.expression)) return false;
  const method = value.expression.name.text;
  const source = value.expression.expression;
  if (ts.isIdentifier(source)) {
    if (source.text === 'Object') return ['keys', 'values', 'entries', 'getOwnPropertyNames'].includes(method);
    if (source.text === 'Array') return method === 'from' || method === 'of';
  }
  if (method === 'split') return value.arguments.length > 0;
  return ['map', 'filter', 'flatMap'].includes(method) && value.arguments.length > 0 && isLikelyArray(skipParentheses(source));
}

/** A receiver of `map` that is an array, not an iterator (they share the method) or the answer of some call. */
function isLikelyArray(source: ts.Expression): boolean {
  if (isFreshArray(source) || isKnownArray(source)) return true;
  const name = ts.isIdentifier(source) ? source.text : ts.isPropertyAccessExpression(source) ? source.name.text : null;
  return name !== null && !/iter|generat|stream|query|collection|set$|map$/i.test(name);
}

/** A name whose declaration in this file says that it is an array. */
function isKnownArray(value: ts.Expression): boolean {
  if (!ts.isIdentifier(value)) return false;
  const declaration = resolveLocal(value)?.symbol.valueDeclaration;
  if (!declaration || !(ts.isVariableDeclaration(declaration) || ts.isParameter(declaration)) || !ts.isIdentifier(declaration.name)) return false;
  const { type, initializer } = declaration;
  if (type) return isArrayType(type);
  return ts.isVariableDeclaration(declaration) && (declaration.parent.flags & ts.NodeFlags.Const) !== 0 && initializer !== undefined && isFreshArray(skipParentheses(initializer));
}

function isArrayType(type: ts.TypeNode): boolean {
  if (ts.isArrayTypeNode(type) || ts.isTupleTypeNode(type)) return true;
  if (ts.isTypeOperatorNode(type)) return isArrayType(type.type);
  return ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && (type.typeName.text === 'Array' || type.typeName.text === 'ReadonlyArray');
}

function onlySpread(node: ts.ArrayLiteralExpression): ts.Expression | null {
  const [only] = node.elements;
  return node.elements.length === 1 && only && ts.isSpreadElement(only) ? skipParentheses(only.expression) : null;
}

/** The literal stands where another pattern already reports it. */
function isConsumed(node: ts.ArrayLiteralExpression): boolean {
  const { parent } = node;
  return ts.isNewExpression(parent) || (ts.isCallExpression(parent) && ts.isPropertyAccessExpression(parent.expression) && parent.expression.getText() === 'Array.from');
}

function stringified(value: ts.Expression): ts.Expression | null {
  if (!ts.isCallExpression(value) || value.arguments.length !== 1 || !ts.isPropertyAccessExpression(value.expression)) return null;
  const { expression, name } = value.expression;
  return ts.isIdentifier(expression) && expression.text === 'JSON' && name.text === 'stringify' ? skipParentheses(value.arguments[0]!) : null;
}

/** A literal around other values is a deep copy of them only after the round trip. */
function holdsValues(literal: ts.ObjectLiteralExpression | ts.ArrayLiteralExpression): boolean {
  const parts: readonly ts.Node[] = ts.isObjectLiteralExpression(literal) ? literal.properties : literal.elements;
  return !parts.every((part) => {
    const value = ts.isPropertyAssignment(part) ? part.initializer : part;
    return ts.isLiteralExpression(value) || value.kind === ts.SyntaxKind.TrueKeyword || value.kind === ts.SyntaxKind.FalseKeyword || value.kind === ts.SyntaxKind.NullKeyword;
  });
}

function isEmptyObject(node: ts.Expression): boolean {
  return ts.isObjectLiteralExpression(node) && node.properties.length === 0;
}
