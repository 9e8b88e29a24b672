// Decides from the characters around a name whether the name is defined there, for text in any language that is not
// parsed yet.

import { isIdentifierCharacter } from '../../../util/nameCharacters.ts';
import { CALL_WORDS, DEFINING_WORDS, LOCAL_DEFINING_WORDS } from './definingWords.ts';

/** Maximum number of UTF-16 units of a line that are read. */
const MAX_READ_UNITS = 240;

const TAB = 9,
  LINE_BREAK = 10,
  SPACE = 32,
  AMPERSAND = 38,
  OPEN_PAREN = 40,
  CLOSE_PAREN = 41,
  STAR = 42,
  DOT = 46,
  COLON = 58,
  GREATER = 62,
  CLOSED_SQUARE = 93;

/** The whole word at this offset, if it is a name that is defined there; otherwise null. */
export function findDefinitionAt(text: string, offset: number): string | null {
  let from = offset;
  let to = offset;
  while (isIdentifierCharacter(text.charCodeAt(from - 1))) from--;
  while (isIdentifierCharacter(text.charCodeAt(to))) to++;
  return isDefinedAt(text, findQualifierStart(text, from), to) ? text.slice(from, to) : null;
}

/**
 * True if the name between two offsets follows a defining word or a type, or begins its line and has the form of a
 * definition.
 */
function isDefinedAt(text: string, from: number, to: number): boolean {
  let end = from;
  for (
    let code = text.charCodeAt(end - 1);
    code === SPACE || code === TAB || code === STAR || code === AMPERSAND;
    code = text.charCodeAt(end - 1)
  )
    end--;
  if (end === 0 || text.charCodeAt(end - 1) === LINE_BREAK) return opensDefinition(text, to);
  if (end === from) return false;
  let start = end;
  while (isIdentifierCharacter(text.charCodeAt(start - 1))) start--;
  const word = text.slice(start, end);
  if (DEFINING_WORDS.has(word)) return true;
  if (LOCAL_DEFINING_WORDS.has(word)) return beginsLine(text, start);
  if (text.charCodeAt(to) !== OPEN_PAREN) return false;
  // A type before the name, and the brackets of parameters after it: `int size(`, `List<String> names(`, `func (s
  // *Store) Get(`.
  const lastCode = text.charCodeAt(end - 1);
  return (
    (word === ''
      ? lastCode === GREATER ||
        lastCode === CLOSED_SQUARE ||
        (lastCode === CLOSE_PAREN && isAtLineBeginning(text, start, 'func'))
      : !CALL_WORDS.has(word)) && opensBody(text, to)
  );
}

/** The beginning of the whole name: the beginning of `Store` for `get` in `Store.get` or `Store::get`. */
function findQualifierStart(text: string, from: number): number {
  let start = from;
  for (;;) {
    const previousCode = text.charCodeAt(start - 1);
    const separator = previousCode === DOT ? 1 : previousCode === COLON && text.charCodeAt(start - 2) === COLON ? 2 : 0;
    if (separator === 0 || !isIdentifierCharacter(text.charCodeAt(start - separator - 1))) return start;
    start -= separator;
    while (isIdentifierCharacter(text.charCodeAt(start - 1))) start--;
  }
}

/** True for a definition at the beginning of a line: `get(key) {`, `get = function`, `get: async (`. */
function opensDefinition(text: string, to: number): boolean {
  if (text.charCodeAt(to) === OPEN_PAREN) return readLineEnd(text, to).endsWith('{');
  return /^\s*[:=]\s*(?:async\b|function\b|class\b|\([^()]*\)\s*=>)/.test(readLineEnd(text, to));
}

/** True if the line ends like the head of a definition instead of like a statement. */
function opensBody(text: string, to: number): boolean {
  return /[{(,)]$/.test(readLineEnd(text, to));
}

function readLineEnd(text: string, to: number): string {
  const end = text.indexOf('\n', to);
  return text.slice(to, Math.min(end < 0 ? text.length : end, to + MAX_READ_UNITS)).trimEnd();
}

/** True if a word begins its line, apart from `export` or `pub` before it. */
function beginsLine(text: string, start: number): boolean {
  const previousCode = text.charCodeAt(start - 1);
  return (
    start === 0 ||
    previousCode === LINE_BREAK ||
    text.slice(Math.max(0, start - 7), start) === 'export ' ||
    text.slice(Math.max(0, start - 4), start) === 'pub '
  );
}

function isAtLineBeginning(text: string, start: number, word: string): boolean {
  return text.startsWith(word, text.lastIndexOf('\n', start - 1) + 1);
}
