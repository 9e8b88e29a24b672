// Delimiters of the notations in which models may answer: search and replace blocks, patches, unified diffs, fenced
// code.

/** The first line of a search/replace block. */
export const BLOCK_OPENING_PATTERN = /^<{5,9}(?: ?(?:SEARCH|ORIGINAL))?[ \t]*$/;
/** The line between both texts of a block. */
export const BLOCK_DIVIDING_PATTERN = /^={5,9}[ \t]*$/;
/** The last line of a block. */
export const BLOCK_CLOSING_PATTERN = /^>{5,9}(?: ?(?:REPLACE|UPDATED))?[ \t]*$/;

/** The first line of a patch in the notation of coding agents. */
export const PATCH_BEGIN_LINE = '*** Begin Patch';
/** The last line of such a patch. */
export const PATCH_END_LINE = '*** End Patch';

/** The header of a hunk of a unified diff. Models often omit its numbers. */
export const HUNK_PATTERN = /^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@.*| .*@@.*|\s*)$/;
/** The line that opens or closes the fence around a diff. Lines of the diff itself begin with a sign or a blank. */
export const DIFF_FENCE_PATTERN = /^[`~]{3,}/;
/** The path of a file that does not exist, in a diff. */
export const NULL_DEVICE = '/dev/null';

/** The lines of a text, without carriage returns. */
export function splitLinesWithoutEndings(text: string): string[] {
  return text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/**
 * True if the head of a file in a diff begins at this line: it has both lines and, except for a deletion or a new file,
 * a hunk below. A removed line may begin with dashes, too.
 */
export function isDiffHead(lines: readonly string[], index: number): boolean {
  return (
    /^--- \S/.test(lines[index]!) &&
    /^\+\+\+ \S/.test(lines[index + 1] ?? '') &&
    (HUNK_PATTERN.test(lines[index + 2] ?? '') || lines[index + 1]!.includes(NULL_DEVICE))
  );
}

/** The marks that open a fence on this line; null if it opens none. */
export function matchOpeningFence(line: string): string | null {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
}

/** True if the line closes a fence with these marks: it has at least as many, and nothing else. */
export function closesFence(line: string, marks: string): boolean {
  const trimmed = line.trim();
  return trimmed.startsWith(marks) && trimmed === marks[0]!.repeat(trimmed.length);
}

/**
 * Index of the first line from `start` on that satisfies `predicate`; the number of lines if none does, so that a slice
 * up to it contains the remaining lines.
 */
export function findLine(lines: readonly string[], start: number, predicate: (line: string) => boolean): number {
  let index = start;
  while (index < lines.length && !predicate(lines[index]!)) index += 1;
  return index;
}
