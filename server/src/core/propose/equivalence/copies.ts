// Equivalences of copies: an array in place of its copy, if no other code holds the array or if the copy is only read.

import { ts } from 'ts-morph';
import { collectDescendants } from '../syntax/locate.ts';
import type { NodeEquivalence, EquivalenceProof } from './equivalence.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';

/**
 * Accepts `v` in place of `[...v]`, `v.slice()` and `Array.from(v)` if `v` is a new array without holes. With holes
 * they would differ, because a spread replaces them by undefined.
 */
export const needlessCopy: NodeEquivalence = (old, changed, proof) => {
  if (isAsConst(old)) return false;
  const value = copySource(old, proof);
  return value !== null && isDense(value, proof) && proof.same(value, changed);
};

/**
 * Accepts `new Set(v)` in place of `new Set([...v])`, and `v.includes(x)` in place of `[...v].includes(x)`, if `v` is
 * an array: both forms only read it. The same holds for `Map`, `WeakSet`, `WeakMap` and `join`.
 */
export const needlessSpread: NodeEquivalence = (old, changed, proof) => {
  if (ts.isNewExpression(old) && ts.isNewExpression(changed)) {
    const [oldArgument, newArgument] = [old.arguments?.[0], changed.arguments?.[0]];
    const value = oldArgument && findSpread(oldArgument);
    const isSameCollection =
      ts.isIdentifier(old.expression) &&
      ts.isIdentifier(changed.expression) &&
      old.expression.text === changed.expression.text &&
      /^(Weak)?(Set|Map)$/.test(old.expression.text) &&
      isGlobal(old.expression.text, proof.oldFile);
    return (
      isSameCollection &&
      old.arguments?.length === 1 &&
      changed.arguments?.length === 1 &&
      !old.typeArguments === !changed.typeArguments &&
      value !== null &&
      value !== undefined &&
      newArgument !== undefined &&
      (proof.types?.isArray(value) ?? false) &&
      proof.same(value, newArgument)
    );
  }
  if (
    !ts.isPropertyAccessExpression(old) ||
    !ts.isPropertyAccessExpression(changed) ||
    old.name.text !== changed.name.text ||
    changed.questionDotToken ||
    !/^(join|includes)$/.test(old.name.text)
  )
    return false;
  const value = findSpread(old.expression);
  return (
    value !== null &&
    ts.isCallExpression(old.parent) &&
    old.parent.expression === old &&
    (proof.types?.isArray(value) ?? false) &&
    proof.same(value, changed.expression)
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
function copySource(node: ts.Node, proof: EquivalenceProof): ts.Expression | null {
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
