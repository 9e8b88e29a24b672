// Parses the direct content of a bracket, in code of any language that pairs its brackets.

/** Matches a string in quotes, up to the end if it is not closed, or a bracket. */
const QUOTED_OR_BRACKET = /'((?:[^'\\]|\\.?)*)(?:'|$)|"(?:[^"\\]|\\.?)*(?:"|$)|`(?:[^`\\]|\\.?)*(?:`|$)|[([{]|[)\]}]/gs;

/**
 * Returns the code from `start`, which is behind an opening bracket, up to the matching closing bracket. Inner brackets
 * and strings in quotes are empty, except for a word in single quotes.
 */
export function readTopLevel(code: string, start: number, length = 2_000): string {
  const text = code.slice(start, start + length);
  let depth = 0;
  let copiedUntil = 0;
  let topLevel = '';
  for (const { 0: token, 1: quoted = '', index } of text.matchAll(QUOTED_OR_BRACKET)) {
    if (depth === 0) topLevel += text.slice(copiedUntil, index);
    copiedUntil = index + token.length;
    if (/^[([{]/.test(token)) {
      if (depth === 0) topLevel += token;
      depth += 1;
    } else if (/^[)\]}]/.test(token)) {
      if (depth === 0) return topLevel;
      depth -= 1;
      if (depth === 0) topLevel += token;
    } else if (depth === 0) topLevel += /^[\w$]+$/.test(quoted) ? token : "''";
  }
  return depth === 0 ? topLevel + text.slice(copiedUntil) : topLevel;
}
