// Equivalences of copies: an array in place of its copy, if no other code holds the array or if the copy is only read.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import type { NodeEquivalence, EquivalenceProof } from './equivalence.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

/**
 * Accepts `v` in place of `[...v]`, `v.slice()` and `Array.from(v)` if `v` is a new array without holes. With holes
 * they would differ, because a spread replaces them by undefined.
 */
export const needlessCopy: NodeEquivalence = (oldNode, changedNode, proof) => {
  if (isAsConst(oldNode)) return false;
  const value = findCopySource(oldNode, proof);
  return value !== null && isDense(value, proof) && proof.isSame(value, changedNode);
};

/**
 * Accepts `new Set(v)` in place of `new Set([...v])`, and `v.includes(x)` in place of `[...v].includes(x)`, if `v` is
 * an array, because both forms only read it. Also accepts this for `Map`, `WeakSet`, `WeakMap` and `join`.
 */
export const needlessSpread: NodeEquivalence = (oldNode, changedNode, proof) => {
  if (ts.isNewExpression(oldNode) && ts.isNewExpression(changedNode)) {
    const [oldArgument, newArgument] = [oldNode.arguments?.[0], changedNode.arguments?.[0]];
    const value = oldArgument && findSpread(oldArgument);
    const isSameCollection =
      ts.isIdentifier(oldNode.expression) &&
      ts.isIdentifier(changedNode.expression) &&
      oldNode.expression.text === changedNode.expression.text &&
      /^(Weak)?(Set|Map)$/.test(oldNode.expression.text) &&
      isGlobal(oldNode.expression.text, proof.oldFile);
    return (
      isSameCollection &&
      oldNode.arguments?.length === 1 &&
      changedNode.arguments?.length === 1 &&
      !oldNode.typeArguments === !changedNode.typeArguments &&
      value !== null &&
      value !== undefined &&
      newArgument !== undefined &&
      (proof.types?.isArray(value) ?? false) &&
      proof.isSame(value, newArgument)
    );
  }
  if (
    !ts.isPropertyAccessExpression(oldNode) ||
    !ts.isPropertyAccessExpression(changedNode) ||
    oldNode.name.text !== changedNode.name.text ||
    changedNode.questionDotToken ||
    !/^(join|includes)$/.test(oldNode.name.text)
  )
    return false;
  const value = findSpread(oldNode.expression);
  return (
    value !== null &&
    ts.isCallExpression(oldNode.parent) &&
    oldNode.parent.expression === oldNode &&
    (proof.types?.isArray(value) ?? false) &&
    proof.isSame(value, changedNode.expression)
  );
};

/** Finds the `v` in `[...v]`; null for other expressions. */
function findSpread(node: ts.Expression): ts.Expression | null {
  const literal = skipParentheses(node);
  const [onlyElement] = ts.isArrayLiteralExpression(literal) ? literal.elements : [];
  return ts.isArrayLiteralExpression(literal) &&
    literal.elements.length === 1 &&
    onlyElement &&
    ts.isSpreadElement(onlyElement)
    ? skipParentheses(onlyElement.expression)
    : null;
}

/** Finds the `v` in `[...v]`, `v.slice()` and `Array.from(v)`; null for other nodes. */
function findCopySource(node: ts.Node, proof: EquivalenceProof): ts.Expression | null {
  if (ts.isArrayLiteralExpression(node)) return findSpread(node);
  if (!ts.isCallExpression(node) || ts.isOptionalChain(node) || !ts.isPropertyAccessExpression(node.expression))
    return null;
  const { expression, name } = node.expression;
  if (name.text === 'slice' && node.arguments.length === 0) return skipParentheses(expression);
  const [source] = node.arguments;
  return name.text === 'from' &&
    source &&
    node.arguments.length === 1 &&
    ts.isIdentifier(expression) &&
    expression.text === 'Array' &&
    isGlobal('Array', proof.oldFile)
    ? skipParentheses(source)
    : null;
}

/** True for an expression that certainly returns a new array without holes. */
function isDense(value: ts.Expression, proof: EquivalenceProof): boolean {
  if (ts.isArrayLiteralExpression(value)) return value.elements.every((element) => !ts.isOmittedExpression(element));
  if (!ts.isCallExpression(value) || ts.isOptionalChain(value) || !ts.isPropertyAccessExpression(value.expression))
    return false;
  const { expression: owner, name } = value.expression;
  if (
    ts.isIdentifier(owner) &&
    (owner.text === 'Object' || owner.text === 'Array') &&
    isGlobal(owner.text, proof.oldFile)
  )
    return owner.text === 'Object'
      ? /^(keys|values|entries|getOwnPropertyNames)$/.test(name.text)
      : /^(from|of)$/.test(name.text);
  if (value.arguments.length === 0) return false;
  if (name.text === 'split') return proof.types?.isString(owner) ?? false;
  if (name.text === 'filter' || name.text === 'flatMap') return proof.types?.isArray(owner) ?? false;
  return name.text === 'map' && (proof.types?.isArray(owner) ?? false) && isDense(skipParentheses(owner), proof);
}

function isAsConst(node: ts.Node): boolean {
  const parent: ts.Node | undefined = node.parent;
  return parent !== undefined && ts.isAsExpression(parent) && parent.type.getText() === 'const';
}

/** True if no declaration in the file has the name. */
function isGlobal(name: string, sourceFile: ts.SourceFile): boolean {
  return !collectDescendants(sourceFile).some(
    (node) =>
      ts.isIdentifier(node) &&
      node.text === name &&
      'name' in node.parent &&
      node.parent.name === node &&
      !ts.isPropertyAccessExpression(node.parent),
  );
}
