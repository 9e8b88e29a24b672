// Corrects typographic characters that models write instead of the ones in the source, and spaces that tokenisers lose
// or add.

const PLAIN_BY_TYPOGRAPHIC: ReadonlyMap<string, string> = new Map([
  ...[...'\u2018\u2019\u201A\u201B\u2032'].map((mark) => [mark, "'"] as const),
  ...[...'\u201C\u201D\u201E\u201F\u2033'].map((mark) => [mark, '"'] as const),
  ...[...'\u2010\u2011\u2012\u2013\u2014\u2212'].map((mark) => [mark, '-'] as const),
  ...[...'\u00A0\u2002\u2003\u2007\u2009\u202F'].map((mark) => [mark, ' '] as const),
]);

/** Quotes, dashes and spaces as in ASCII. */
export function asciiPunctuation(line: string): string {
  let result = '';
  for (const character of line) result += PLAIN_BY_TYPOGRAPHIC.get(character) ?? character;
  return result;
}

/**
 * Spells `line`, a line that a model wrote, as the file does. `search`: the text that the model quoted; `path`: the
 * quoted text as the file has it. A typographic character of `search` that `path` does not have was added by the model
 * and becomes plain.
 */
export function spellAsFile(line: string, search: string, path: string): string {
  let result = '';
  for (const character of line) {
    const asciiCharacter = PLAIN_BY_TYPOGRAPHIC.get(character);
    result +=
      asciiCharacter !== undefined && search.includes(character) && !path.includes(character)
        ? asciiCharacter
        : character;
  }
  return result;
}

/** The line without spaces next to punctuation; other runs of spaces count as one. */
export function removeSpacing(line: string): string {
  let result = '';
  let isBlank = false;
  for (const character of line) {
    if (character === ' ' || character === '\t') {
      isBlank = true;
      continue;
    }
    if (isBlank && result !== '' && isWord(result.at(-1)!) && isWord(character)) result += ' ';
    isBlank = false;
    result += character;
  }
  return result;
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}_$]/u.test(character);
}
