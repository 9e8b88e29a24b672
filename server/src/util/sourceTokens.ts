// Replaces comments and strings of source code without a parser, in one pass and in linear time for any text.

/**
 * Works like `text.replace(openers, replacement)`, except that a match `/*` is extended to the complete block comment,
 * and a quote (`'` or `"`) to the complete string on its line. An opener without an end is plain text, so that nothing
 * after it is hidden. `openers` must be global.
 */
export function replaceCommentsAndStrings(
  text: string,
  openers: RegExp,
  replacement: (token: string) => string,
): string {
  const parts: string[] = [];
  /** For each kind of quote: the offset before which no string can begin, because it would not end on its line. */
  const unclosedUpTo: Record<string, number> = { "'": 0, '"': 0 };
  let hasCommentEnd = true;
  let copiedUpTo = 0;
  openers.lastIndex = 0;
  for (let match = openers.exec(text); match; match = openers.exec(text)) {
    const [opener] = match;
    let end = match.index + opener.length;
    if (opener === '/*') {
      const closingOffset: number = hasCommentEnd ? text.indexOf('*/', end) : -1;
      hasCommentEnd = closingOffset >= 0;
      if (!hasCommentEnd) continue;
      end = closingOffset + 2;
    } else if (opener === "'" || opener === '"') {
      if (match.index < unclosedUpTo[opener]!) continue;
      const closingOffset = findClosingIndex(text, opener, end);
      if (text[closingOffset] !== opener) {
        unclosedUpTo[opener] = closingOffset;
        continue;
      }
      end = closingOffset + 1;
    }
    parts.push(text.slice(copiedUpTo, match.index), replacement(text.slice(match.index, end)));
    openers.lastIndex = copiedUpTo = end;
  }
  parts.push(text.slice(copiedUpTo));
  return parts.join('');
}

/**
 * The offset of the end of a string: that of its closing quote or, if there is none, of the end of the line. A
 * backslash escapes the next character.
 */
function findClosingIndex(text: string, quote: string, start: number): number {
  let offset = start;
  while (offset < text.length && text[offset] !== quote && text[offset] !== '\n')
    offset += text[offset] === '\\' && text[offset + 1] !== '\n' ? 2 : 1;
  return offset;
}
