// Replaces comments and strings of source code without a parser, in one pass and in linear time for any text.

/**
 * Like `text.replace(openers, …)`, where the opener `/*` stands for the whole block comment, and a quote (`'` or `"`)
 * for the whole string on its line. An opener without an end is plain text, so that nothing after it is hidden.
 * `openers` must be global.
 */
export function replaceCommentsAndStrings(
  text: string,
  openers: RegExp,
  replacement: (token: string) => string,
): string {
  const parts: string[] = [];
  /** For each kind of quote, the position up to which no string can end. */
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
      const close = findClosingIndex(text, opener, end);
      if (text[close] !== opener) {
        unclosedUpTo[opener] = close;
        continue;
      }
      end = close + 1;
    }
    parts.push(text.slice(copiedUpTo, match.index), replacement(text.slice(match.index, end)));
    openers.lastIndex = copiedUpTo = end;
  }
  parts.push(text.slice(copiedUpTo));
  return parts.join('');
}

/**
 * The offset of the end of the string: its closing quote, or the end of the line. A backslash escapes the next
 * character.
 */
function findClosingIndex(text: string, quote: string, start: number): number {
  let offset = start;
  while (offset < text.length && text[offset] !== quote && text[offset] !== '\n')
    offset += text[offset] === '\\' && text[offset + 1] !== '\n' ? 2 : 1;
  return offset;
}
