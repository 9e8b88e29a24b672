// Counts the checks in the tests of a script: test cases, skipped ones, and assertions that can fail.

import { ts } from 'ts-morph';
import { ASSERTION_NAME_PATTERN, findAssertionNames, CASE_FUNCTIONS } from '../../syntax/assertionNames.ts';
import { forEachNode } from './deadCode.ts';

/** Names of functions that define a skipped case or group. */
const SKIPPED_CASES = new Set(['xtest', 'xit', 'xspecify', 'xdescribe', 'xcontext']);
/**
 * Words after the name of a case or group that skip it, as in `test.skip`. `only` is one of them, because it skips all
 * other tests.
 */
const SKIP_MODIFIERS = new Set(['skip', 'todo', 'only', 'fixme', 'failing', 'fails', 'skipIf', 'runIf']);

/** Assertions of AVA and tap whose names `ASSERTION_NAME_PATTERN` does not match. */
const CONTEXT_ASSERTS = new Set(
  (
    'is not deepEqual notDeepEqual unorderedDeepEqual like truthy falsy true false regex notRegex throws throwsAsync ' +
    'notThrows notThrowsAsync snapshot equal notEqual same notSame strictSame ok notOk match notMatch rejects resolves ' +
    'error has hasStrict type doesNotThrow deepLooseEqual strictEqual notStrictEqual deepStrictEqual ifError'
  ).split(' '),
);

/**
 * The numbers of test cases, of skips (skipped cases and groups, and those that run alone by `only`), and of
 * assertions.
 */
export interface TestChecks {
  readonly cases: number;
  readonly skipped: number;
  readonly assertions: number;
}

/**
 * The checks of a test file; null if the file has neither a test nor an assertion. An assertion that only compares
 * literals, or that is never reached, does not count.
 */
export function countTestChecks(sourceFile: ts.SourceFile): TestChecks | null {
  let cases = 0;
  let skipped = 0;
  let assertions = 0;
  const assertionNames = findAssertionNames(sourceFile);
  forEachNode(sourceFile, (node) => {
    if (ts.isIdentifier(node) && SKIPPED_CASES.has(node.text) && ts.isCallExpression(node.parent)) skipped++;
    if (!ts.isCallExpression(node) || isWithinChain(node)) return;
    const chain = readChain(node);
    const [firstName] = chain.names;
    if (firstName === undefined) return;
    if (CASE_FUNCTIONS.has(firstName) || SKIPPED_CASES.has(firstName) || isCaseOfSuite(chain.names, node)) cases++;
    if (
      (CASE_FUNCTIONS.has(firstName) || firstName === 'describe' || firstName === 'suite') &&
      chain.names.some((name) => SKIP_MODIFIERS.has(name))
    )
      skipped++;
    else if (
      (chain.names.some((name) => ASSERTION_NAME_PATTERN.test(name)) ||
        assertionNames.has(firstName) ||
        isContextAssertion(chain.names, node)) &&
      (chain.values.some(mayBeComputed) || isAboutResult(chain.names)) &&
      !isUnreachable(node)
    )
      assertions++;
  });
  return cases === 0 && assertions === 0 ? null : { cases, skipped, assertions };
}

/**
 * True for a test of an object that collects tests: `suite.test('name', () => …)`. `test` of a regular expression never
 * gets a function.
 */
function isCaseOfSuite(names: readonly string[], call: ts.CallExpression): boolean {
  return (
    names.length === 2 && CASE_FUNCTIONS.has(names[1]!) && call.arguments.some((value) => ts.isFunctionLike(value))
  );
}

/**
 * True for `t.is(a, b)`: an assertion of the object that the runner passes to the test function (AVA, tap, node:test).
 */
function isContextAssertion([firstName, ...otherNames]: readonly string[], call: ts.CallExpression): boolean {
  const assertion = otherNames.at(-1);
  if (firstName === undefined || assertion === undefined || !CONTEXT_ASSERTS.has(assertion)) return false;
  for (let ancestor: ts.Node | undefined = call.parent; ancestor; ancestor = ancestor.parent) {
    if (!ts.isFunctionLike(ancestor)) continue;
    const [parameter] = ancestor.parameters;
    if (!parameter || !ts.isIdentifier(parameter.name) || parameter.name.text !== firstName) continue;
    // Test helpers receive the same object; their assertions count.
    return true;
  }
  return false;
}

/**
 * True for a chain such as `agent.get('/').expect(200)`: the value before `expect` is computed, although every argument
 * is a literal.
 */
function isAboutResult([firstName, ...otherNames]: readonly string[]): boolean {
  return firstName !== undefined && !ASSERTION_NAME_PATTERN.test(firstName) && otherNames.indexOf('expect') > 0;
}

/**
 * True for an inner call of a chain, and for a call whose result is called. Only the outermost call of a chain is
 * counted.
 */
function isWithinChain({ parent }: ts.CallExpression): boolean {
  return ts.isCallExpression(parent) || ts.isPropertyAccessExpression(parent);
}

/** The names and values of a chain. `expect(a).not.toBe(b)` has the names `expect not toBe`, and the values `a b`. */
function readChain(call: ts.CallExpression): {
  readonly names: readonly string[];
  readonly values: readonly ts.Expression[];
} {
  const names: string[] = [];
  const values: ts.Expression[] = [];
  let current: ts.Expression = call;
  for (;;) {
    if (ts.isCallExpression(current)) {
      values.push(...current.arguments);
      current = current.expression;
    } else if (ts.isPropertyAccessExpression(current)) {
      names.unshift(current.name.text);
      current = current.expression;
    } else if (ts.isTaggedTemplateExpression(current)) current = current.tag;
    else break;
  }
  if (ts.isIdentifier(current)) names.unshift(current.text);
  return { names, values };
}

/** False for a literal, `true`, `false` or `null`; true for every other expression. */
function mayBeComputed(value: ts.Expression): boolean {
  if (ts.isLiteralExpression(value) || ts.isFunctionLike(value)) return ts.isFunctionLike(value);
  return (
    value.kind !== ts.SyntaxKind.TrueKeyword &&
    value.kind !== ts.SyntaxKind.FalseKeyword &&
    value.kind !== ts.SyntaxKind.NullKeyword
  );
}

/** True for a node after a `return` or `throw` in a block around it, and for a node in `if (false)`. */
function isUnreachable(node: ts.Node): boolean {
  for (let current = node; current.parent; current = current.parent) {
    const { parent } = current;
    if (
      ts.isIfStatement(parent) &&
      parent.thenStatement === current &&
      parent.expression.kind === ts.SyntaxKind.FalseKeyword
    )
      return true;
    if (!ts.isBlock(parent)) continue;
    const index = parent.statements.indexOf(current as ts.Statement);
    if (
      parent.statements
        .slice(0, Math.max(0, index))
        .some((statement) => ts.isReturnStatement(statement) || ts.isThrowStatement(statement))
    )
      return true;
  }
  return false;
}
