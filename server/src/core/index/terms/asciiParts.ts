// Splits ASCII words like `splitIdentifier`, but without allocating strings, because every new word of a repository is
// split here.

/**
 * A word in lower case without `_` and `$`: `length` letters in `units`, and `count` parts, which end at the offsets in
 * `ends`.
 */
export interface AsciiParts {
  readonly units: Uint16Array;
  readonly ends: Uint16Array;
  length: number;
  count: number;
}

/** Kinds of characters. */
const OTHER_CHARACTER = 0,
  LOWER_CASE_LETTER = 1,
  UPPER_CASE_LETTER = 2,
  DIGIT = 3;
const KIND_BY_CODE = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return /[a-z]/.test(letter)
    ? LOWER_CASE_LETTER
    : /[A-Z]/.test(letter)
      ? UPPER_CASE_LETTER
      : /\d/.test(letter)
        ? DIGIT
        : OTHER_CHARACTER;
});
/** The bit that turns an upper-case ASCII letter into lower case. */
const LOWER_CASE_BIT = 0x20;

/** Allocates space for the parts of a word. `longest`: the maximum number of letters of a word. */
export function createAsciiParts(longest: number): AsciiParts {
  return { units: new Uint16Array(longest), ends: new Uint16Array(longest), length: 0, count: 0 };
}

/**
 * Splits the word between two offsets, which consists of ASCII letters, digits, `_` and `$`, and writes the parts to
 * `into`.
 */
export function readAsciiParts(units: Uint16Array, from: number, to: number, into: AsciiParts): void {
  let length = 0;
  let count = 0;
  for (let current = from; current < to; ) {
    const kind = KIND_BY_CODE[units[current]!]!;
    if (kind === OTHER_CHARACTER) {
      current++;
      continue;
    }
    let end = current + 1;
    while (end < to && KIND_BY_CODE[units[end]!]! === kind) end++;
    if (kind === UPPER_CASE_LETTER && end < to && KIND_BY_CODE[units[end]!]! === LOWER_CASE_LETTER) {
      // The last of several upper-case letters begins the next part; a single one begins its own part.
      if (end - current > 1) end--;
      else while (end < to && KIND_BY_CODE[units[end]!]! === LOWER_CASE_LETTER) end++;
    }
    for (; current < end; current++)
      into.units[length++] =
        KIND_BY_CODE[units[current]!]! === UPPER_CASE_LETTER ? units[current]! | LOWER_CASE_BIT : units[current]!;
    into.ends[count++] = length;
  }
  into.length = length;
  into.count = count;
}
