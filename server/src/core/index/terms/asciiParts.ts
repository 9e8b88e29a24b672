// Splits ASCII words like `partsOf`, but without allocating strings, because every new word of a repository is split
// here.

/** A word in lower case, without `_` and `$`, and the offset at which each of its parts ends. */
export interface AsciiParts {
  readonly units: Uint16Array;
  readonly ends: Uint16Array;
  length: number;
  count: number;
}

const OTHER = 0,
  SMALL = 1,
  LARGE = 2,
  DIGIT = 3;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return /[a-z]/.test(letter) ? SMALL : /[A-Z]/.test(letter) ? LARGE : /\d/.test(letter) ? DIGIT : OTHER;
});
/** The bit that turns an upper-case ASCII letter into lower case. */
const TO_SMALL = 0x20;

/** Allocates space for the parts of a word. `longest`: the maximum number of letters of a word. */
export function createAsciiParts(longest: number): AsciiParts {
  return { units: new Uint16Array(longest), ends: new Uint16Array(longest), length: 0, count: 0 };
}

/** Splits the word between two offsets, which consists of letters, digits, `_` and `$`. */
export function readAsciiParts(units: Uint16Array, from: number, to: number, into: AsciiParts): void {
  let length = 0;
  let count = 0;
  for (let at = from; at < to; ) {
    const kind = kinds[units[at]!]!;
    if (kind === OTHER) {
      at++;
      continue;
    }
    let end = at + 1;
    while (end < to && kinds[units[end]!]! === kind) end++;
    if (kind === LARGE && end < to && kinds[units[end]!]! === SMALL) {
      // The last of several upper-case letters begins the next part; a single one begins its own part.
      if (end - at > 1) end--;
      else while (end < to && kinds[units[end]!]! === SMALL) end++;
    }
    for (; at < end; at++) into.units[length++] = kinds[units[at]!]! === LARGE ? units[at]! | TO_SMALL : units[at]!;
    into.ends[count++] = length;
  }
  into.length = length;
  into.count = count;
}
