// The bug pattern of a regular expression with a memory: with the flag `g` or `y`, `test` continues where it ended last.

import { ts } from 'ts-morph';
import { findOnlyValue, findSameName } from './onlyValue.ts';
import { quoteCode } from './sameCode.ts';
import type { BugPatternFinder, BugPatternMatch } from './pattern.ts';

/** Patterns of `PATTERN.test(text)`. */
export const statefulPatterns: BugPatternFinder = { nodes: [ts.SyntaxKind.CallExpression], find: findStatefulTest };

/**
 * `const WORD = /x/g; … WORD.test(text)` in a function: after a match, the next call begins behind it, in another text.
 * Not in a loop that asks again and again, and only if the file uses the pattern for nothing else, such as `replace` or
 * `lastIndex`, which may begin again.
 */
function findStatefulTest(node: ts.Node, sourceFile: ts.SourceFile): BugPatternMatch | null {
  const call = node as ts.CallExpression;
  if (!ts.isPropertyAccessExpression(call.expression) || call.expression.name.text !== 'test') return null;
  const pattern = call.expression.expression;
  if (!ts.isIdentifier(pattern)) return null;
  const variable = findOnlyValue(pattern, sourceFile);
  if (!variable || !ts.isRegularExpressionLiteral(variable.value)) return null;
  const flags = variable.value.text.slice(variable.value.text.lastIndexOf('/') + 1);
  const flag = /[gy]/.exec(flags)?.[0];
  if (flag === undefined || !isCalledAgain(call, variable.name) || isAskedInLoop(call)) return null;
  if (!findSameName(pattern.text, sourceFile).every((use) => use === variable.name || isTested(use))) return null;
  return {
    name: 'pattern with a memory',
    mayBeIntended: true,
    node: call,
    message:
      `after a match, the next ${quoteCode(call.expression)} begins behind it, ` +
      `because the flag \`${flag}\` keeps the place.`,
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
  const enclosing = ts.findAncestor(call, ts.isFunctionLike);
  for (let node = call; node !== enclosing && node.parent; node = node.parent) {
    const { parent } = node;
    if (ts.isWhileStatement(parent) || ts.isDoStatement(parent) || ts.isForStatement(parent)) return true;
  }
  return false;
}

/** True for `WORD.test`. */
function isTested({ parent }: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(parent) && parent.name.text === 'test';
}
