// Corrects typographic characters that models write instead of those in the source, and spaces that tokenisers lose or
// add.

/** ASCII characters by the typographic characters that they replace. */
const PLAIN_BY_TYPOGRAPHIC: ReadonlyMap<string, string> = new Map([
  ...[...'\u2018\u2019\u201A\u201B\u2032'].map((mark) => [mark, "'"] as const),
  ...[...'\u201C\u201D\u201E\u201F\u2033'].map((mark) => [mark, '"'] as const),
  ...[...'\u2010\u2011\u2012\u2013\u2014\u2212'].map((mark) => [mark, '-'] as const),
  ...[...'\u00A0\u2002\u2003\u2007\u2009\u202F'].map((mark) => [mark, ' '] as const),
]);

/** Replaces typographic quotation marks, dashes and spaces by their ASCII forms. */
export function toAsciiPunctuation(line: string): string {
  let result = '';
  for (const character of line) result += PLAIN_BY_TYPOGRAPHIC.get(character) ?? character;
  return result;
}

/**
 * Spells `line`, which a model wrote, like the file. `search`: the text that the model quoted. `fileText`: the same
 * text in the file. A typographic character that occurs in `search` but not in `fileText` was added by the model, so it
 * is replaced by its ASCII form.
 */
export function spellAsFile(line: string, search: string, fileText: string): string {
  let result = '';
  for (const character of line) {
    const asciiCharacter = PLAIN_BY_TYPOGRAPHIC.get(character);
    result +=
      asciiCharacter !== undefined && search.includes(character) && !fileText.includes(character)
        ? asciiCharacter
        : character;
  }
  return result;
}

/** Removes spaces next to punctuation, and shortens other runs of spaces to one space. */
export function removeSpacing(line: string): string {
  let result = '';
  let isAfterBlank = false;
  for (const character of line) {
    if (character === ' ' || character === '\t') {
      isAfterBlank = true;
      continue;
    }
    if (isAfterBlank && result !== '' && isWord(result.at(-1)!) && isWord(character)) result += ' ';
    isAfterBlank = false;
    result += character;
  }
  return result;
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}_$]/u.test(character);
}
