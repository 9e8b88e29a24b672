// The bug pattern of a regular expression with a memory: with the flag `g` or `y`, `test` continues where its last
// match ended.

import { ts } from 'ts-morph';
import { findOnlyValue, findIdentifiersNamed } from './onlyValue.ts';
import { quoteCode } from './sameCode.ts';
import type { BugPatternFinder, BugPatternMatch } from './pattern.ts';

/** Patterns of `PATTERN.test(text)`. */
export const statefulPatterns: BugPatternFinder = { nodeKinds: [ts.SyntaxKind.CallExpression], find: findStatefulTest };

/**
 * Finds `WORD.test(text)` in a function, with `const WORD = /x/g;` outside of it. After a match, the next call begins
 * after the position of that match, although it gets another text. Calls in loops, which may search for all matches, do
 * not count. The file must use the pattern for nothing else, because `replace` or `lastIndex`, for example, may reset
 * it.
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
  if (flag === undefined || !isCalledAgain(call, variable.name) || isCalledInLoop(call)) return null;
  if (!findIdentifiersNamed(pattern.text, sourceFile).every((use) => use === variable.name || isTestReceiver(use)))
    return null;
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

/** True for a call in a loop, such as `while (WORD.test(text))`, which may search for one match after the other. */
function isCalledInLoop(call: ts.Node): boolean {
  const enclosing = ts.findAncestor(call, ts.isFunctionLike);
  for (let node = call; node !== enclosing && node.parent; node = node.parent) {
    const { parent } = node;
    if (ts.isWhileStatement(parent) || ts.isDoStatement(parent) || ts.isForStatement(parent)) return true;
  }
  return false;
}

/** True for `WORD` in `WORD.test`. */
function isTestReceiver({ parent }: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(parent) && parent.name.text === 'test';
}
