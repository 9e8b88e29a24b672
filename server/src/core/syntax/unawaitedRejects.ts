// Finds assertions on promises that no code awaits, so that their failure is not noticed.

import { ts } from 'ts-morph';

/** Matches assertions about promises that are single calls: those of `node:assert` and Chai, and those of AVA. */
const ASSERTING_CALL = /^(?:(?:t\.)?assert(?:\.strict)?\.(?:rejects|doesNotReject)|t\.(?:not)?[tT]hrowsAsync)$/;

/**
 * The assertion about a promise that is a whole statement, without `await`: the last call in
 * `expect(promise).rejects.toThrow();`, or `assert.rejects(promise);`. Null for other statements.
 */
export function findUnawaitedAssertion(node: ts.ExpressionStatement): ts.CallExpression | null {
  const call = node.expression;
  if (!ts.isCallExpression(call)) return null;
  if (ASSERTING_CALL.test(call.expression.getText())) return isQUnitAssertion(call) ? null : call;
  let part: ts.Expression = call.expression;
  let isAboutPromise = false;
  while (ts.isPropertyAccessExpression(part)) {
    if (part.name.text === 'rejects' || part.name.text === 'resolves') isAboutPromise = true;
    part = part.expression;
  }
  const isExpect = ts.isCallExpression(part) && /^(?:expect|expect\.soft)$/.test(part.expression.getText());
  return isAboutPromise && isExpect ? call : null;
}

/** True for a call in a function to which QUnit passes `assert`, because QUnit waits for such assertions. */
function isQUnitAssertion(call: ts.CallExpression): boolean {
  for (let outer: ts.Node = call; outer.parent; outer = outer.parent) {
    if (!ts.isFunctionLike(outer) || !ts.isCallExpression(outer.parent)) continue;
    const [first] = outer.parameters;
    const takesAssert = first && ts.isIdentifier(first.name) && first.name.text === 'assert';
    if (takesAssert && /^(?:QUnit\b|test\b|skip\b|only\b|todo\b)/.test(outer.parent.expression.getText())) return true;
  }
  return false;
}
