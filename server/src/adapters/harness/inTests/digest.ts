// Digests of live values, part by part. No code of the repository runs: no getter, no trap of a proxy, no iterator.

import { createHash } from 'node:crypto';
import { types } from 'node:util';
import type { Digests } from '../../../core/verify/traces/recording.ts';

/** How deep, and how many values, are read of one part. */
const DEPTH = 4;
const MOST_VALUES = 250;
/** Parts of one value; further ones count together. */
const MOST_PARTS = 32;
const MOST_CHARACTERS = 2_000;
const SHOWN = 60;

const { getOwnPropertyDescriptors: descriptorsOf, getPrototypeOf } = Object;
const [mapEntries, setValues] = [Map.prototype.entries, Set.prototype.values];
const dateTime = Date.prototype.getTime;

/** What could be read of values, with their names. */
export function digestsOf(values: readonly (readonly [name: string, value: unknown])[]): {
  readonly digests: Digests;
  /** True if the first value can be read and is not `undefined`, or if another one is an object with parts. */
  readonly tells: boolean;
} {
  const digests: Record<string, string> = Object.create(null);
  let tells = false;
  for (const [index, [name, value]] of values.entries()) {
    const parts = partsOf(value);
    if (parts !== null || (index === 0 && value !== undefined && !isOpaque(value))) tells = true;
    if (parts === null) {
      digests[name] = hash(textOf(value));
      continue;
    }
    digests[name] = hash(`${kindOf(value as object)} ${parts.length}`);
    for (const [part, content] of parts.slice(0, MOST_PARTS)) digests[`${name}.${part}`] = hash(content());
    if (parts.length > MOST_PARTS)
      digests[`${name}.…`] = hash(
        parts
          .slice(MOST_PARTS)
          .map(([part, content]) => `${part}=${content()}`)
          .join(),
      );
  }
  return { digests, tells };
}

/** A short text of a value for a person: primitive values and errors as they are, others by their kind. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN));
  if (typeof value === 'bigint') return `${value}n`;
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value);
  if (types.isProxy(value)) return 'a proxy';
  if (typeof value === 'function') return 'a function';
  if (types.isNativeError(value)) return `${kindOf(value)}: ${dataOf(value, 'message')}`.slice(0, 2 * SHOWN);
  return kindOf(value);
}

/** The own data of an object or array by name; null for anything else. */
function partsOf(value: unknown): (readonly [string, () => string])[] | null {
  if (value === null || typeof value !== 'object' || types.isProxy(value) || isWhole(value)) return null;
  const found = Object.entries(descriptorsOf(value)).filter(([name]) => !(Array.isArray(value) && name === 'length'));
  if (found.length === 0) return null;
  return found.map(([name, one]) => [name, () => ('value' in one ? textOf(one.value, 1) : 'accessor')] as const);
}

/** Values that are read as one. */
function isWhole(value: object): boolean {
  return (
    types.isDate(value) ||
    types.isRegExp(value) ||
    types.isMap(value) ||
    types.isSet(value) ||
    types.isPromise(value) ||
    types.isNativeError(value) ||
    types.isBoxedPrimitive(value) ||
    ArrayBuffer.isView(value) ||
    types.isAnyArrayBuffer(value) ||
    webTextOf(value) !== null
  );
}

/** True for values of which nothing can be read. */
function isOpaque(value: unknown): boolean {
  if (typeof value === 'function') return true;
  return typeof value === 'object' && value !== null && (types.isProxy(value) || types.isPromise(value));
}

