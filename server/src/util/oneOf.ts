// Builds a part of a pattern that matches any entry of a list.

/** A pattern for any entry of `words`, whose entries are separated by blanks and line breaks. */
export function oneOf(words: string): string {
  return words.trim().split(/\s+/).join('|');
}
