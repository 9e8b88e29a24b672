// Formats the acceptance test of a wish as the text of a dialog. Does not use VS Code's API.

import type { ShownAcceptance } from '#protocol/nights';

/** Maximum number of lines of each file in the dialog, so that it stays readable. The editor shows the whole text. */
const MAX_LINES = 40;
/** Maximum number of lines of the failure in the dialog. */
const MAX_FAILURE_LINES = 4;

/**
 * The text of the dialog: the wish, the new lines of its test, and how the test fails as long as the wish is not
 * fulfilled. `texts`: the files of the test as the person may have edited them, in the order of `files`.
 */
export function formatAcceptance(
  { words, files, failure, left: remainingCount }: ShownAcceptance,
  texts: readonly { readonly path: string; readonly after: string }[],
): string {
  const isEdited = texts.some(({ after }, index) => files[index]?.after !== after);
  return [
    `Wish: ${words}`,
    ...texts.map(({ path, after }, index) => `${path}\n${findNewLines(files[index]?.before ?? null, after)}`),
    isEdited
      ? 'You have changed it: it runs once more before it is stored.'
      : `It fails today, as it should: ${takeFirstLines(failure, MAX_FAILURE_LINES, '…')}`,
    ...(remainingCount > 0 ? [`${remainingCount} more to ask about.`] : []),
  ].join('\n\n');
}

/** The lines of `after` that `before` does not have; all of them for a new file. */
function findNewLines(before: string | null, after: string): string {
  const linesBefore = new Set((before ?? '').split('\n'));
  const lines = after.split('\n').filter((line) => before === null || !linesBefore.has(line));
  return takeFirstLines(lines.join('\n').trim(), MAX_LINES, '… Edit shows the rest.');
}

/** The first `maxLines` lines of a text; `end` is appended if further lines were cut off. */
function takeFirstLines(text: string, maxLines: number, end: string): string {
  const lines = text.split('\n');
  return lines.length <= maxLines ? text : [...lines.slice(0, maxLines), end].join('\n');
}
