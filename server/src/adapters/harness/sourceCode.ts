// Writes the code that creates a value from its description.

import type { ValueSpec } from './messages.ts';

/** The expression for a value, such as `{ a: [1, "b"] }`, `new Date("1970-01-01T00:00:00.000Z")` or `() => 1`. */
export function formatAsCode(spec: ValueSpec): string {
  if (spec === undefined || spec === null) return String(spec);
  if (typeof spec === 'string') return JSON.stringify(spec);
  if (typeof spec === 'bigint') return `${spec}n`;
  if (typeof spec === 'number') return Object.is(spec, -0) ? '-0' : String(spec);
  if (typeof spec === 'boolean') return String(spec);
  const formatArray = (elements: readonly ValueSpec[]) => `[${elements.map(formatAsCode).join(', ')}]`;
  switch (spec.$) {
    case 'array':
      return formatArray(spec.of);
    case 'set':
      return `new Set(${formatArray(spec.of)})`;
    case 'bytes':
      return `new Uint8Array(${formatArray(spec.of)})`;
    case 'record':
      return spec.fields.length === 0
        ? '{}'
        : `{ ${spec.fields.map(([name, value]) => `${formatKey(name)}: ${formatAsCode(value)}`).join(', ')} }`;
    case 'map':
      return `new Map([${spec.entries.map(([key, value]) => `[${formatAsCode(key)}, ${formatAsCode(value)}]`).join(', ')}])`;
    case 'date':
      return Number.isNaN(spec.millis) ? 'new Date(NaN)' : `new Date(${JSON.stringify(formatDate(spec.millis))})`;
    case 'regexp':
      return `/${spec.source}/${spec.flags}`;
    case 'error':
      return `new Error(${JSON.stringify(spec.text)})`;
    case 'code':
      return spec.text;
    case 'recorder':
      return formatRecorderName('listener', spec.id);
    case 'symbol':
      return `Symbol.for(${JSON.stringify(spec.text)})`;
    case 'url':
      return `new URL(${JSON.stringify(spec.text)})`;
    case 'signal':
      return spec.aborted ? 'AbortSignal.abort()' : 'new AbortController().signal';
    case 'promise':
      return spec.rejects ? 'Promise.reject(new Error("fails"))' : `Promise.resolve(${formatAsCode(spec.of)})`;
    case 'iterable':
      return spec.async
        ? `(async function* () { yield* ${formatArray(spec.of)}; })()`
        : `${formatArray(spec.of)}.values()`;
    case 'stub':
      return `() => ${parenthesiseObject(formatAsCode(spec.answers[0]))}`;
    case 'placeholder':
      return 'undefined';
  }
}

function formatKey(name: string): string {
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function formatDate(millis: number): string {
  return new Date(millis).toISOString();
}

/**
 * The expression, in parentheses if it begins with a brace, because `() => {}` would be a function without a result.
 */
function parenthesiseObject(text: string): string {
  return text.startsWith('{') ? `(${text})` : text;
}

/**
 * The name of the recorder with the number `id`: `listener`, `listener2` and so on. `name`: the name of the first
 * recorder.
 */
export function formatRecorderName(name: string, id: number): string {
  return id === 0 ? name : `${name}${id + 1}`;
}
