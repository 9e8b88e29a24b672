// Counts the lines of a file that contain code.

/**
 * Number of lines that are neither blank nor comment. `hasHashComments`: true if comments start with `#` (Python);
 * otherwise they start with `//` or are block comments. Only the start of a line is examined, and strings are not
 * recognised, so a comment mark at the start of a line within a string is misread.
 */
export function countCodeLines(text: string, hasHashComments: boolean): number {
  let count = 0;
  let isInBlock = false;
  for (const rawLine of text.split(/\r\n|\r|\n/)) {
    let line = rawLine.trim();
    if (isInBlock) {
      const close = line.indexOf('*/');
      if (close < 0) continue;
      line = line.slice(close + 2).trim();
      isInBlock = false;
    }
    if (!hasHashComments && line.startsWith('/*')) {
      const close = line.indexOf('*/', 2);
      isInBlock = close < 0;
      line = isInBlock ? '' : line.slice(close + 2).trim();
    }
    if (line === '' || line.startsWith(hasHashComments ? '#' : '//')) continue;
    count++;
  }
  return count;
}
