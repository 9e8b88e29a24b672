// The values that the evaluator of tests computes, and their names in scope.

import { ts } from 'ts-morph';
import { UNKNOWN, type Unknown } from '../counterexamples/literals.ts';
import type { ExampleValue } from '../counterexamples/plan.ts';
import { findPlainFunction, returnsNothing } from '../counterexamples/writtenFunction.ts';
import type { Maker, ObjectUse } from './plan.ts';

/** Maximum number of strings, numbers, arrays and records in the arguments of a call. */
const MAX_PARTS = 1_000;
/** Maximum number of characters of a function that is written into a call. */
const MAX_FUNCTION_LENGTH = 60;

/** A possible value of an expression in a test. */
export type Value =
  | Unknown
  | undefined
  | null
  | boolean
  | number
  | string
  | ListValue
  | RecordValue
  /** A function of the tests. */
  | { readonly $: 'function'; readonly node: ts.FunctionLikeDeclaration; readonly scope: ValueScope }
  | Extract<ExampleValue, { readonly $: 'code' }>
  /** A function that only records its calls, such as `vi.fn()`. */
  | { readonly $: 'spy'; readonly node: ts.CallExpression }
  /** An export of the tested code; `*` for all exports of a module. */
  | { readonly $: 'import'; readonly path: string; readonly name: string }
  /** The result of a method of an object. */
  | { readonly $: 'result'; readonly of: ObservedObject; readonly method: string; readonly variable: string | null }
  | ObservedObject;

/** An array. */
export interface ListValue {
  readonly $: 'array';
  readonly of: readonly Value[];
}

/** An object literal. */
export interface RecordValue {
  readonly $: 'record';
  readonly fields: readonly (readonly [name: string, value: Value])[];
}

/** An object that the tested code has created, with its uses in the tests so far. */
export interface ObservedObject {
  readonly $: 'object';
  readonly maker: Omit<Maker, 'name'>;
  readonly making: readonly ExampleValue[];
  /** The name of the variable to which it is assigned; null if there is none. */
  variable: string | null;
  readonly steps: ObservedStep[];
  /** The functions of the tests that it receives and that recorders replace, in the order of their numbers. */
  readonly callbacks: Callback[];
}

/** A function of the tests that is passed to the tested code. */
export type Callback = Extract<Value, { readonly $: 'function' | 'spy' }>;

/** One use of an object in a test. */
export interface ObservedStep extends Omit<ObjectUse, 'imported'> {
  /** The module of a function; null for a member. */
  readonly path: string | null;
  readonly given: readonly ExampleValue[];
}

/** The names that a block, a function or a file declares. */
export class ValueScope {
  private readonly values = new Map<string, Value>();
  private readonly parent: ValueScope | null;

  constructor(parent: ValueScope | null) {
    this.parent = parent;
  }

  declare(name: string, value: Value): void {
    this.values.set(name, value);
  }

  /** Sets a variable in the scope that declares it. Does nothing if no scope declares it. */
  assign(name: string, value: Value): void {
    if (this.values.has(name)) this.values.set(name, value);
    else this.parent?.assign(name, value);
  }

  /** The value of the name; null if no scope declares it. */
  find(name: string): { readonly value: Value } | null {
    if (this.values.has(name)) return { value: this.values.get(name) };
    return this.parent?.find(name) ?? null;
  }
}

/** True for a value of this kind. */
export function isOfKind<Kind extends Extract<Value, { readonly $: string }>['$']>(
  value: Value,
  kind: Kind,
): value is Extract<Value, { readonly $: Kind }> {
  return typeof value === 'object' && value !== null && value.$ === kind;
}

/** The member of an array or a record; unknown for anything else. */
export function readMember(value: Value, key: string): Value {
  if (isOfKind(value, 'record')) return value.fields.find(([name]) => name === key)?.[1];
  if (isOfKind(value, 'array'))
    return key === 'length' ? value.of.length : /^\d+$/.test(key) ? value.of[Number(key)] : UNKNOWN;
  return typeof value === 'string' && key === 'length' ? value.length : UNKNOWN;
}

