// Builds a part of a pattern that matches any entry of a list.

/** A pattern for any entry of `list`, whose entries are separated by blanks and line breaks. */
export function oneOf(list: string): string {
  return list.trim().split(/\s+/).join('|');
}
