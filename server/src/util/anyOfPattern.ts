// Builds a part of a pattern that matches any entry of a list.

/** A pattern for any entry of `text`, whose entries are separated by spaces and line breaks. */
export function createAnyOfPattern(text: string): string {
  return text.trim().split(/\s+/).join('|');
}
