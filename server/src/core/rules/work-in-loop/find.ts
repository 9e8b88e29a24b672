// work-in-loop: finds loops that compile a pattern, read or write JSON, or sort a list in every iteration, with inputs
// that never change.

import { ts } from 'ts-morph';
import { runsInEveryIteration } from '../../syntax/everyIteration.ts';
import { findSourceOfSortedCopy } from '../../syntax/listCopies.ts';
import { skipParentheses } from '../../syntax/controlFlow.ts';
import { isDeveloperTool } from '../../analysis/project/conventions.ts';
import type { Finding } from '../finding.ts';
import { isKnownArray } from '../../analysis/shared/knownValues.ts';
import { isLoopInvariant, findEnclosingLoop, type LoopWithBody } from '../../analysis/shared/loops.ts';
import type { NodeFinder } from '../finders.ts';

export const finder: NodeFinder = {
  nodes: [ts.SyntaxKind.CallExpression, ts.SyntaxKind.NewExpression],
  find: findWorkInLoop,
};

/** Work that a loop may repeat. */
interface Work {
  /** The code of what is called. */
  readonly callee: string;
  /** The work of a loop, as the predicate of the message. */
  readonly action: string;
  /** The inputs. If they stay the same in the loop, so does the result. */
  readonly inputs: readonly ts.Expression[];
  readonly impact: number;
}

/**
 * Reports work that a loop repeats in every iteration, except in tools of developers, where speed does not matter.
 * `node` is a call or a `new`.
 */
function findWorkInLoop(node: ts.Node, sourceFile: ts.SourceFile): Finding | null {
  if (isDeveloperTool(sourceFile.fileName.slice(1))) return null;
  const work = findWork(node as ts.CallExpression | ts.NewExpression);
  if (!work) return null;
  const loop = findEnclosingLoop(node);
  if (
    !loop ||
    isCachedAtFirstUse(node) ||
    !runsInEveryIteration(node, loop.node) ||
    isInAssertion(node) ||
    !work.inputs.every((expression) => isLoopInvariant(expression, loop))
  )
    return null;
  const { start, end } = findLoopHead(loop, sourceFile);
  return {
    rule: 'work-in-loop',
    start: node.getStart(sourceFile),
    end: node.end,
    nameStart: node.getStart(sourceFile),
    nameEnd: (node as ts.CallExpression).expression.end,
    impact: work.impact,
    confidence: 0.75,
    message: `a loop ${work.action} on every turn, although nothing that it depends on changes: once before the loop is enough.`,
    evidence: { work: work.callee },
    recipe: 'hoist-from-loop',
    related: [{ start, end, message: 'The loop.' }],
  };
}

/** True inside an argument of an assertion, such as its message: `assert(ok, JSON.stringify(given))`. */
function isInAssertion(node: ts.Node): boolean {
  for (let inner = node; inner.parent && !ts.isStatement(inner); inner = inner.parent) {
    const call = inner.parent;
    if (
      ts.isCallExpression(call) &&
      inner !== call.expression &&
      /^(assert\w*|invariant|expect|ok|equal|deepEqual)$/.test(call.expression.getText().split('.')[0]!)
    )
      return true;
  }
  return false;
}

/**
 * True for a value that is computed at its first use and then cached: `kept ??= new RegExp(…)`, `if (!kept) kept = …`.
 */
function isCachedAtFirstUse(node: ts.Node): boolean {
  const assignment = node.parent;
  if (!ts.isBinaryExpression(assignment) || assignment.right !== node) return false;
  const { kind } = assignment.operatorToken;
  if (kind === ts.SyntaxKind.QuestionQuestionEqualsToken || kind === ts.SyntaxKind.BarBarEqualsToken) return true;
  if (kind !== ts.SyntaxKind.EqualsToken) return false;
  const cachedName = assignment.left.getText();
  for (let inner: ts.Node = assignment; inner.parent && !ts.isFunctionLike(inner); inner = inner.parent) {
    const outer = inner.parent;
    if (ts.isIfStatement(outer) && outer.thenStatement === inner && isMissing(outer.expression, cachedName))
      return true;
  }
  return false;
}

/** True for `!kept`, `kept === undefined` and `kept == null`. */
function isMissing(condition: ts.Expression, cachedName: string): boolean {
  const comparison = skipParentheses(condition);
  if (ts.isPrefixUnaryExpression(comparison))
    return comparison.operator === ts.SyntaxKind.ExclamationToken && comparison.operand.getText() === cachedName;
  return (
    ts.isBinaryExpression(comparison) &&
    /^===?$/.test(comparison.operatorToken.getText()) &&
    comparison.left.getText() === cachedName &&
    /^(undefined|null)$/.test(comparison.right.getText())
  );
}

/** The work of a call or `new`; null if it is none of the kinds that this rule knows. */
function findWork(node: ts.CallExpression | ts.NewExpression): Work | null {
  const callee = skipParentheses(node.expression);
  const values = [...(node.arguments ?? [])];
  if (ts.isIdentifier(callee))
    return callee.text === 'RegExp' && values.length > 0 && !mayHaveState(values[1])
      ? { callee: 'RegExp', action: 'compiles the same pattern', inputs: values, impact: 25 }
      : null;
  if (ts.isNewExpression(node) || !ts.isPropertyAccessExpression(callee)) return null;
  const method = callee.name.text;
  if (ts.isIdentifier(callee.expression) && callee.expression.text === 'JSON' && values.length > 0) {
    if (method === 'parse')
      return isStableValue(node)
        ? { callee: 'JSON.parse', action: 'parses the same JSON', inputs: values.slice(0, 1), impact: 30 }
        : null;
    if (method === 'stringify')
      return isReadBack(node)
        ? null
        : { callee: 'JSON.stringify', action: 'writes the same value as JSON', inputs: values.slice(0, 1), impact: 30 };
  }
  const source = findSourceOfSortedCopy(callee, method);
  const isList = source !== null && (method !== 'toSorted' || isKnownArray(source));
  return isList ? { callee: 'sort', action: 'sorts the same list', inputs: [source], impact: 30 } : null;
}

/**
 * True for flags with `g` or `y`, and for flags that are not a literal. A pattern with such a flag remembers its
 * position, so one pattern for all iterations would behave differently.
 */
function mayHaveState(flags: ts.Expression | undefined): boolean {
  return flags !== undefined && !(ts.isStringLiteralLike(flags) && !/[gy]/.test(flags.text));
}

/** True for a round trip, whose purpose is a new copy: `JSON.parse(JSON.stringify(x))`. */
function isReadBack({ parent }: ts.Node): boolean {
  return ts.isCallExpression(parent) && parent.expression.getText() === 'JSON.parse';
}

/** False for the result of a call, which may create a new copy in every iteration: `JSON.parse(JSON.stringify(x))`. */
function isStableValue(node: ts.CallExpression): boolean {
  const value = skipParentheses(node.arguments[0]!);
  return !ts.isCallExpression(value);
}

/** The offsets of the code from the start of the loop to its body; `end` is exclusive. */
function findLoopHead(loop: LoopWithBody, sourceFile: ts.SourceFile): { start: number; end: number } {
  const start = loop.node.getStart(sourceFile);
  return { start, end: Math.max(start + 1, Math.min(loop.body.getStart(sourceFile), loop.node.end)) };
}
