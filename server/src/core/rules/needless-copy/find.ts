// needless-copy: finds copies of a value that was just created, or that the receiver copies anyway. Also finds the
// copies of the rule growing-copy, which copy a whole list or record to add one element.

import { ts } from 'ts-morph';
import { mayChangeState } from '../../syntax/callbackEffects.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { isDeveloperTool } from '../../analysis/project/conventions.ts';
import type { Finding } from '../finding.ts';
import { findCopyInLoop, findCopyInReduce } from '../growing-copy/find.ts';
import { isCertainlyNewArray, isNewArray, isKnownArray, isLikelyArray } from '../../analysis/shared/knownValues.ts';
import type { NodeFinder } from '../finders.ts';
import { findOnlySpread } from '../../syntax/listCopies.ts';

export const finder: NodeFinder = {
  nodes: [
    ts.SyntaxKind.ArrayLiteralExpression,
    ts.SyntaxKind.ObjectLiteralExpression,
    ts.SyntaxKind.CallExpression,
    ts.SyntaxKind.NewExpression,
    ts.SyntaxKind.ElementAccessExpression,
    ts.SyntaxKind.PropertyAccessExpression,
  ],
  find: findNeedlessCopy,
};

/**
 * Reports a copy, except in tools of developers, where speed does not matter. `node` is an array or object literal, a
 * call, a `new`, or an access to an element or property.
 */
function findNeedlessCopy(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  const copy = findCopy(node as ts.Expression);
  if (!copy || isDeveloperTool(sourceFile.fileName.slice(1))) return null;
  const start = node.getStart(sourceFile);
  return {
    rule: copy.isGrowing ? 'growing-copy' : 'needless-copy',
    start,
    end: node.end,
    nameStart: start,
    nameEnd: Math.min(node.end, Math.max(start + 1, copy.value.getStart(sourceFile))),
    impact: copy.isGrowing ? 35 : 12,
    confidence: 0.7,
    message: copy.message,
    evidence: { pattern: copy.pattern },
    recipe: copy.isUncertain && isUntyped(sourceFile) ? null : 'remove-copy',
  };
}

