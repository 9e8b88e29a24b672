// Parses JSON as models write it: with trailing commas, comments, or line breaks within strings. Missing brackets are
// not added, because a text with open brackets was cut off.

import json5 from 'json5';

/** Parses the text; undefined if it is not JSON. */
export function parseLooseJson(text: string): unknown {
  for (const attempt of [JSON.parse, json5.parse, (source: string) => json5.parse(escapeBreaks(source))]) {
    try {
      return attempt(text) as unknown;
    } catch {
      // The next parser may be able to parse it.
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

/** Finds the end of the object or array that begins at this offset; null if it does not end. */
export function findJsonEnd(text: string, start: number): number | null {
  let [depth, isQuoted] = [0, false];
  for (let index = start; index < text.length; index += 1) {
    const character = text[index]!;
    if (isQuoted) {
      if (character === '\\') index += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return null;
}
