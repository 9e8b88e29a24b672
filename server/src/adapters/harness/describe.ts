// Describes any value as a text. Within the limits below, two values have equal texts only if they are structurally
// equal: NaN, -0, holes, missing and undefined properties, cycles, shared parts and classes are distinguished.

import { sources } from './createValue.ts';

/** A value as a text. */
export interface DescribedValue {
  readonly text: string;
  /** True if `text` is an expression that creates an equal value. */
  readonly isExact: boolean;
  /**
   * An expression in which objects without a class are written as plain objects; null if the value contains no such
   * object, or cannot be written as an expression for other reasons.
   */
  readonly bareText: string | null;
}

/** Maximum number of items of one collection that are written; the others are counted. */
const MAX_ITEMS = 2_000;
/** Maximum depth. Values further inside are written as `…`. */
const MAX_DEPTH = 40;
/** A private-use character that marks the start and the end of the words before an object without a class. */
const BARE_OBJECT_MARK = '\u{F0000}';
/** Matches the words before an object without a class, with their marks. */
const BARE_WORDS = new RegExp(`${BARE_OBJECT_MARK}[^${BARE_OBJECT_MARK}]*${BARE_OBJECT_MARK}`, 'gu');

/** The results of promises that have settled. */
export type SettledPromises = ReadonlyMap<Promise<unknown>, { readonly rejected: boolean; readonly value: unknown }>;

const NONE_SETTLED: SettledPromises = new Map();

/**
 * Creates a function that describes values and remembers their objects: a second occurrence of an object refers to the
 * place of the first, so that values that share a part differ from values with equal parts. `settledPromises`: results that are
 * written for promises. `namedObjects`: objects that are written as these names.
 */
