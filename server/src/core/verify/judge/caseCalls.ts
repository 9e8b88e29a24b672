// Recognises the calls by which a script declares test cases and groups of them.

import { ts } from 'ts-morph';
import { normalisedCode } from './assertionForms.ts';

/** Functions that declare a test case. */
const CASE_FUNCTIONS = new Set(['test', 'it', 'specify', 'Deno.test']);
/** Functions that declare a skipped test case. */
const SKIPPED_CASE_FUNCTIONS = new Set(['xtest', 'xit', 'xspecify']);
/** Functions that declare a group of cases. */
const GROUP_FUNCTIONS = new Set(['describe', 'suite', 'context']);
/** Functions that declare a skipped group. */
const SKIPPED_GROUP_FUNCTIONS = new Set(['xdescribe', 'xcontext']);
/** Members such as `test.skip`, by which a case or a group does not count. */
const SKIPPING_MEMBERS = new Set(['skip', 'todo', 'fixme', 'failing', 'fails', 'skipIf', 'runIf']);

/** The call that declares a case or a group of cases. */
export interface CaseOrGroup {
  readonly kind: 'group' | 'case';
  readonly call: ts.CallExpression;
  readonly title: string;
  readonly isOff: boolean;
  readonly only: boolean;
  readonly callback: ts.FunctionExpression | ts.ArrowFunction | null;
  /** Number of rows, for a table of cases in the call. */
  readonly rows: number | null;
}

/** The case or group that a call declares; null for other calls. */
export function findCaseOrGroup(call: ts.CallExpression): CaseOrGroup | null {
  const names: string[] = [];
  let rows: number | null = null;
  let current: ts.Expression = call.expression;
  for (;;) {
    if (ts.isPropertyAccessExpression(current)) {
      names.unshift(current.name.text);
      current = current.expression;
    } else if (ts.isCallExpression(current)) {
      const [table] = current.arguments;
      if (table && ts.isArrayLiteralExpression(table)) rows = table.elements.length;
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
  // `test.before(() => …)` and similar calls are not cases.
  if (names.slice(1).some((name) => /^(?:before|after|beforeEach|afterEach|use|step|extend|macro)$/.test(name)))
    return null;
  return {
    kind: isCase ? 'case' : 'group',
    call,
    title: isTitle ? title.getText().slice(1, -1) : normalisedCode(title.getText()).slice(0, 80),
    isOff:
      SKIPPED_CASE_FUNCTIONS.has(first) ||
      SKIPPED_GROUP_FUNCTIONS.has(first) ||
      names.some((name) => SKIPPING_MEMBERS.has(name)) ||
      rows === 0 ||
      isSwitchedOff(call),
    only: names.includes('only'),
    callback: callback ?? null,
    rows,
  };
}

/**
 * True if an argument is an object that sets `skip` or `todo` to anything but `false`: `test('…', { skip: true }, …)`.
 */
function isSwitchedOff(call: ts.CallExpression): boolean {
  return call.arguments.some(
    (argument) =>
      ts.isObjectLiteralExpression(argument) &&
      argument.properties.some(
        (property) =>
          ts.isPropertyAssignment(property) &&
          /^(?:skip|todo)$/.test(property.name.getText()) &&
          property.initializer.kind !== ts.SyntaxKind.FalseKeyword,
      ),
  );
}
