// Compares texts in the same way on every machine, whatever its language.

/** Compares two texts by their UTF-16 units, for `sort`. */
export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
