// Renders the lines of a file that the items of a pack name.

import { OMISSION_MARK } from './packLines.ts';
import type { ContextPack } from './contextPack.ts';

/**
 * Renders the lines of the items in the order of the text. For each run of omitted lines, it renders a mark, or a blank
 * line if all of them are blank.
 */
export function renderLines(items: readonly ContextPack['items'][number][], text: string): string {
  const allLines = text.split('\n');
  const shownLines = new Map<number, string>();
  for (const { lines = [], cut } of items) {
    for (const [startLine, endLine] of lines)
      for (let line = startLine; line <= endLine; line++) shownLines.set(line, `${allLines[line - 1] ?? ''}\n`);
    if (cut) shownLines.set(cut[0], `${(allLines[cut[0] - 1] ?? '').slice(0, cut[1])}${OMISSION_MARK}\n`);
  }
  const output: string[] = [];
  let gap = '';
  allLines.forEach((line, index) => {
    const shownLine = shownLines.get(index + 1);
    if (shownLine === undefined)
      gap = gap === '' && line.trim() === '' ? '\n' : line.trim() === '' ? gap : `${OMISSION_MARK}\n`;
    else {
      output.push(gap, shownLine);
      gap = '';
    }
  });
  return output.join('') + (gap === '\n' ? '' : gap);
}
