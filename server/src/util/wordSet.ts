// Creates a set of words from a text that lists them, separated by spaces and line breaks.

/** The words of `text`, each once. */
export function createWordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
