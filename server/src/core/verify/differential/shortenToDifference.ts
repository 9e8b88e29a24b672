// Shortens the old and the new answer of a call so that a reader sees where they differ.

/** Maximum number of characters of each text. */
const MAX_CHARACTERS = 300;
/** Number of characters at the beginning that stay. */
const HEAD_LENGTH = 60;
/** Number of characters before the first difference that stay. */
const CONTEXT_LENGTH = 40;

/**
 * Both texts with at most `MAX_CHARACTERS` characters each. If they have a long common beginning, its middle is
 * omitted.
 */
export function shortenAroundDifference(
  before: string,
  after: string,
): { readonly before: string; readonly after: string } {
  if (before.length <= MAX_CHARACTERS && after.length <= MAX_CHARACTERS) return { before, after };
  let equalCount = 0;
  while (equalCount < Math.min(before.length, after.length) && before[equalCount] === after[equalCount]) equalCount++;
  const contextStart = equalCount - CONTEXT_LENGTH;
  const shorten = (text: string): string => {
    const parts = contextStart > HEAD_LENGTH ? `${text.slice(0, HEAD_LENGTH)}…${text.slice(contextStart)}` : text;
    return parts.length <= MAX_CHARACTERS ? parts : `${parts.slice(0, MAX_CHARACTERS - 1)}…`;
  };
  return { before: shorten(before), after: shorten(after) };
}
