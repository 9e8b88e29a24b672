// Writes the code that creates a value from its description.

import type { Made } from './messages.ts';

/** The code, such as `{ a: [1, "b"] }`, `new Date(0)` or `() => 1`. */
export function codeOf(made: Made): string {
  if (made === undefined || made === null) return String(made);
  if (typeof made === 'string') return JSON.stringify(made);
  if (typeof made === 'bigint') return `${made}n`;
  if (typeof made === 'number') return Object.is(made, -0) ? '-0' : String(made);
  if (typeof made === 'boolean') return String(made);
  const list = (of: readonly Made[]) => `[${of.map(codeOf).join(', ')}]`;
  switch (made.$) {
    case 'array':
      return list(made.of);
    case 'set':
      return `new Set(${list(made.of)})`;
    case 'bytes':
      return `new Uint8Array(${list(made.of)})`;
    case 'record':
      return made.fields.length === 0
        ? '{}'
        : `{ ${made.fields.map(([name, value]) => `${keyOf(name)}: ${codeOf(value)}`).join(', ')} }`;
    case 'map':
      return `new Map([${made.entries.map(([key, value]) => `[${codeOf(key)}, ${codeOf(value)}]`).join(', ')}])`;
    case 'date':
      return Number.isNaN(made.millis) ? 'new Date(NaN)' : `new Date(${JSON.stringify(dateText(made.millis))})`;
    case 'regexp':
      return `/${made.source}/${made.flags}`;
    case 'error':
      return `new Error(${JSON.stringify(made.text)})`;
    case 'symbol':
      return `Symbol.for(${JSON.stringify(made.text)})`;
    case 'url':
      return `new URL(${JSON.stringify(made.text)})`;
    case 'signal':
      return made.aborted ? 'AbortSignal.abort()' : 'new AbortController().signal';
    case 'promise':
      return made.rejects ? 'Promise.reject(new Error("fails"))' : `Promise.resolve(${codeOf(made.of)})`;
    case 'iterable':
      return made.async ? `(async function* () { yield* ${list(made.of)}; })()` : `${list(made.of)}.values()`;
    case 'stub':
      return `() => ${withParentheses(codeOf(made.answers[0]))}`;
    case 'same':
      return 'undefined';
  }
}

function keyOf(name: string): string {
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function dateText(millis: number): string {
  return new Date(millis).toISOString();
}

/** The text in parentheses if it begins with a brace: `() => {}` would be a function without a result. */
function withParentheses(text: string): string {
  return text.startsWith('{') ? `(${text})` : text;
}
