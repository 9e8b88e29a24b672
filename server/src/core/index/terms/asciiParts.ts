// Splits ASCII words as `partsOf` does, without allocating strings, because every new word of a repository passes
// through here.

/** A word in small letters, without `_` and `$`, and where each of its parts ends. */
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
/** What makes a large letter of ASCII a small one. */
const TO_SMALL = 0x20;

/** For words of up to so many letters. */
export function createAsciiParts(longest: number): AsciiParts {
  return { units: new Uint16Array(longest), ends: new Uint16Array(longest), length: 0, count: 0 };
}

/** Of a word between two places, of letters, digits, `_` and `$` alone. */
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
      // The last large letter begins the part behind it; alone it is the part's first.
      if (end - at > 1) end--;
      else while (end < to && kinds[units[end]!]! === SMALL) end++;
    }
    for (; at < end; at++) into.units[length++] = kinds[units[at]!]! === LARGE ? units[at]! | TO_SMALL : units[at]!;
    into.ends[count++] = length;
  }
  into.length = length;
  into.count = count;
}
