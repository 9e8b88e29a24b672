// The bug pattern of a regular expression with a memory: with the flag `g` or `y`, `test` continues where it ended last.

import { ts } from 'ts-morph';
import { collectNodesBelow } from '../nodesBelow.ts';
import { findOnlyValue } from './onlyValue.ts';
import { quoteCode } from './sameCode.ts';
import type { BugPatternFinder, BugPatternMatch } from './pattern.ts';

/** Patterns of `PATTERN.test(text)`. */
export const statefulPatterns: BugPatternFinder = { nodes: [ts.SyntaxKind.CallExpression], find: findStatefulTest };

/**
 * `const WORD = /x/g; … WORD.test(text)` in a function: after a match, the next call begins behind it, in another text.
 * Not in a loop that asks again and again, and not if the file handles `lastIndex`.
 */
function findStatefulTest(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const call = node as ts.CallExpression;
  if (!ts.isPropertyAccessExpression(call.expression) || call.expression.name.text !== 'test') return null;
  const pattern = call.expression.expression;
  if (!ts.isIdentifier(pattern)) return null;
  const variable = findOnlyValue(pattern, sourceFile);
  if (!variable || !ts.isRegularExpressionLiteral(variable.value)) return null;
  const flags = variable.value.text.slice(variable.value.text.lastIndexOf('/') + 1);
  if (!/[gy]/.test(flags) || !isCalledAgain(call, variable.name) || isAskedInLoop(call)) return null;
  if (readsMemory(pattern.text, sourceFile)) return null;
  return {
    name: 'pattern with a memory',
    mayBeIntended: true,
    node: call,
    message: `after a match, the next ${quoteCode(call.expression)} begins behind it, because the flag \`${flags.match(/[gy]/)![0]}\` keeps the place.`,
    conflicting: { node: variable.value, message: 'The regular expression is made once, for all calls.' },
  };
}

/** True if the call is in a function, and the variable outside of it. */
function isCalledAgain(call: ts.Node, name: ts.Identifier): boolean {
  const enclosing = ts.findAncestor(call, ts.isFunctionLike);
  return enclosing !== undefined && !(name.pos >= enclosing.pos && name.end <= enclosing.end);
}

/** True for `while (WORD.test(text))`, which asks for one match after the other. */
function isAskedInLoop(call: ts.Node): boolean {
  return (
    ts.findAncestor(
      call,
      ({ parent }) => parent !== undefined && (ts.isWhileStatement(parent) || ts.isDoStatement(parent)),
    ) !== undefined
  );
}

/** True if the file names `lastIndex`, or runs through the matches by `exec`. */
function readsMemory(name: string, sourceFile: ts.SourceFile): boolean {
  return collectNodesBelow(sourceFile).some(
    (node) =>
      ts.isPropertyAccessExpression(node) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === name &&
      ['lastIndex', 'exec'].includes(node.name.text),
  );
}
