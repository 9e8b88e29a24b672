// Bug patterns of objects and classes: a key or a method that occurs twice.

import { ts } from 'ts-morph';
import { hasSideEffects } from '../sideEffects.ts';
import { isSameCode, isRepeatable } from './sameCode.ts';
import type { BugPatternMatch, BugPatternFinder } from './pattern.ts';
import { hasModifier } from '../declarations/modifiers.ts';

/** Patterns of `{ key: value }`. */
export const objectPatterns: BugPatternFinder = {
  nodeKinds: [ts.SyntaxKind.ObjectLiteralExpression],
  find: findRepeatedKey,
};

/** Patterns of the members of a class. */
export const classPatterns: BugPatternFinder = {
  nodeKinds: [ts.SyntaxKind.ClassDeclaration, ts.SyntaxKind.ClassExpression],
  find: findRepeatedMethod,
};

/**
 * Finds a key that occurs twice. A spread or a computed key may set any key, so keys before one are not compared with
 * keys after it. `node` is an object literal.
 */
function findRepeatedKey(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  // `({ a, a } = value)` is a pattern.
  if (ts.isBinaryExpression(node.parent) && node.parent.left === node) return null;
  const memberByKey = new Map<string, ts.ObjectLiteralElementLike>();
  for (const property of (node as ts.ObjectLiteralExpression).properties) {
    const key = property.name ? readKey(property.name) : null;
    if (key === null) memberByKey.clear();
    else if (ts.isAccessor(property)) memberByKey.delete(key);
    else if (key !== '__proto__') {
      const first = memberByKey.get(key);
      if (first) return describeRepeatedKey(key, first, property, sourceFile);
      memberByKey.set(key, property);
    }
  }
  return null;
}

/**
 * The pattern of a key that occurs twice in an object literal. It has a fix if both values are the same and one can be
 * removed.
 */
function describeRepeatedKey(
  key: string,
  first: ts.ObjectLiteralElementLike,
  second: ts.ObjectLiteralElementLike,
  sourceFile: ts.SourceFile,
): BugPatternMatch {
  const isSame = isSameCode(first, second);
  return {
    name: 'same key twice',
    node: second,
    message: isSame
      ? `the key \`${key}\` is in this object twice, with the same value.`
      : `the key \`${key}\` is in this object twice: the first value is lost.`,
    ...(isSame && isRemovable(second, first, sourceFile) ? { replacement: '' } : {}),
    conflicting: { node: first, message: 'The first value of this key.' },
  };
}

/**
 * True if the second property can be removed: computing its value has no effect, and no property between the two has
 * one.
 */
function isRemovable(
  property: ts.ObjectLiteralElementLike,
  first: ts.ObjectLiteralElementLike,
  sourceFile: ts.SourceFile,
): boolean {
  if (ts.isPropertyAssignment(property) && !isRepeatable(property.initializer, sourceFile)) return false;
  if (!ts.isPropertyAssignment(property) && !ts.isShorthandPropertyAssignment(property)) return false;
  const { properties } = property.parent;
  const propertiesBetween = properties.slice(properties.indexOf(first) + 1, properties.indexOf(property));
  return propertiesBetween.every(
    (other) => !ts.isPropertyAssignment(other) || !hasSideEffects(sourceFile, other.initializer),
  );
}

/** The key that a name denotes; null if it is computed. */
function readKey(name: ts.PropertyName): string | null {
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteralLike(name)) return name.text;
  return ts.isNumericLiteral(name) ? String(Number(name.text)) : null;
}

/**
 * Finds a method that occurs twice in a class (`node`). Signatures of an overload have no body, so they do not count.
 */
function findRepeatedMethod(node: ts.Node): BugPatternMatch | null {
  const memberByKey = new Map<string, ts.ClassElement>();
  for (const member of (node as ts.ClassLikeDeclaration).members) {
    if (!ts.isMethodDeclaration(member) || !member.body) continue;
    const key = readKey(member.name);
    if (key === null) continue;
    const isStatic = hasModifier(member, ts.SyntaxKind.StaticKeyword);
    const first = memberByKey.get(`${isStatic} ${key}`);
    if (first)
      return {
        name: 'same method twice',
        node: member.name,
        message: `the method \`${key}\` is in this class twice: the first one is never called.`,
        conflicting: { node: first.name!, message: 'The first method of this name.' },
      };
    memberByKey.set(`${isStatic} ${key}`, member);
  }
  return null;
}
