// A part of a pattern that matches any of the entries of a list.

/** `list`: pieces of patterns, separated by blanks and line breaks. */
export function oneOf(list: string): string {
  return list.trim().split(/\s+/).join('|');
}
