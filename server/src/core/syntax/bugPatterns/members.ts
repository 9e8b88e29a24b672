// Bug patterns of objects and classes: the same key twice.

import { ts } from 'ts-morph';
import { isSameCode, isRepeatable } from './sameCode.ts';
import type { BugPattern, BugPatternFinder } from './pattern.ts';

/** Patterns of `{ key: value }`. */
export const objectPatterns: BugPatternFinder = { nodes: [ts.SyntaxKind.ObjectLiteralExpression], find: findInObject };

/** Patterns of the members of a class. */
export const classPatterns: BugPatternFinder = {
  nodes: [ts.SyntaxKind.ClassDeclaration, ts.SyntaxKind.ClassExpression],
  find: findInClass,
};

/** `node` is an object literal. A spread may bring the key again, so only keys of one part count. */
function findInObject(node: ts.Node, sourceFile: ts.SourceFile): BugPattern | null {
  // `({ a, a } = value)` is a pattern.
  if (ts.isBinaryExpression(node.parent) && node.parent.left === node) return null;
  let byKey = new Map<string, ts.ObjectLiteralElementLike>();
  for (const property of (node as ts.ObjectLiteralExpression).properties) {
    if (ts.isSpreadAssignment(property)) byKey = new Map();
    if (ts.isAccessor(property)) continue;
    const key = property.name && readKey(property.name);
    if (key === undefined || key === null || key === '__proto__') continue;
    const first = byKey.get(key);
    if (first) return describeKey(key, first, property, sourceFile);
    byKey.set(key, property);
  }
  return null;
}

function describeKey(
  key: string,
  first: ts.ObjectLiteralElementLike,
  second: ts.ObjectLiteralElementLike,
  sourceFile: ts.SourceFile,
): BugPattern {
  const isSame = isSameCode(first, second);
  return {
    name: 'same key twice',
    node: second,
    message: isSame
      ? `the key \`${key}\` is in this object twice, with the same value.`
      : `the key \`${key}\` is in this object twice: the first value is lost.`,
    ...(isSame && isPlain(second, sourceFile) ? { replacement: '' } : {}),
    other: { node: first, message: 'The first value of this key.' },
  };
}

/** True if the value has no effect, so that the property can go. */
function isPlain(property: ts.ObjectLiteralElementLike, sourceFile: ts.SourceFile): boolean {
  if (ts.isShorthandPropertyAssignment(property)) return true;
  return ts.isPropertyAssignment(property) && isRepeatable(property.initializer, sourceFile);
}

/** The key that a name stands for; null if it is computed. */
function readKey(name: ts.PropertyName): string | null {
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteralLike(name)) return name.text;
  return ts.isNumericLiteral(name) ? String(Number(name.text)) : null;
}

/** `node` is a class. Signatures of an overload have no body. */
function findInClass(node: ts.Node): BugPattern | null {
  const byKey = new Map<string, ts.ClassElement>();
  for (const member of (node as ts.ClassLikeDeclaration).members) {
    if (!ts.isMethodDeclaration(member) || !member.body) continue;
    const key = readKey(member.name);
    if (key === null) continue;
    const isStatic = (ts.getModifiers(member) ?? []).some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
    const first = byKey.get(`${isStatic} ${key}`);
    if (first)
      return {
        name: 'same method twice',
        node: member.name,
        message: `the method \`${key}\` is in this class twice: the first one is never called.`,
        other: { node: first.name!, message: 'The first method of this name.' },
      };
    byKey.set(`${isStatic} ${key}`, member);
  }
  return null;
}
