// Computes digests of live values, part by part. No code of the repository runs: no getter, no trap of a proxy, no
// iterator.

import { createHash } from 'node:crypto';
import { types } from 'node:util';
import type { Digests } from '../../../core/verify/traces/recording.ts';

/** Maximum depth of the values that are read for one part. */
const MAX_DEPTH = 4;
/** Maximum number of objects that are read for one part. */
const MAX_OBJECTS = 250;
/** Maximum number of objects that are read for one call before it is made, and again after it. */
const MAX_OBJECTS_IN_CALL = 1_500;
/** Maximum number of parts of one value; further parts are combined into one. */
const MAX_PARTS = 32;
/** Maximum number of characters of a string that is written in full. A longer one is written as its length and hash. */
const MAX_CHARACTERS = 2_000;
/** Maximum number of characters of a text that a person sees. */
const SHOWN_CHARACTERS = 60;

const { getOwnPropertyDescriptors: descriptorsOf, getPrototypeOf } = Object;
const [mapEntries, setValues] = [Map.prototype.entries, Set.prototype.values];
const dateTime = Date.prototype.getTime;
/**
 * Matches V8's own messages that contain code: `Cannot read properties of undefined (reading 'b')`, `f is not a
 * function`.
 */
const ENGINE_MESSAGE_PATTERN =
  /^Cannot (?:read|set|destructure|convert|access|assign)\b|\bis not (?:a function|a constructor|iterable|async iterable|defined)\b/;

/** The digests of values, by their names; those of parts by `name.part`. */
export function computeDigests(values: readonly (readonly [name: string, value: unknown])[]): {
  readonly digests: Digests;
  /**
   * True if the digests can show a difference. False if the first value cannot be read, or if it is undefined and no
   * value has parts.
   */
  readonly canTell: boolean;
} {
  const digests: Record<string, string> = Object.create(null);
  const budget: Budget = { remainingCount: MAX_OBJECTS_IN_CALL };
  const [first] = values;
  const isReadable = first === undefined || !isOpaque(first[1]);
  let tells = isReadable && first?.[1] !== undefined;
  for (const [name, value] of values) {
    const parts = findParts(value, budget);
    if (parts !== null && isReadable) tells = true;
    if (parts === null) {
      digests[name] = hash(digestValue(value, budget));
      continue;
    }
    digests[name] = hash(`${findClassName(value as object)} ${parts.length}`);
    for (const [part, content] of parts.slice(0, MAX_PARTS)) digests[`${name}.${part}`] = hash(content());
    if (parts.length > MAX_PARTS)
      digests[`${name}.…`] = hash(
        parts
          .slice(MAX_PARTS)
          .map(([part, content]) => `${part}=${content()}`)
          .join(),
      );
  }
  return { digests, canTell: tells };
}

/**
 * A short text of a value for a person: a primitive value as it is, an error with its message, and any other value by
 * its kind. Long texts are cut.
 */
export function formatShortValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN_CHARACTERS));
  if (typeof value === 'bigint') return `${value}n`;
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return String(value);
  if (types.isProxy(value)) return 'a proxy';
  if (typeof value === 'function') return 'a function';
  if (types.isNativeError(value))
    return `${findClassName(value)}: ${readData(value, 'message')}`.slice(0, 2 * SHOWN_CHARACTERS);
  return findClassName(value);
}

/**
 * The parts of a value, each with its name and a function that returns its text: the own properties of an object or
 * array, except hidden ones (`isHidden`), or the parts of a web platform object. Null if the value has no parts, or has
 * one digest as a whole.
 */
