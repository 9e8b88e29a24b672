// Splits identifiers into words.

/** Matches an acronym, a word with or without an upper-case first letter, or a number. */
const PART_PATTERN = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu;

/** The parts of an identifier in lower case: `parseHTTPUrl_v2` → parse, http, url, v, 2. */
export function splitIdentifier(identifier: string): string[] {
  return (identifier.match(PART_PATTERN) ?? []).map((part) => part.toLowerCase());
}
