// The acceptance test of a wish as the text of a dialog. Plain data in and out.

import type { ShownAcceptance } from '#protocol/nights';

/** A dialog holds no more lines; the whole text is in the editor. */
const MOST_LINES = 40;
const MOST_FAILURE_LINES = 4;

export function acceptanceDetail(
  { words, files, failure, left }: ShownAcceptance,
  texts: readonly { readonly path: string; readonly after: string }[],
): string {
  const changed = texts.some(({ after }, at) => files[at]?.after !== after);
  return [
    `Wish: ${words}`,
    ...texts.map(({ path, after }, at) => `${path}\n${newLines(files[at]?.before ?? null, after)}`),
    changed
      ? 'You have changed it: it runs once more before it is stored.'
      : `It fails today, as it should: ${firstLines(failure, MOST_FAILURE_LINES)}`,
    ...(left > 0 ? [`${left} more to ask about.`] : []),
  ].join('\n\n');
}

/** Of a file that exists, the lines that it does not have yet. */
function newLines(before: string | null, after: string): string {
  const known = new Set((before ?? '').split('\n'));
  const lines = after.split('\n').filter((line) => before === null || !known.has(line));
  return firstLines(lines.join('\n').trim(), MOST_LINES);
}

function firstLines(text: string, most: number): string {
  const lines = text.split('\n');
  return lines.length <= most ? text : [...lines.slice(0, most), '… Edit shows the rest.'].join('\n');
}
