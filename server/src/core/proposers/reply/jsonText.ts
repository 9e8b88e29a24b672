// Reads JSON as models write it: with trailing commas, comments, or line breaks within strings. Nothing is completed:
// if brackets are open, the text was cut.

import json5 from 'json5';

/** The value, or undefined if the text is not JSON. */
export function parseLooseJson(text: string): unknown {
  for (const attempt of [JSON.parse, json5.parse, (source: string) => json5.parse(escapeBreaks(source))]) {
    try {
      return attempt(text) as unknown;
    } catch {
      // The next parser may read it.
    }
  }
  return undefined;
}

/** Escapes line breaks and tabs within double quotes. */
function escapeBreaks(text: string): string {
  let result = '';
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]!;
    if (isQuoted && character === '\\') {
      result += character + (text[index + 1] ?? '');
      index += 1;
    } else if (character === '"') {
      isQuoted = !isQuoted;
      result += character;
    } else if (isQuoted && character === '\n') result += '\\n';
    else if (isQuoted && character === '\t') result += '\\t';
    else if (isQuoted && character === '\r') result += '\\r';
    else result += character;
  }
  return result;
}

/** The outermost objects and arrays in a text, in order. `open`: one of them does not end. */
export function findJsonParts(text: string): { readonly parts: readonly string[]; readonly open: boolean } {
  const parts: string[] = [];
  let [depth, start, quoted] = [0, -1, false];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]!;
    if (depth > 0 && quoted) {
      if (character === '\\') index += 1;
      else if (character === '"') quoted = false;
    } else if (depth > 0 && character === '"') quoted = true;
    else if (character === '{' || character === '[') {
      if (depth === 0) start = index;
      depth += 1;
    } else if (depth > 0 && (character === '}' || character === ']')) {
      depth -= 1;
      if (depth === 0) parts.push(text.slice(start, index + 1));
    }
  }
  return { parts, open: depth > 0 };
}
