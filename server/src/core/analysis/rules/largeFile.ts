// large-file: more lines of code than one idea needs, in any language.

import type { Finding } from './finding.ts';

export const LARGE_FILE_LINES = 1000;

/** `codeLines` = lines that hold more than blanks and comments. */
export function largeFileFindings(text: string, codeLines: number): Finding[] {
  if (codeLines <= LARGE_FILE_LINES) return [];
  const firstLineEnd = text.search(/\r|\n|$/);
  return [
    {
      rule: 'large-file',
      start: 0,
      end: firstLineEnd,
      nameStart: 0,
      nameEnd: firstLineEnd,
      severity: codeLines > 3 * LARGE_FILE_LINES ? 'information' : 'hint',
      impact: 25,
      confidence: 0.55,
      message: `${codeLines} lines of code in one file; above ${LARGE_FILE_LINES} it usually holds more than one idea.`,
      evidence: { lines: codeLines, threshold: LARGE_FILE_LINES },
      recipe: null,
      identity: '',
    },
  ];
}

/**
 * Lines that hold code: neither blank nor comment. `hash` = comments start with `#` (Python); otherwise `//` and
 * block comments. Judged line by line; a comment mark inside a string that starts a line may be misjudged.
 */
export function countCodeLines(text: string, hash: boolean): number {
  let count = 0;
  let inBlock = false;
  for (const raw of text.split(/\r\n|\r|\n/)) {
    let line = raw.trim();
    if (inBlock) {
      const close = line.indexOf('*/');
      if (close < 0) continue;
      line = line.slice(close + 2).trim();
      inBlock = false;
    }
    if (!hash && line.startsWith('/*')) {
      const close = line.indexOf('*/', 2);
      inBlock = close < 0;
      line = inBlock ? '' : line.slice(close + 2).trim();
    }
    if (line === '' || line.startsWith(hash ? '#' : '//')) continue;
    count++;
  }
  return count;
}
