// large-file: finds files with too many lines of code, in any language.

import type { Finding } from '../finding.ts';
import type { FileFinder } from '../finders.ts';
import { rule } from './rule.ts';

export const finder: FileFinder = { find: findLargeFile };

/** A file with more lines of code is reported. */
const MAX_CODE_LINES = rule.limit.least;

/** Reports a large file at its first line. `codeLines`: number of lines that contain code. */
function findLargeFile(text: string, codeLines: number): Finding[] {
  if (codeLines <= MAX_CODE_LINES) return [];
  const firstLineEnd = text.search(/\r|\n|$/);
  return [
    {
      rule: 'large-file',
      start: 0,
      end: firstLineEnd,
      nameStart: 0,
      nameEnd: firstLineEnd,
      severity: codeLines > 3 * MAX_CODE_LINES ? 'information' : 'hint',
      impact: 25,
      confidence: 0.55,
      message: `${codeLines} lines of code in one file; above ${MAX_CODE_LINES} it usually holds more than one idea.`,
      evidence: { lines: codeLines, threshold: MAX_CODE_LINES },
      recipe: null,
      identity: '',
    },
  ];
}
