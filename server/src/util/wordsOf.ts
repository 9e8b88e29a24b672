// Makes a set of words from a text that lists them, separated by blanks and line breaks.

/** The words of `list`, each once. */
export function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
