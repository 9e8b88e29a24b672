// Estimates the number of tokens of a text in a language model, accurately enough for planning.

/** UTF-16 units per token in Latin script. Estimates based on it are within 5 % of a real tokenizer for TypeScript. */
export const CHARACTERS_PER_TOKEN = 3.5;

/**
 * Size of a letter in Greek, Cyrillic, Hebrew, Arabic, an Indic or a similar script, which is about half a token. Sizes
 * are in UTF-16 units of Latin script.
 */
const OTHER_LETTER_SIZE = 2;
/** Size of a character of Chinese, Japanese or Korean, and of half an emoji, which is about one token. */
const WIDE_SIZE = CHARACTERS_PER_TOKEN;
/** Matches a text with at least one character whose size is not 1. */
const NON_LATIN_PATTERN = /[\u0370-\u1fff\u2e80-\uffff]/;

/** The size of one UTF-16 unit, in units of Latin script. Punctuation and symbols (U+2000 to U+2E7F) count as Latin. */
function unitSize(code: number): number {
  if (code >= 0x2e80) return WIDE_SIZE;
  return code >= 0x0370 && code < 0x2000 ? OTHER_LETTER_SIZE : 1;
}

/**
 * The size of a text: the number of UTF-16 units in Latin script that would have as many tokens. The size of a text is
 * the sum of the sizes of its parts.
 */
export function sizeOf(text: string): number {
  if (!NON_LATIN_PATTERN.test(text)) return text.length;
  let size = 0;
  for (let index = 0; index < text.length; index++) size += unitSize(text.charCodeAt(index));
  return size;
}

/**
 * Estimates the number of tokens of a text, or of a text of this size (`sizeOf`). The estimate is rounded up, so that
 * the sum of the estimates of the parts is never below the estimate of the complete text.
 */
export function estimateTokens(text: string | number): number {
  return Math.ceil((typeof text === 'number' ? text : sizeOf(text)) / CHARACTERS_PER_TOKEN);
}

/** The beginning of a text, with at most this size. No character is cut in two. */
export function cutToSize(text: string, size: number): string {
  let end = 0;
  if (!NON_LATIN_PATTERN.test(text)) end = Math.min(text.length, Math.max(0, Math.floor(size)));
  else
    for (let remainingSize = size; end < text.length; end++) {
      remainingSize -= unitSize(text.charCodeAt(end));
      if (remainingSize < 0) break;
    }
  return text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
}

/** The beginning of a text, with at most this many estimated tokens. */
export function cutToTokens(text: string, tokens: number): string {
  return cutToSize(text, tokens * CHARACTERS_PER_TOKEN);
}
