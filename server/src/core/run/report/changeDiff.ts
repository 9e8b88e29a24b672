// The diff of a change in the report of a night.

import { fencedBlock, md, type Insertable } from '../../../protocol/markdown.ts';
import { formatCount } from '../../../util/counted.ts';

/** Maximum number of lines of a diff in the report; further ones are only counted. A screen shows about this many. */
const MAX_LINES = 40;
/**
 * Maximum number of characters of a line; the remaining ones are cut off. A very long line, such as generated code,
 * would freeze a preview.
 */
const MAX_WIDTH = 200;
/** Matches the header lines of git, which are of no use to a reader of the report. */
const HEADER_PATTERN =
  /^(?:diff --git |index [0-9a-f]|(?:new|deleted) file mode |old mode |new mode |similarity index )/;

/** The beginning of a diff. */
export interface ShortDiff {
  readonly text: string;
  /** Number of further lines, which `text` omits. */
  readonly omittedLines: number;
}

/** Shortens a diff to the lines that the report shows, without git's own headers. */
export function shortenDiff(diff: string): ShortDiff {
  const diffLines = diff.split('\n').filter((line) => !HEADER_PATTERN.test(line));
  while (diffLines.at(-1) === '') diffLines.pop();
  const text = diffLines
    .slice(0, MAX_LINES)
    .map((line) => (line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH)}…` : line))
    .join('\n');
  return { text, omittedLines: Math.max(0, diffLines.length - MAX_LINES) };
}

/** The diff as a code block; empty for a change without lines. */
export function createDiffBlock({ text, omittedLines }: ShortDiff): readonly Insertable[] {
  if (text === '') return [];
  return [
    fencedBlock(text, 'diff'),
    '',
    ...(omittedLines > 0 ? [md`… and ${formatCount(omittedLines, 'more line')}.`, ''] : []),
  ];
}