function findParts(value: unknown, budget: Budget): (readonly [string, () => string])[] | null {
  if (value === null || typeof value !== 'object' || types.isProxy(value) || isIndivisible(value)) return null;
  const webParts = findWebParts(value);
  if (webParts !== null) return webParts.map(([name, content]) => [name, () => removePorts(content)] as const);
  const properties = Object.entries(descriptorsOf(value)).filter(
    ([name]) => !(Array.isArray(value) ? name === 'length' : isHidden(value, name)),
  );
  if (properties.length === 0) return null;
  return properties.map(
    ([name, property]) =>
      [name, () => ('value' in property ? digestValue(property.value, budget, 1) : 'accessor')] as const,
  );
}

/** True for values that have one digest as a whole. */
function isIndivisible(value: object): boolean {
  return (
    types.isDate(value) ||
    types.isRegExp(value) ||
    types.isMap(value) ||
    types.isSet(value) ||
    types.isPromise(value) ||
    types.isBoxedPrimitive(value) ||
    ArrayBuffer.isView(value) ||
    types.isAnyArrayBuffer(value)
  );
}

/**
 * True for values whose content cannot be read, such as a function, a promise, an iterator or an object with private
 * fields only.
 */
function isOpaque(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null) return false;
  if (types.isProxy(value) || types.isPromise(value)) return true;
  const isKnown =
    isPlainObject(value) || isIndivisible(value) || types.isNativeError(value) || findWebParts(value) !== null;
  return !isKnown && Object.keys(descriptorsOf(value)).length === 0;
}

/**
 * True for an array, and for an object without a class. The class is recognised by its name, because each realm has its
 * own `Object`.
 */
function isPlainObject(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = getPrototypeOf(value);
  if (prototype === null) return true;
  return !types.isProxy(prototype) && getPrototypeOf(prototype) === null && findClassName(value) === 'Object';
}

/** True for parts of an error that depend on the spelling of the code: its stack, and a message of the engine. */
function isHidden(value: object, name: string): boolean {
  if (!types.isNativeError(value)) return false;
  if (name !== 'message' || !/^(?:Type|Reference)Error$/.test(findClassName(value))) return name === 'stack';
  return ENGINE_MESSAGE_PATTERN.test(String(readData(value, 'message')));
}

/** Limits for reading the values of one call. */
interface Budget {
  /** Number of values that may still be read. */
  remainingCount: number;
}

/**
 * A text of a value. Equal texts mean equal values, as far as the values were read. An object that occurs again is
 * written as its number. `startDepth`: the depth at which the value counts. `unreadable` if reading throws.
 */
function digestValue(value: unknown, budget: Budget, startDepth = 0): string {
  const numberByObject = new Map<object, number>();
  const formatAtDepth = (value: unknown, depth: number): string => {
    if (typeof value === 'string')
      return JSON.stringify(value.length > MAX_CHARACTERS ? `${value.length}${hash(value)}` : value);
    if (Object.is(value, -0)) return '-0';
    if (value === null || (typeof value !== 'object' && typeof value !== 'function'))
      return `${typeof value} ${String(value)}`;
    // A function's name depends on the spelling of the code, and reading from a proxy would run code.
    if (types.isProxy(value)) return 'proxy';
    if (typeof value === 'function') return 'function';
    const earlierNumber = numberByObject.get(value);
    if (earlierNumber !== undefined) return `#${earlierNumber}`;
    numberByObject.set(value, numberByObject.size);
    const kind = findClassName(value);
    if (types.isDate(value)) return `date ${dateTime.call(value)}`;
    if (types.isRegExp(value))
      return `pattern ${String(readData(value, 'lastIndex'))} ${RegExp.prototype.toString.call(value)}`;
    if (types.isPromise(value)) return 'promise';
    if (ArrayBuffer.isView(value))
      return `${kind} ${hash(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))}`;
    if (types.isAnyArrayBuffer(value)) return `${kind} ${hash(new Uint8Array(value))}`;
    if (types.isBoxedPrimitive(value)) return kind;
    const webParts = findWebParts(value);
    if (webParts !== null)
      return `${kind}{${webParts.map(([name, content]) => (name === 'header date' ? '' : `${name}=${content}`))}}`;
    budget.remainingCount -= 1;
    if (depth > MAX_DEPTH || numberByObject.size > MAX_OBJECTS || budget.remainingCount < 0) return kind;
    if (types.isMap(value))
      return `${kind}{${[...mapEntries.call(value)].map((pair) => pair.map((part) => formatAtDepth(part, depth + 1)).join(':'))}}`;
    if (types.isSet(value))
      return `${kind}{${[...setValues.call(value)].map((part) => formatAtDepth(part, depth + 1))}}`;
    const parts = Object.entries(descriptorsOf(value))
      .filter(([name]) => name !== 'stack' && !isHidden(value, name))
      .map(([name, part]) => `${name}=${'value' in part ? formatAtDepth(part.value, depth + 1) : 'accessor'}`);
    return `${kind}{${parts}}`;
  };
  try {
    return removePorts(formatAtDepth(value, startDepth));
  } catch {
    return 'unreadable';
  }
}

