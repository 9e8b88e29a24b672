// Compares the result of an expression with the result that a comment states.

import { inspect, isDeepStrictEqual } from 'node:util';
import { runInThisContext } from 'node:vm';
import type { ExampleOutcome } from '../../../core/verify/examples/examplePlan.ts';

/** Maximum number of characters of a wrong result that is quoted. */
const MAX_QUOTED_LENGTH = 200;

/**
 * The outcome of comparing a value with the stated one. `stated`: the text of a literal (`isStatedValue`). Unknown if
 * the value differs and cannot be quoted.
 */
export function compareResult(stated: string, value: unknown): ExampleOutcome {
  const literal = stated.replace(/;$/, '');
  const expected: unknown = runInThisContext(`(${literal})`);
  if (matchesStated(expected, value)) return { outcome: 'same' };
  if (String(value) === literal || inspect(value) === literal) return { outcome: 'same' };
  // In documentation, a backslash is often written as it is printed.
  if (typeof value === 'string' && /^(['"`]).*\1$/s.test(literal) && literal.slice(1, -1) === value)
    return { outcome: 'same' };
  if (typeof value === 'string' && isJsonOf(value, expected)) return { outcome: 'same' };
  if (!isPlainValue(value)) return { outcome: 'unknown', reason: 'Its result is no plain value.' };
  const actual = formatLike(literal, value);
  return actual.length > MAX_QUOTED_LENGTH || actual.includes('\n')
    ? { outcome: 'unknown', reason: 'Its result is too long to quote.' }
    : { outcome: 'wrong', actual };
}

/** True if the text is the JSON of the expected object or array. */
function isJsonOf(text: string, expected: unknown): boolean {
  if (typeof expected !== 'object') return false;
  try {
    return isDeepStrictEqual(JSON.parse(text), expected);
  } catch {
    return false;
  }
}

/**
 * True if the value is as stated, at any depth. A stated object may leave out properties unless it is empty, and a
 * stated number may be rounded.
 */
function matchesStated(expected: unknown, value: unknown): boolean {
  if (isDeepStrictEqual(expected, value)) return true;
  if (typeof expected === 'number' && typeof value === 'number') return isRoundedFrom(expected, value);
  if (Array.isArray(expected))
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((element, index) => matchesStated(element, value[index]))
    );
  if (!isObject(expected) || !isObject(value)) return false;
  // An empty object states that the value has no properties.
  const keys = Object.keys(expected);
  if (keys.length === 0) return Object.keys(value).length === 0;
  return keys.every((key) => key in value && matchesStated(expected[key], value[key]));
}

function isRoundedFrom(expected: number, value: number): boolean {
  if (!Number.isFinite(expected) || !Number.isFinite(value)) return Object.is(expected, value);
  const [, decimals = ''] = String(expected).split('.');
  return (
    Math.abs(expected - value) <=
    Math.max(Number.EPSILON * Math.abs(value) * 8, 0.5 * 10 ** -decimals.length * Number(decimals !== ''))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a value that a literal can state. */
function isPlainValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlainValue);
  if (typeof value === 'object' && value !== null) {
    const prototype: unknown = Object.getPrototypeOf(value);
    return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlainValue);
  }
  return typeof value !== 'function' && typeof value !== 'symbol';
}

/** The value as a literal, with the kind of quotes and the spaces inside brackets that the stated literal has. */
function formatLike(stated: string, value: unknown): string {
  const quote = /^[^'"`]*"/.test(stated) ? '"' : "'";
  const arraySpace = /\[ \S/.test(stated) ? ' ' : '';
  const objectSpace = /\{[^\s}]/.test(stated) ? '' : ' ';
  const formatPart = (part: unknown): string => {
    if (typeof part === 'string') return quoteText(part, quote);
    if (Array.isArray(part))
      return part.length === 0 ? '[]' : `[${arraySpace}${part.map(formatPart).join(', ')}${arraySpace}]`;
    if (typeof part !== 'object' || part === null) return inspect(part);
    const members = Object.entries(part).map(
      ([key, member]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoteText(key, quote)}: ${formatPart(member)}`,
    );
    return members.length === 0 ? '{}' : `{${objectSpace}${members.join(', ')}${objectSpace}}`;
  };
  return formatPart(value);
}

function quoteText(text: string, quote: '"' | "'"): string {
  const doubleQuoted = JSON.stringify(text);
  return quote === '"' ? doubleQuoted : `'${doubleQuoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
