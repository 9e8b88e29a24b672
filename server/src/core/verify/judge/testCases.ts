// Reads the tests of a script, case by case, with their assertions.

import { ts } from 'ts-morph';
import { collectNodesBelow } from '../../syntax/nodesBelow.ts';
import { findAssertionNames } from '../../syntax/assertionNames.ts';
import { findAssertions, mayAssertWithoutCall, isUnawaited, isWithinChain } from './assertionForms.ts';
import { findCaseOrGroup, isTrueOrText, type CaseOrGroup } from './caseCalls.ts';
import { readDeclared, readScriptFrame } from './frame/scriptFrame.ts';
import { joinTokens, listUsedNames } from './frame/scriptText.ts';
import { rankAssertion, type Assertion, type TestCaseFacts } from './assertion.ts';

/** The test cases of a file. The code outside of all cases comes first, as a case without a name. */
export function parseTestCases(path: string, text: string): readonly TestCaseFacts[] {
  const kind = /x$/.test(path) ? ts.ScriptKind.TSX : /\.[cm]?js$/.test(path) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const assertionNames = findAssertionNames(source);
  const cases: TestCaseFacts[] = [];
  const outside: Assertion[] = [];
  const frame = readScriptFrame(source);
  walk(source, {
    titles: [],
    isOff: false,
    isAlwaysOff: false,
    only: false,
    certain: true,
    into: outside,
    testObjects: new Set(),
    guard: '',
  });
  const flags = { skipped: false, only: false, certain: false };
  return [{ path, name: '', line: 1, ...flags, rows: null, body: '', assertions: outside, frame }, ...cases];

  /** The context of the walk: the groups and conditions around a node. */
  interface Place {
    readonly titles: readonly string[];
    readonly isOff: boolean;
    readonly isAlwaysOff: boolean;
    readonly only: boolean;
    readonly certain: boolean;
    readonly into: Assertion[];
    /** Names of the objects that are passed to tests. */
    readonly testObjects: ReadonlySet<string>;
    /** The condition in the test case on which the assertions depend. */
    readonly guard: string;
  }

  /** Adds the cases in a node to `cases`, and the assertions outside of these cases to `outerPlace.into`. */
  function walk(node: ts.Node, outerPlace: Place): void {
    const runsLater = ts.isFunctionLike(node) || ts.isIterationStatement(node, false);
    const place = runsLater ? { ...outerPlace, certain: false } : outerPlace;
    if (ts.isCallExpression(node)) {
      const caseOrGroup = findCaseOrGroup(node);
      if (caseOrGroup) return walkCaseOrGroup(caseOrGroup, place);
    }
    // For example `expect(a).to.be.true`.
    if (ts.isExpressionStatement(node) && mayAssertWithoutCall(node.expression)) addAssertions(node.expression, place);
    if (ts.isCallExpression(node) && !isWithinChain(node)) addAssertions(node, place);
    if (ts.isTryStatement(node) && node.catchClause && swallowsErrors(node.catchClause)) {
      walk(node.tryBlock, { ...place, guard: `${place.guard}try ` });
      walk(node.catchClause, place);
      if (node.finallyBlock) walk(node.finallyBlock, place);
      return;
    }
    if (ts.isIfStatement(node)) {
      walk(node.expression, place);
      const guardedPlace = { ...place, guard: `${place.guard}if ` };
      walk(node.thenStatement, guardedPlace);
      if (node.elseStatement) walk(node.elseStatement, guardedPlace);
      return;
    }
    if (neverRuns(node)) {
      ts.forEachChild(node, (child) => walk(child, { ...place, guard: `${place.guard}if ` }));
      return;
    }
    if (ts.isBlock(node) || ts.isSourceFile(node)) {
      let inner = place;
      for (const statement of node.statements) {
        walk(statement, inner);
        // The remaining statements do not run, or run only if this statement does not exit.
        if (alwaysExits(statement)) break;
        if (
          ts.isIfStatement(statement) &&
          (branchExits(statement.thenStatement) || branchExits(statement.elseStatement))
        )
          inner = { ...inner, guard: `${inner.guard}if ` };
      }
      return;
    }
    const condition = findCondition(node);
    if (condition) {
      walk(condition, place);
      ts.forEachChild(node, (child) => {
        if (child !== condition) walk(child, { ...place, guard: `${place.guard}if ` });
      });
      return;
    }
    ts.forEachChild(node, (child) => walk(child, place));
  }

  /** Adds a case, or walks through a group. */
  function walkCaseOrGroup(caseOrGroup: CaseOrGroup, place: Place): void {
    const { kind, title, callback, rows, call } = caseOrGroup;
    const titles = [...place.titles, title];
    const inner = {
      ...{ ...place, titles, only: place.only || caseOrGroup.only },
      isOff: place.isOff || caseOrGroup.isOff,
      isAlwaysOff: place.isAlwaysOff || caseOrGroup.isAlwaysOff,
    };
    if (kind === 'group') {
      if (callback) walk(callback.body, inner);
      return;
    }
    const assertions: Assertion[] = [];
    const testObject = callback?.parameters[0]?.name;
    const names = new Set(place.testObjects);
    if (testObject && ts.isIdentifier(testObject)) names.add(testObject.text);
    // Nested cases of node:test and tap are separate cases.
    if (callback) walk(callback.body, { ...inner, into: assertions, testObjects: names });
    cases.push({
      path,
      name: titles.join(' › '),
      line: findLine(call),
      skipped: inner.isOff || !callback || skipsItself(callback.body),
      skipsAlways: inner.isAlwaysOff || !callback || alwaysSkipsItself(callback.body),
      only: inner.only,
      certain: place.certain && place.guard === '',
      rows,
      body: callback ? joinTokens(callback) : '',
      words: listUsedNames(call),
      declares: callback ? readDeclared(call, callback, frame) : [],
      assertions,
    });
  }

  function addAssertions(expression: ts.Expression, { into, testObjects, guard }: Place): void {
    const guardOfAssertions = isUnawaited(expression) ? `${guard}unawaited ` : guard;
    for (const form of findAssertions(expression, testObjects, assertionNames))
      into.push({ ...form, line: findLine(expression), guard: guardOfAssertions, rank: rankAssertion(form) });
  }

  function findLine(node: ts.Node): number {
    return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  }
}

