// Builds a part of a regular expression that matches any entry of a list.

/**
 * The source of a regular expression for any entry of `text`, such as `a|b`. Spaces and line breaks separate the
 * entries, which are not escaped.
 */
export function createAnyOfPattern(text: string): string {
  return text.trim().split(/\s+/).join('|');
}