/** True for JavaScript without types in comments, where the compiler rarely knows that a parameter is a list. */
function isUntyped({ fileName, text }: ts.SourceFile): boolean {
  return /\.[cm]?jsx?$/.test(fileName) && !/@(?:param|type|returns?)\s*\{/.test(text);
}

/** A copy that is not needed. */
interface Copy {
  /** The kind of copy, for the evidence. */
  readonly pattern: string;
  /** The range that editors underline ends where this node starts. */
  readonly value: ts.Node;
  readonly message: string;
  /** Set if only names suggest that the value is a list. Without types, the recipe then refuses. */
  readonly isUncertain?: boolean;
  /** Set if the work grows with the square of the input. */
  readonly isGrowing?: boolean;
}

/** The needless copy that an expression makes; null if it makes none. */
function findCopy(node: ts.Expression): Copy | null {
  const growingCopy = findCopyInReduce(node) ?? findCopyInLoop(node);
  if (growingCopy) return { ...growingCopy, isGrowing: true };
  if (ts.isArrayLiteralExpression(node)) return findSpreadOfNewArray(node);
  if (ts.isObjectLiteralExpression(node)) return findSpreadOfLiteral(node);
  if (ts.isNewExpression(node)) return findCopyIntoCollection(node);
  if (ts.isElementAccessExpression(node) || ts.isPropertyAccessExpression(node)) return findFilteredList(node);
  return ts.isCallExpression(node) ? findCopyByCall(node) : null;
}

/** Finds `[...items.map(f)]`, unless another pattern examines it (`isExaminedElsewhere`). */
function findSpreadOfNewArray(node: ts.ArrayLiteralExpression): Copy | null {
  const value = findOnlySpread(node);
  if (!value || isExaminedElsewhere(node)) return null;
  return isNewArray(value)
    ? {
        pattern: 'spread of a new array',
        value,
        isUncertain: !isCertainlyNewArray(value),
        message: 'a new array is spread into another array: the first can be used as it is.',
      }
    : null;
}

/** Finds a literal that is spread into another one: `{ ...{ a: 1 } }`. */
function findSpreadOfLiteral(node: ts.ObjectLiteralExpression): Copy | null {
  for (const property of node.properties) {
    if (!ts.isSpreadAssignment(property)) continue;
    const value = skipParentheses(property.expression);
    if (ts.isObjectLiteralExpression(value) && value.properties.length > 0)
      return {
        pattern: 'spread of a literal',
        value,
        message: 'an object literal is spread: its properties can be written directly.',
      };
  }
  return null;
}

/** Finds `new Set([...items])`: the constructor reads any iterable. */
function findCopyIntoCollection(node: ts.NewExpression): Copy | null {
  if (
    !ts.isIdentifier(node.expression) ||
    !/^(Weak)?(Set|Map)$/.test(node.expression.text) ||
    node.arguments?.length !== 1
  )
    return null;
  const argument = skipParentheses(node.arguments[0]!);
  const value = ts.isArrayLiteralExpression(argument) ? findOnlySpread(argument) : null;
  return value
    ? {
        pattern: 'spread into a collection',
        value,
        isUncertain: !isCertainlyNewArray(value) && !isKnownArray(value),
        message: `a spread into \`new ${node.expression.text}\`, which copies its argument: the spread makes one copy too many.`,
      }
    : null;
}

/**
 * Finds a list of all matches that is created only to read its first element or to test whether it is empty:
 * `items.filter(f)[0]`, `items.filter(f).length > 0`.
 */
function findFilteredList(node: ts.ElementAccessExpression | ts.PropertyAccessExpression): Copy | null {
  const filterCall = skipParentheses(node.expression);
  if (
    !ts.isCallExpression(filterCall) ||
    filterCall.arguments.length !== 1 ||
    !ts.isPropertyAccessExpression(filterCall.expression) ||
    filterCall.expression.name.text !== 'filter' ||
    !isLikelyArray(skipParentheses(filterCall.expression.expression))
  )
    return null;
  if (!isLikelyPredicate(skipParentheses(filterCall.arguments[0]!))) return null;
  const value = filterCall.expression.name;
  if (ts.isElementAccessExpression(node)) {
    const index = skipParentheses(node.argumentExpression);
    return ts.isNumericLiteral(index) && index.text === '0' && !isAssigned(node)
      ? {
          pattern: 'filter for the first',
          value,
          isUncertain: !isCertainlyNewArray(filterCall),
          message: 'a list of all matches is made to take the first: `find` stops at it.',
        }
      : null;
  }
  return node.name.text === 'length' && testsForEmptiness(node)
    ? {
        pattern: 'filter for any',
        value,
        isUncertain: !isCertainlyNewArray(filterCall),
        message: 'a list of all matches is made to test whether there is one: `some` stops at the first.',
      }
    : null;
}

/** True for a function expression that changes nothing, and for `Boolean`. */
function isLikelyPredicate(value: ts.Expression): boolean {
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return !mayChangeState(value);
  return ts.isIdentifier(value) && value.text === 'Boolean';
}

/** True for the target of `=` or `delete`. */
function isAssigned(node: ts.Node): boolean {
  const { parent } = node;
  return (
    (ts.isBinaryExpression(parent) &&
      parent.left === node &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) ||
    ts.isDeleteExpression(parent)
  );
}

/** True for `> 0`, `=== 0`, `!== 0` (also `==`, `!=`), `>= 1` and `< 1`, for `!length` and for `if (length)`. */
function testsForEmptiness(length: ts.Expression): boolean {
  const { parent } = length;
  if (ts.isPrefixUnaryExpression(parent)) return parent.operator === ts.SyntaxKind.ExclamationToken;
  if (ts.isIfStatement(parent)) return true;
  if (!ts.isBinaryExpression(parent) || parent.left !== length || !ts.isNumericLiteral(parent.right)) return false;
  const operator = parent.operatorToken.getText();
  return parent.right.text === '0'
    ? ['>', '===', '==', '!==', '!='].includes(operator)
    : parent.right.text === '1' && ['>=', '<'].includes(operator);
}

/**
 * Finds copies that are made by a call of `Array.from`, `JSON.parse`, `Object.assign` or `slice`, and spreads before a
 * call of a method that only reads the array, such as `includes`.
 */
function findCopyByCall(node: ts.CallExpression): Copy | null {
  const callee = node.expression;
  if (!ts.isPropertyAccessExpression(callee)) return null;
  const method = callee.name.text;
  const owner = ts.isIdentifier(callee.expression) ? callee.expression.text : null;
  const [first, second] = node.arguments;
  if (
    owner === 'Array' &&
    method === 'from' &&
    node.arguments.length === 1 &&
    first &&
    isNewArray(skipParentheses(first))
  ) {
    return {
      pattern: 'Array.from of a new array',
      value: first,
      isUncertain: !isCertainlyNewArray(skipParentheses(first)),
      message: 'a new array is copied by `Array.from`: it can be used as it is.',
    };
  }
  if (owner === 'JSON' && method === 'parse' && first && node.arguments.length === 1) {
    const inner = findStringifyArgument(skipParentheses(first));
    if (
      inner &&
      (ts.isObjectLiteralExpression(inner) || ts.isArrayLiteralExpression(inner)) &&
      !containsNonLiterals(inner)
    )
      return {
        pattern: 'JSON round trip',
        value: inner,
        message: 'a new literal is written as JSON and read back: it is already a copy.',
      };
  }
  if (
    owner === 'Object' &&
    method === 'assign' &&
    node.arguments.length === 2 &&
    first &&
    second &&
    isEmptyObject(first) &&
    ts.isObjectLiteralExpression(skipParentheses(second))
  ) {
    return {
      pattern: 'Object.assign of a literal',
      value: second,
      message: 'an object literal is copied by `Object.assign`: the literal is one already.',
    };
  }
  const source = skipParentheses(callee.expression);
  if (method === 'slice' && node.arguments.length === 0 && isNewArray(source) && !isSortedNext(node)) {
    return {
      pattern: 'slice of a new array',
      value: callee.name,
      isUncertain: !isCertainlyNewArray(source),
      message: 'a new array is copied by `slice()`: it can be used as it is.',
    };
  }
  if (['slice', 'concat', 'includes', 'indexOf', 'join'].includes(method) && ts.isArrayLiteralExpression(source)) {
    const value = findOnlySpread(source);
    if (value && isKnownArray(value))
      return {
        pattern: `copy before ${method}`,
        value,
        message: `a copy before \`${method}\`, which leaves the array alone.`,
      };
  }
  return null;
}

/**
 * True for `items.filter(f).slice().sort()`. Linters that forbid changing an array in place require the copy
 * (`fp/no-mutating-methods`), so it is intended.
 */
function isSortedNext(copy: ts.CallExpression): boolean {
  const { parent } = copy;
  return (
    ts.isPropertyAccessExpression(parent) &&
    ts.isCallExpression(parent.parent) &&
    parent.parent.expression === parent &&
    ['sort', 'reverse'].includes(parent.name.text)
  );
}

/** True for an argument of `new` or of `Array.from`, which other patterns examine. */
function isExaminedElsewhere(node: ts.ArrayLiteralExpression): boolean {
  const { parent } = node;
  return (
    ts.isNewExpression(parent) ||
    (ts.isCallExpression(parent) &&
      ts.isPropertyAccessExpression(parent.expression) &&
      parent.expression.getText() === 'Array.from')
  );
}

/** `x` in `JSON.stringify(x)`; null for anything else. */
function findStringifyArgument(value: ts.Expression): ts.Expression | null {
  if (!ts.isCallExpression(value) || value.arguments.length !== 1 || !ts.isPropertyAccessExpression(value.expression))
    return null;
  const { expression, name } = value.expression;
  return ts.isIdentifier(expression) && expression.text === 'JSON' && name.text === 'stringify'
    ? skipParentheses(value.arguments[0]!)
    : null;
}

/**
 * True if an element or the value of a property is not a literal. Only the round trip through JSON makes a deep copy of
 * such a value.
 */
function containsNonLiterals(literal: ts.ObjectLiteralExpression | ts.ArrayLiteralExpression): boolean {
  const parts: readonly ts.Node[] = ts.isObjectLiteralExpression(literal) ? literal.properties : literal.elements;
  return !parts.every((part) => {
    const value = ts.isPropertyAssignment(part) ? part.initializer : part;
    return (
      ts.isLiteralExpression(value) ||
      value.kind === ts.SyntaxKind.TrueKeyword ||
      value.kind === ts.SyntaxKind.FalseKeyword ||
      value.kind === ts.SyntaxKind.NullKeyword
    );
  });
}

function isEmptyObject(node: ts.Expression): boolean {
  return ts.isObjectLiteralExpression(node) && node.properties.length === 0;
}
