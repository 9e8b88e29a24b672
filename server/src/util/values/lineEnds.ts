// Looks at the ends of lines, and at the first line.

/** The most frequent line end of a text; `\n` for a single line. */
export function findFrequentLineEnd(text: string): '\r\n' | '\n' {
  const lineCount = text.split('\n').length - 1;
  const crlfCount = text.split('\r\n').length - 1;
  return crlfCount * 2 > lineCount ? '\r\n' : '\n';
}

/** The text with a line break at its end, unless it is empty. */
export function addFinalNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** The first line of a text, cut to 60 characters, for a message. */
export function shortenToFirstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
