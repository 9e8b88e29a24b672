// The diff of a change in the report of a night.

import { block, md, type Insertable } from '../../protocol/markdown.ts';
import { counted } from '../../util/counted.ts';

/** Lines of a diff in the report; the rest is counted. A screen shows about this many. */
const MAX_LINES = 40;
/** Lines of git that say nothing to a reader of the report. */
const HEADER = /^(?:diff --git |index [0-9a-f]|(?:new|deleted) file mode |old mode |new mode |similarity index )/;

/** The diff as a code block, without git's own headers; nothing for a change without lines. */
export function changeDiff(diff: string): readonly Insertable[] {
  const shown = diff.split('\n').filter((line) => !HEADER.test(line));
  while (shown.at(-1) === '') shown.pop();
  if (shown.length === 0) return [];
  const rest = shown.length - MAX_LINES;
  return [
    block(shown.slice(0, MAX_LINES).join('\n'), 'diff'),
    '',
    ...(rest > 0 ? [md`… and ${counted(rest, 'more line')}.`, ''] : []),
  ];
}
