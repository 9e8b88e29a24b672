// The parts of `readTest.ts` that need no scope: assertions, parts of records, limits.

import { ts } from 'ts-morph';
import { UNKNOWN } from '../counterexamples/literals.ts';
import { isOfKind, type Value } from './values.ts';

/** Longer strings, arrays and records count as unknown. */
const MAX_LENGTH = 1_000;
/** Matches names of objects and functions that make an assertion. */
const ASSERT_PATTERN = /^(?:expect|assert|should|t|tap|equal|is|deepEqual|strictEqual|deepStrictEqual|same)$/;

/** Returns the value; unknown if it is too long. */
export function limitLength(value: Value): Value {
  const isLong =
    (typeof value === 'string' && value.length > MAX_LENGTH) ||
    (isOfKind(value, 'array') && value.of.length > MAX_LENGTH) ||
    (isOfKind(value, 'record') && value.fields.length > MAX_LENGTH);
  return isLong ? UNKNOWN : value;
}

/** True for the first argument of an assertion: `expect(router.root)`, `assert.equal(router.root, …)`. */
export function isAsserted(node: ts.Expression): boolean {
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  let callee: ts.Expression = parent.expression;
  while (ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  return ts.isIdentifier(callee) && ASSERT_PATTERN.test(callee.text);
}

/** True for a call whose promise is awaited, or returned to a caller that awaits it. */
export function isAwaited({ parent }: ts.Node): boolean {
  return ts.isAwaitExpression(parent) || ts.isReturnStatement(parent);
}

/** The name of the variable that is declared or set with this value; null if there is none. */
export function findVariable({ parent }: ts.Node): string | null {
  const target = ts.isVariableDeclaration(parent) ? parent.name : ts.isBinaryExpression(parent) ? parent.left : null;
  return target && ts.isIdentifier(target) ? target.text : null;
}

/** Returns the export in the form of a maker. */
export function toExportPlace({ path, name }: Extract<Value, { readonly $: 'import' }>) {
  return { path, exportedAs: name };
}

/** The result of `Object.keys`, `Object.values` or `Object.entries` (`methodName`) for these fields. */
export function evaluateObjectMethod(fields: readonly (readonly [string, Value])[], methodName: string): Value {
  const values = fields.map(
    ([name, value]): Value =>
      methodName === 'keys' ? name : methodName === 'values' ? value : { $: 'array', of: [name, value] },
  );
  return { $: 'array', of: values };
}

/** The result of `Object.fromEntries` for these entries; unknown if one is not an array that begins with a string. */
export function evaluateFromEntries(entries: readonly Value[]): Value {
  const fields = entries.map((entry) =>
    isOfKind(entry, 'array') && typeof entry.of[0] === 'string' ? entry.of : null,
  );
  if (fields.some((field) => field === null)) return UNKNOWN;
  return { $: 'record', fields: fields.map((field) => [field![0] as string, field![1]] as const) };
}