/** The text without ports, because a server in a test gets another port in each run. */
function removePorts(text: string): string {
  return text.replace(/(localhost|127\.0\.0\.1|::1\]|0\.0\.0\.0):\d{2,5}\b/g, '$1:port');
}

/** The parts of a web platform object, with their texts. */
type WebParts = readonly (readonly [name: string, content: string])[];

/**
 * The parts of a web platform object; null for any other value. Its own accessors are called, never an overridden one.
 */
function findWebParts(value: object): WebParts | null {
  try {
    for (const [name, read] of webReaders) {
      const Class = (globalThis as Record<string, unknown>)[name] as { readonly prototype: object } | undefined;
      if (Class && Object.prototype.isPrototypeOf.call(Class.prototype, value)) return read(value, Class.prototype);
    }
  } catch {
    // The value only looks like such an object.
  }
  return null;
}

const readAccessor = (value: object, prototype: object, name: string): unknown =>
  Object.getOwnPropertyDescriptor(prototype, name)?.get?.call(value);
const createAccessorReader =
  (...names: readonly string[]) =>
  (value: object, prototype: object): WebParts =>
    names.map((name) => [name, String(readAccessor(value, prototype, name))]);
const listHeaderParts = (headers: unknown): WebParts => {
  const entries = globalThis.Headers.prototype.entries as (this: unknown) => Iterable<[string, string]>;
  return [...entries.call(headers)].map(([name, content]) => [`header ${name}`, content]);
};
const createHeadersReader =
  (...names: readonly string[]) =>
  (value: object, prototype: object): WebParts => [
    ...createAccessorReader(...names)(value, prototype),
    ...listHeaderParts(readAccessor(value, prototype, 'headers')),
  ];

const webReaders: readonly (readonly [string, (value: object, prototype: object) => WebParts])[] = [
  ['Headers', listHeaderParts],
  ['URL', createAccessorReader('href')],
  ['URLSearchParams', (value) => [['text', URLSearchParams.prototype.toString.call(value)]]],
  ['Request', createHeadersReader('method', 'url')],
  ['Response', createHeadersReader('status', 'statusText')],
];

/**
 * The name of the class, found without running code: `null` if the value has no prototype or one that cannot be read,
 * `object` if the class cannot be found.
 */
function findClassName(value: object): string {
  if (Array.isArray(value)) return 'Array';
  const prototype: unknown = getPrototypeOf(value);
  if (prototype === null || typeof prototype !== 'object' || types.isProxy(prototype)) return 'null';
  const constructor = readData(prototype, 'constructor');
  return typeof constructor === 'function' && !types.isProxy(constructor)
    ? String(readData(constructor, 'name') ?? 'object')
    : 'object';
}

/** The value of an own property; undefined for an accessor. */
function readData(value: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function hash(content: string | Uint8Array): string {
  return createHash('sha1').update(content).digest('base64url').slice(0, 10);
}