/**
 * Returns the values as plain data. Null if one of them, or a part of it, is unknown or `undefined`, an export or an
 * object, or if they have more than `MAX_PARTS` parts. A function that uses only its parameters becomes its code. A
 * function that returns nothing becomes a recorder, and is added to `callbacks`.
 */
export function toPlainData(values: readonly Value[], callbacks: Callback[]): readonly ExampleValue[] | null {
  const remainingBudget = { parts: MAX_PARTS };
  const examples: ExampleValue[] = [];
  for (const value of values) {
    const example = toExample(value, remainingBudget, callbacks);
    if (example === UNKNOWN) return null;
    examples.push(example);
  }
  return examples;
}

/** The code of `() => initial` where `initial` is plain data; null for any other function, and for a long one. */
function formatConstantFunction({ node, scope }: Extract<Value, { readonly $: 'function' }>): string | null {
  if (!ts.isArrowFunction(node) || node.parameters.length > 0 || !ts.isIdentifier(node.body)) return null;
  const definition = scope.find(node.body.text);
  const [example] = (definition && toPlainData([definition.value], [])) ?? [];
  if (example === undefined || !isWritable(example)) return null;
  const code = formatPlain(example);
  const text = `() => ${code.startsWith('{') ? `(${code})` : code}`;
  return text.length <= MAX_FUNCTION_LENGTH ? text : null;
}

/** False for a value with a recorder, or with a number that JSON does not preserve. */
function isWritable(value: ExampleValue): boolean {
  if (typeof value === 'number') return Object.is(JSON.parse(JSON.stringify(value)), value);
  if (typeof value !== 'object' || value === null) return true;
  if (value.$ === 'array') return value.of.every(isWritable);
  return value.$ === 'record' ? value.fields.every(([, part]) => isWritable(part)) : value.$ === 'code';
}

function formatPlain(value: ExampleValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value.$ === 'array') return `[${value.of.map(formatPlain).join(', ')}]`;
  if (value.$ !== 'record') return value.$ === 'code' ? value.text : '';
  if (value.fields.length === 0) return '{}';
  const formatKey = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
  return `{ ${value.fields.map(([name, part]) => `${formatKey(name)}: ${formatPlain(part)}`).join(', ')} }`;
}

/**
 * The value as plain data; unknown if it, or a part of it, cannot be written as such, or if it has too many parts.
 * `remainingBudget`: the remaining number of allowed parts. A value may contain the same array many times.
 */
function toExample(value: Value, remainingBudget: { parts: number }, callbacks: Callback[]): ExampleValue | Unknown {
  remainingBudget.parts -= 1;
  if (remainingBudget.parts < 0 || value === UNKNOWN || value === undefined) return UNKNOWN;
  if (value === null || typeof value !== 'object') return value;
  if (value.$ === 'array') {
    const elements = value.of.map((element) => toExample(element, remainingBudget, callbacks));
    return elements.includes(UNKNOWN) ? UNKNOWN : { $: 'array', of: elements as readonly ExampleValue[] };
  }
  if (value.$ === 'record') {
    const fields = value.fields.map(([name, part]) => [name, toExample(part, remainingBudget, callbacks)] as const);
    return fields.some(([, part]) => part === UNKNOWN)
      ? UNKNOWN
      : { $: 'record', fields: fields as readonly (readonly [string, ExampleValue])[] };
  }
  if (value.$ === 'code') return value;
  if (value.$ !== 'function' && value.$ !== 'spy') return UNKNOWN;
  const text = value.$ === 'function' ? (findPlainFunction(value.node) ?? formatConstantFunction(value)) : null;
  if (text !== null) return { $: 'code', text };
  if (value.$ === 'function' && !returnsNothing(value.node)) return UNKNOWN;
  if (!callbacks.includes(value)) callbacks.push(value);
  return { $: 'recorder', id: callbacks.indexOf(value) };
}