export function createDescriber(
  settledPromises: SettledPromises = NONE_SETTLED,
  namedObjects: readonly (readonly [object, string])[] = [],
): (value: unknown, place: string) => DescribedValue {
  const places = new Map<object, string>(namedObjects);
  return (value, name) => {
    let isExact = true;
    /** True if the text contains an object without a class, which `bareText` writes as a plain object. */
    let hasBareObject = false;
    /** True if a part cannot be written as an expression at all. */
    let hasUnwritable = false;
    const text = write(value, name, 0);
    return {
      text: text.replaceAll(BARE_OBJECT_MARK, ''),
      isExact: isExact,
      bareText: hasBareObject && !hasUnwritable ? text.replaceAll(BARE_WORDS, '') : null,
    };

    /**
     * Returns the word, and notes that the text is not an expression, even if objects without a class are written as
     * plain ones.
     */
    function markInexact(word: string): string {
      isExact = false;
      hasUnwritable = true;
      return word;
    }

    function write(value: unknown, path: string, depth: number): string {
      switch (typeof value) {
        case 'string':
          return JSON.stringify(value);
        case 'number':
          return Object.is(value, -0) ? '-0' : String(value);
        case 'bigint':
          return `${value}n`;
        case 'symbol':
          return Symbol.keyFor(value) === undefined
            ? markInexact(value.toString())
            : `Symbol.for(${JSON.stringify(Symbol.keyFor(value))})`;
        case 'boolean':
        case 'undefined':
          return String(value);
      }
      if (value === null) return 'null';
      const place = places.get(value as object);
      if (place !== undefined) return markInexact(`<${place}>`);
      places.set(value as object, path);
      if (depth > MAX_DEPTH) return markInexact('…');
      try {
        return writeObject(value as object, path, depth);
      } catch (error) {
        return markInexact(`<unreadable: ${error instanceof Error ? error.name : typeof error}>`);
      }
    }

    function writeObject(object: object, path: string, depth: number): string {
      const source = sources.get(object);
      if (source !== undefined) return markInexact(source);
      if (typeof object === 'function')
        return markInexact(
          `<function>${formatFields(object, path, depth, ['length', 'name', 'prototype', 'arguments', 'caller'])}`,
        );
      if (Array.isArray(object)) return writeArray(object, path, depth);
      if (object instanceof Date) return `new Date(${object.getTime()})`;
      if (object instanceof RegExp)
        return object.lastIndex === 0 ? String(object) : markInexact(`${object} at ${object.lastIndex}`);
      if (object instanceof Promise) return markInexact(writePromise(object, path, depth));
      if (object instanceof Error) return markInexact(writeError(object, path, depth));
      if (object instanceof Map) {
        const entries = [...object.entries()].map(([key, value], index) => {
          const keyText = write(key, `${path} key ${index}`, depth + 1);
          return `[${keyText}, ${write(value, `${path} value ${index}`, depth + 1)}]`;
        });
        return `new Map([${joinItems(entries)}])`;
      }
      if (object instanceof Set)
        return `new Set([${joinItems([...object.values()].map((value, index) => write(value, `${path} item ${index}`, depth + 1)))}])`;
      if (ArrayBuffer.isView(object) && !(object instanceof DataView))
        return markInexact(
          `${classNameOf(object)}[${joinItems(Array.from(object as unknown as Iterable<number>, String))}]`,
        );
      if (object instanceof String || object instanceof Number || object instanceof Boolean)
        return markInexact(`${classNameOf(object)} object ${write(object.valueOf(), path, depth + 1)}`);
      if (object instanceof WeakMap || object instanceof WeakSet || object instanceof WeakRef)
        return markInexact(`<${classNameOf(object)}>`);
      const prototype: unknown = Object.getPrototypeOf(object);
      const fields = formatFields(object, path, depth, []);
      if (prototype === Object.prototype) return fields;
      if (prototype !== null && !hasNoClass(prototype as object))
        return markInexact(`${classNameOf(object)} ${fields}`);
      isExact = false;
      hasBareObject = true;
      return `${BARE_OBJECT_MARK}${prototype === null ? '<no prototype>' : 'object'} ${BARE_OBJECT_MARK}${fields}`;
    }

    function writeArray(values: readonly unknown[], path: string, depth: number): string {
      const items: string[] = [];
      for (let index = 0; index < Math.min(values.length, MAX_ITEMS); index++)
        items.push(index in values ? write(values[index], `${path}[${index}]`, depth + 1) : '');
      if (values.length > MAX_ITEMS) items.push(markInexact(`… ${values.length} items`));
      // A hole at the end needs its comma.
      const trailingComma = values.length > 0 && !(values.length - 1 in values) ? ',' : '';
      const extraKeys = Object.keys(values).filter((key) => !/^\d+$/.test(key));
      const properties = values as unknown as Readonly<Record<string, unknown>>;
      const extraTexts = extraKeys.map((key) => `${key}: ${write(properties[key], `${path}.${key}`, depth + 1)}`);
      return `[${items.join(', ')}${trailingComma}]${extraTexts.length > 0 ? markInexact(` with ${extraTexts.join(', ')}`) : ''}`;
    }

    function formatFields(object: object, path: string, depth: number, excludedNames: readonly string[]): string {
      const fields: string[] = [];
      for (const key of Reflect.ownKeys(object)) {
        const property = Object.getOwnPropertyDescriptor(object, key);
        if (!property || excludedNames.includes(key as string)) continue;
        if (!property.enumerable) markInexact('');
        const name =
          typeof key === 'symbol'
            ? `[${key.toString()}]`
            : key === '__proto__'
              ? '["__proto__"]'
              : /^(?:[A-Za-z_$][\w$]*|0|[1-9]\d{0,8})$/.test(key)
                ? key
                : JSON.stringify(key);
        if (typeof key === 'symbol' || property.get) markInexact('');
        const prefix = property.enumerable ? '' : 'hidden ';
        fields.push(
          `${prefix}${name}: ${write((object as Record<PropertyKey, unknown>)[key], `${path}.${String(key)}`, depth + 1)}`,
        );
        if (fields.length >= MAX_ITEMS) break;
      }
      if (!Object.isExtensible(object)) fields.push(markInexact('<not extensible>'));
      if (typeof object === 'function') return fields.length === 0 ? '' : ` { ${fields.join(', ')} }`;
      return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
    }

    function writePromise(promise: Promise<unknown>, path: string, depth: number): string {
      const result = settledPromises.get(promise);
      if (!result) return '<promise that does not settle>';
      return `<promise ${result.rejected ? 'rejected with ' : 'of '}${write(result.value, `${path} value`, depth + 1)}>`;
    }

    function writeError(error: Error, path: string, depth: number): string {
      const ownKeys = Object.keys(error).filter((key) => key !== 'stack');
      const fields = ownKeys.map(
        (key) => `${key}: ${write((error as unknown as Record<string, unknown>)[key], `${path}.${key}`, depth + 1)}`,
      );
      if ('cause' in error && !ownKeys.includes('cause'))
        fields.push(`cause: ${write(error.cause, `${path}.cause`, depth + 1)}`);
      return `${describeThrown(error)}${fields.length > 0 ? ` { ${fields.join(', ')} }` : ''}`;
    }
  };
}

/** True for a prototype that is empty and has none itself: some libraries give it to objects that they use as maps. */
function hasNoClass(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Reflect.ownKeys(prototype).length === 0;
}

/**
 * Errors that the compared code created itself. The messages of all other errors of built-in classes come from the
 * engine and depend on the spelling of an expression, so they are not compared.
 */
export const errorsOfCode = new WeakSet<object>();

/** Class and message of an error, in the form that follows `throws`; only the class if the engine created the error. */
export function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) return createDescriber()(error, 'thrown').text;
  const { name } = error;
  const kind = name === classNameOf(error) ? name : `${classNameOf(error)} (${name})`;
  const isByEngine =
    !errorsOfCode.has(error) &&
    /^(TypeError|ReferenceError|RangeError|SyntaxError|URIError)$/.test(classNameOf(error)) &&
    !('code' in error);
  return isByEngine ? kind : `${kind}: ${error.message}`;
}

/** The name of the object's class; `object` if it has none. */
function classNameOf(object: object): string {
  const name: unknown = (object as { readonly constructor?: { readonly name?: unknown } }).constructor?.name;
  return typeof name === 'string' && name !== '' ? name : 'object';
}

function joinItems(items: readonly string[]): string {
  return items.length <= MAX_ITEMS
    ? items.join(', ')
    : `${items.slice(0, MAX_ITEMS).join(', ')}, … ${items.length} items`;
}
