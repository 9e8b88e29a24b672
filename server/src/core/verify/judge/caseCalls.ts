// Recognises the calls with which a script declares test cases and groups of them.

import { ts } from 'ts-morph';
import { normaliseCode } from './assertionForms.ts';

/** Functions that declare a test case. */
const CASE_FUNCTIONS = new Set(['test', 'it', 'specify', 'Deno.test']);
/** Functions that declare a skipped test case. */
const SKIPPED_CASE_FUNCTIONS = new Set(['xtest', 'xit', 'xspecify']);
/** Functions that declare a group of cases. */
const GROUP_FUNCTIONS = new Set(['describe', 'suite', 'context']);
/** Functions that declare a skipped group. */
const SKIPPED_GROUP_FUNCTIONS = new Set(['xdescribe', 'xcontext']);
/** Members such as `test.skip` with which a case or group does not count. */
const SKIPPING_MEMBERS = new Set(['skip', 'todo', 'fixme', 'failing', 'fails']);
/** Members with which a case or group counts only under a condition, and the literal with which it never counts. */
const CONDITIONAL_MEMBERS: ReadonlyMap<string, ts.SyntaxKind> = new Map([
  ['skipIf', ts.SyntaxKind.TrueKeyword],
  ['runIf', ts.SyntaxKind.FalseKeyword],
]);

/** The call that declares a case or a group of cases. */
export interface CaseOrGroup {
  readonly kind: 'group' | 'case';
  readonly call: ts.CallExpression;
  readonly title: string;
  /** True if it is skipped, perhaps only under a condition. */
  readonly isOff: boolean;
  /** True if it is skipped under any condition. */
  readonly isAlwaysOff: boolean;
  readonly only: boolean;
  readonly callback: ts.FunctionExpression | ts.ArrowFunction | null;
  /** Number of rows of a table of cases in the call; null if there is no table. */
  readonly rows: number | null;
}

/** The case or group that a call declares; null for any other call. */
export function findCaseOrGroup(call: ts.CallExpression): CaseOrGroup | null {
  const names: string[] = [];
  let isNeverRun = false;
  let rows: number | null = null;
  let current: ts.Expression = call.expression;
  for (;;) {
    if (ts.isPropertyAccessExpression(current)) {
      names.unshift(current.name.text);
      current = current.expression;
    } else if (ts.isCallExpression(current)) {
      const [table] = current.arguments;
      if (table && ts.isArrayLiteralExpression(table)) rows = table.elements.length;
      if (ts.isPropertyAccessExpression(current.expression))
        isNeverRun ||= table !== undefined && table.kind === CONDITIONAL_MEMBERS.get(current.expression.name.text);
      current = current.expression;
    } else if (ts.isTaggedTemplateExpression(current)) {
      rows = current.template
        .getText()
        .split('\n')
        .filter((line) => line.includes('${')).length;
      current = current.tag;
    } else break;
  }
  if (!ts.isIdentifier(current)) return null;
  names.unshift(current.text);
  const [first = '', second = ''] = names;
  const isCase =
    CASE_FUNCTIONS.has(first) ||
    SKIPPED_CASE_FUNCTIONS.has(first) ||
    CASE_FUNCTIONS.has(`${first}.${second}`) ||
    second === 'test';
  const isGroup = GROUP_FUNCTIONS.has(first) || SKIPPED_GROUP_FUNCTIONS.has(first) || second === 'describe';
  const [title] = call.arguments;
  if ((!isCase && !isGroup) || !title) return null;
  const callback = call.arguments.find(
    (argument): argument is ts.FunctionExpression | ts.ArrowFunction =>
      ts.isFunctionExpression(argument) || ts.isArrowFunction(argument),
  );
  const isTitle = ts.isStringLiteralLike(title) || ts.isTemplateExpression(title);
  if (!callback && !(isTitle && isCase)) return null;
  // Calls such as `test.before(() => …)` declare no case.
  if (names.slice(1).some((name) => /^(?:before|after|beforeEach|afterEach|use|step|extend|macro)$/.test(name)))
    return null;
  const { isOff, isAlwaysOff } = readOptions(call);
  const isSkipped =
    SKIPPED_CASE_FUNCTIONS.has(first) ||
    SKIPPED_GROUP_FUNCTIONS.has(first) ||
    names.some((name) => SKIPPING_MEMBERS.has(name)) ||
    rows === 0;
  return {
    kind: isCase ? 'case' : 'group',
    call,
    title: isTitle ? title.getText().slice(1, -1) : normaliseCode(title.getText()).slice(0, 80),
    isOff: isSkipped || isOff || names.some((name) => CONDITIONAL_MEMBERS.has(name)),
    isAlwaysOff: isSkipped || isAlwaysOff || isNeverRun,
    only: names.includes('only'),
    callback: callback ?? null,
    rows,
  };
}

/**
 * Reads from the options of a call whether the test is skipped: an argument may be an object that sets `skip` or
 * `todo`: `test('…', { skip: true }, …)`. Any value but `false` may skip the test; `true` and a string always do.
 */
function readOptions(call: ts.CallExpression): Pick<CaseOrGroup, 'isOff' | 'isAlwaysOff'> {
  const values = call.arguments.flatMap((argument) =>
    ts.isObjectLiteralExpression(argument)
      ? argument.properties.flatMap((property) =>
          ts.isPropertyAssignment(property) && /^(?:skip|todo)$/.test(property.name.getText())
            ? [property.initializer]
            : [],
        )
      : [],
  );
  return {
    isOff: values.some(({ kind }) => kind !== ts.SyntaxKind.FalseKeyword),
    isAlwaysOff: values.some(isTrueOrText),
  };
}

/** True for `true`, and for a string or template, which is the reason for skipping. */
export function isTrueOrText(value: ts.Expression): boolean {
  return value.kind === ts.SyntaxKind.TrueKeyword || ts.isStringLiteralLike(value) || ts.isTemplateExpression(value);
}
