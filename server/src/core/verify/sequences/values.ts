// The values that the reader of tests computes, and their names in scope.

import type { ts } from 'ts-morph';
import { UNKNOWN, type Unknown } from '../counterexamples/literals.ts';
import type { Example } from '../counterexamples/plan.ts';
import type { Maker, ObjectUse } from './plan.ts';

/** Maximum number of texts, numbers, lists and records in the arguments of a call. */
const MAX_PARTS = 1_000;

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
  | { readonly $: 'function'; readonly node: ts.FunctionLikeDeclaration; readonly scope: Scope }
  /** An export of the tested code; `*` for all exports of a module. */
  | { readonly $: 'import'; readonly path: string; readonly name: string }
  | ObservedObject;

/** A list. */
export interface ListValue {
  readonly $: 'array';
  readonly of: readonly Value[];
}

/** An object literal. */
export interface RecordValue {
  readonly $: 'record';
  readonly fields: readonly (readonly [name: string, value: Value])[];
}

/** An object that the tested code has made, with what the tests have done with it so far. */
export interface ObservedObject {
  readonly $: 'object';
  readonly maker: Omit<Maker, 'name'>;
  readonly making: readonly Example[];
  /** The name of the variable to which it is assigned; null if there is none. */
  variable: string | null;
  readonly steps: ObservedStep[];
}

/** One use of an object in a test. */
export interface ObservedStep extends Omit<ObjectUse, 'imported'> {
  /** The module of a function; null for a member. */
  readonly path: string | null;
  readonly given: readonly Example[];
}

/** The names that a block, a function or a file declares. */
export class Scope {
  private readonly values = new Map<string, Value>();
  private readonly parent: Scope | null;

  constructor(parent: Scope | null) {
    this.parent = parent;
  }

  declare(name: string, value: Value): void {
    this.values.set(name, value);
  }

  /** Sets a variable where it is declared. Nothing happens if no scope declares it. */
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
export function is<Kind extends Extract<Value, { readonly $: string }>['$']>(
  value: Value,
  kind: Kind,
): value is Extract<Value, { readonly $: Kind }> {
  return typeof value === 'object' && value !== null && value.$ === kind;
}

/** The member of a list or a record; unknown for anything else. */
export function readMember(value: Value, key: string): Value {
  if (is(value, 'record')) return value.fields.find(([name]) => name === key)?.[1];
  if (is(value, 'array'))
    return key === 'length' ? value.of.length : /^\d+$/.test(key) ? value.of[Number(key)] : UNKNOWN;
  return typeof value === 'string' && key === 'length' ? value.length : UNKNOWN;
}

/**
 * The values as plain data. Null if one of them, or a part of it, is unknown or `undefined`; if one is a function, an
 * export or an object; or if they have more than `MAX_PARTS` parts.
 */
export function toPlainData(values: readonly Value[]): readonly Example[] | null {
  const remainingBudget = { parts: MAX_PARTS };
  return values.every((value) => isPlain(value, remainingBudget)) ? (values as readonly Example[]) : null;
}

/** `remainingBudget`: the number of parts that may follow. A value may contain the same list many times. */
function isPlain(value: Value, remainingBudget: { parts: number }): boolean {
  remainingBudget.parts -= 1;
  if (remainingBudget.parts < 0) return false;
  if (value === UNKNOWN || value === undefined) return false;
  if (value === null || typeof value !== 'object') return true;
  if (value.$ === 'array') return value.of.every((element) => isPlain(element, remainingBudget));
  return value.$ === 'record' && value.fields.every(([, fieldValue]) => isPlain(fieldValue, remainingBudget));
}