/** True if the body of a test calls `t.skip()`, `this.skip()` or the same with `todo`, perhaps under a condition. */
function skipsItself(body: ts.ConciseBody): boolean {
  return collectNodesBelow(body).some(isSkippingCall);
}

function isSkippingCall(node: ts.Node): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    /^(?:skip|todo)$/.test(node.expression.name.text) &&
    (node.expression.expression.kind === ts.SyntaxKind.ThisKeyword || ts.isIdentifier(node.expression.expression)) &&
    !node.arguments.some((argument) => ts.isFunctionLike(argument))
  );
}

/** True if such a call runs unconditionally: there is no condition around it, before it, or in its arguments. */
function alwaysSkipsItself(body: ts.ConciseBody): boolean {
  const statements = ts.isBlock(body) ? body.statements : [];
  for (const statement of statements) {
    if (ts.isExpressionStatement(statement) && isUnconditionalSkip(statement.expression)) return true;
    if (collectNodesBelow(statement).some(ts.isReturnStatement)) return false;
  }
  return !ts.isBlock(body) && isUnconditionalSkip(body);
}

function isUnconditionalSkip(expression: ts.Expression): boolean {
  return isSkippingCall(expression) && expression.arguments.slice(0, 1).every(isTrueOrText);
}

/** True for a loop over an empty array literal, whose body never runs: `for (const a of [])`, `[].forEach(…)`. */
function neverRuns(node: ts.Node): boolean {
  const isEmpty = (list: ts.Expression) => ts.isArrayLiteralExpression(list) && list.elements.length === 0;
  if (ts.isForOfStatement(node)) return isEmpty(node.expression);
  return (
    ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && isEmpty(node.expression.expression)
  );
}

/** True for `return` and `throw`, after which the remaining statements of the block do not run. */
function alwaysExits(statement: ts.Statement): boolean {
  return ts.isReturnStatement(statement) || ts.isThrowStatement(statement);
}

/** True for a branch that is, or directly contains, a `return` or `throw`. */
function branchExits(branch: ts.Statement | undefined): boolean {
  if (!branch) return false;
  return ts.isBlock(branch) ? branch.statements.some(alwaysExits) : alwaysExits(branch);
}

/**
 * The condition in `a && b`, `a ? b : c` or `switch (a)`; null for other code. Loops do not count, because tables of
 * cases are loops.
 */
function findCondition(node: ts.Node): ts.Expression | null {
  if (ts.isConditionalExpression(node)) return node.condition;
  if (ts.isSwitchStatement(node)) return node.expression;
  const logicalOperators = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken]);
  return ts.isBinaryExpression(node) && logicalOperators.has(node.operatorToken.kind) ? node.left : null;
}

/** True for a `catch` that neither throws nor mentions an assertion, so that it may hide a failed assertion. */
function swallowsErrors({ block }: ts.CatchClause): boolean {
  return !/\b(?:throw|expect|assert|fail|reject|should)\b|\bt\./.test(block.getText());
}
