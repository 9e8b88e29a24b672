// The bug pattern of a list or an object that is itself the condition: it counts as true even if it is empty.

import { ts } from 'ts-morph';
import { collectNodesBelow } from '../nodesBelow.ts';
import { isCondition, isNot } from '../values.ts';
import { findOnlyValue } from './onlyValue.ts';
import { quoteCode } from './sameCode.ts';
import type { BugPatternFinder, BugPatternMatch } from './pattern.ts';

/** Patterns of a name that is a condition. */
export const alwaysTruePatterns: BugPatternFinder = { nodeKinds: [ts.SyntaxKind.Identifier], find: findAlwaysTrue };

const COLLECTION_CLASSES: ReadonlySet<string> = new Set(['Map', 'Set', 'WeakMap', 'WeakSet']);

/**
 * Finds a collection that is a condition, as in `const lines = []; … if (lines)`. In other languages an empty list
 * counts as false, in JavaScript as true. Only variables that get no other value count.
 */
function findAlwaysTrue(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const identifier = node as ts.Identifier;
  // Whether an operand is a condition is checked below, only for collections, because the chain of operands may be
  // long.
  const isOperand = ts.isBinaryExpression(identifier.parent);
  if (!isOperand && !isCondition(identifier)) return null;
  const variable = findOnlyValue(identifier, sourceFile);
  const description = variable && describeValue(variable.value);
  if (!variable || description === null || (isOperand && !isCondition(identifier)) || isUsedAfterTest(identifier))
    return null;
  return {
    name: 'always true',
    mayBeIntended: true,
    node: identifier,
    message: `${quoteCode(identifier)} is ${description}, which counts as true even if it is empty.`,
    conflicting: { node: variable.name, message: 'It gets no other value.' },
    ...(isEmptyList(variable.value) && !isNot(identifier.parent)
      ? { replacement: `${identifier.text}.length > 0` }
      : {}),
  };
}

/** A phrase for the kind of collection; null for any other value. */
function describeValue(value: ts.Expression): string | null {
  if (ts.isArrayLiteralExpression(value)) return 'a list';
  if (ts.isNewExpression(value) && ts.isIdentifier(value.expression) && COLLECTION_CLASSES.has(value.expression.text))
    return `a ${value.expression.text}`;
  return ts.isObjectLiteralExpression(value) ? 'an object' : null;
}

/** True for `[]`. A condition on a list that is empty at first probably tests whether something was added. */
function isEmptyList(value: ts.Expression): boolean {
  return ts.isArrayLiteralExpression(value) && value.elements.length === 0;
}

/**
 * True for `lines && lines.length > 0` and `lines ? lines.join() : ''`: the test of the name is needless, but harmless,
 * because the code tests or uses the list itself.
 */
function isUsedAfterTest(identifier: ts.Identifier): boolean {
  let condition: ts.Node = identifier;
  while (ts.isParenthesizedExpression(condition.parent) || isLogical(condition.parent)) condition = condition.parent;
  const { parent } = condition;
  const isChoice = ts.isConditionalExpression(parent) && parent.condition === condition;
  return [condition, ...(isChoice ? [parent.whenTrue] : [])]
    .flatMap((part) => [part, ...collectNodesBelow(part)])
    .some((node) => ts.isIdentifier(node) && node !== identifier && node.text === identifier.text);
}

function isLogical(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  return kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;
}