function textOf(value: unknown, from = 0): string {
  const seen = new Map<object, number>();
  const text = (one: unknown, depth: number): string => {
    if (typeof one === 'string')
      return JSON.stringify(one.length > MOST_CHARACTERS ? `${one.length}${hash(one)}` : one);
    if (Object.is(one, -0)) return '-0';
    if (one === null || (typeof one !== 'object' && typeof one !== 'function')) return `${typeof one} ${String(one)}`;
    // A function's name differs by how it is written, and a proxy would run code.
    if (types.isProxy(one)) return 'proxy';
    if (typeof one === 'function') return 'function';
    const before = seen.get(one);
    if (before !== undefined) return `#${before}`;
    seen.set(one, seen.size);
    const kind = kindOf(one);
    if (types.isDate(one)) return `date ${dateTime.call(one)}`;
    if (types.isRegExp(one))
      return `pattern ${String(dataOf(one, 'lastIndex'))} ${RegExp.prototype.toString.call(one)}`;
    if (types.isPromise(one)) return 'promise';
    if (ArrayBuffer.isView(one)) return `${kind} ${hash(new Uint8Array(one.buffer, one.byteOffset, one.byteLength))}`;
    if (types.isAnyArrayBuffer(one)) return `${kind} ${hash(new Uint8Array(one))}`;
    if (types.isBoxedPrimitive(one)) return kind;
    const web = webTextOf(one);
    if (web !== null) return web;
    if (depth > DEPTH || seen.size > MOST_VALUES) return kind;
    if (types.isMap(one))
      return `${kind}{${[...mapEntries.call(one)].map((pair) => pair.map((part) => text(part, depth + 1)).join(':'))}}`;
    if (types.isSet(one)) return `${kind}{${[...setValues.call(one)].map((part) => text(part, depth + 1))}}`;
    const parts = Object.entries(descriptorsOf(one))
      .filter(([name]) => name !== 'stack')
      .map(([name, part]) => `${name}=${'value' in part ? text(part.value, depth + 1) : 'accessor'}`);
    return `${kind}{${parts}}`;
  };
  try {
    return text(value, from);
  } catch {
    return 'unreadable';
  }
}

/** What a web platform object stands for; null for any other. Its own accessors are called, never an overridden one. */
function webTextOf(value: object): string | null {
  for (const [name, read] of webReaders) {
    try {
      const text = read(value);
      if (text !== null) return `${name} ${text}`;
    } catch {
      // Not such an object.
    }
  }
  return null;
}

type Reader = (value: object) => string | null;

function getterOf(prototype: object | undefined, name: string): (value: object) => unknown {
  const get = prototype && Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return (value) => {
    if (!get) throw new TypeError(name);
    return get.call(value);
  };
}

const headersText = (headers: unknown): string => {
  const entries = globalThis.Headers.prototype.entries as (this: unknown) => Iterable<unknown>;
  return JSON.stringify([...entries.call(headers)]);
};
const isA = (Class: (abstract new (...given: never[]) => object) | undefined, value: object): boolean =>
  Class !== undefined && Object.prototype.isPrototypeOf.call(Class.prototype as object, value);

const webReaders: readonly (readonly [string, Reader])[] = [
  ['headers', (one) => (isA(globalThis.Headers, one) ? headersText(one) : null)],
  ['url', (one) => (isA(globalThis.URL, one) ? String(getterOf(URL.prototype, 'href')(one)) : null)],
  ['parameters', (one) => (isA(globalThis.URLSearchParams, one) ? URLSearchParams.prototype.toString.call(one) : null)],
  [
    'request',
    (one) => {
      if (!isA(globalThis.Request, one)) return null;
      const read = (name: string) => getterOf(globalThis.Request.prototype, name)(one);
      return `${String(read('method'))} ${String(read('url'))} ${headersText(read('headers'))}`;
    },
  ],
  [
    'response',
    (one) => {
      if (!isA(globalThis.Response, one)) return null;
      const read = (name: string) => getterOf(globalThis.Response.prototype, name)(one);
      return `${String(read('status'))} ${String(read('statusText'))} ${headersText(read('headers'))}`;
    },
  ],
];

/** The name of the class, by data alone. */
function kindOf(value: object): string {
  if (Array.isArray(value)) return 'Array';
  const prototype: unknown = getPrototypeOf(value);
  if (prototype === null || typeof prototype !== 'object' || types.isProxy(prototype)) return 'null';
  const found = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  return typeof found === 'function' && !types.isProxy(found) ? String(dataOf(found, 'name') ?? 'object') : 'object';
}

function dataOf(value: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function hash(content: string | Uint8Array): string {
  return createHash('sha1').update(content).digest('base64url').slice(0, 10);
}
