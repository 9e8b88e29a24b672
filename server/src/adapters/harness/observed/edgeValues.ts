// Numbers and strings for which code often behaves differently.

/** Numbers for which arithmetic or comparison behaves unusually. */
export const STRANGE_NUMBERS = [NaN, -0, Infinity, -Infinity];
/** Numbers at which code often branches. */
export const EDGE_NUMBERS = [0, 1, -1, 2, 3, 0.5, 10, 100, 2 ** 31, Number.MAX_SAFE_INTEGER];
/**
 * Strings for which code often behaves differently: numbers, separators, case folding, surrogates, combining marks,
 * names of properties.
 */
export const EDGE_TEXTS = [
  '',
  ' ',
  'a',
  'b',
  'A',
  'ab',
  'a b',
  'a,b',
  '0',
  '1',
  '-1',
  '1.5',
  'é',
  'e\u0301',
  'ß',
  'İ',
  '𝒳',
  '👩‍👩‍👧',
  '\u00a0',
  '\n',
  'a\nb',
  '__proto__',
  'constructor',
  'true',
  'null',
  'undefined',
  '.',
  '/',
  '-',
  '_',
  '%',
  '$&',
  '\\',
];
