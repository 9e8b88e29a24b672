// Recognises the markers of the notations in which models may answer: search/replace blocks, patches, unified diffs and
// fenced code.

/** Matches the first line of a search/replace block. */
export const BLOCK_OPENING_PATTERN = /^<{5,9}(?: ?(?:SEARCH|ORIGINAL))?[ \t]*$/;
/** Matches the line between both texts of a block. */
export const BLOCK_DIVIDING_PATTERN = /^={5,9}[ \t]*$/;
/** Matches the last line of a block. */
export const BLOCK_CLOSING_PATTERN = /^>{5,9}(?: ?(?:REPLACE|UPDATED))?[ \t]*$/;

/** The first line of a patch in the notation of coding agents. */
export const PATCH_BEGIN_LINE = '*** Begin Patch';
/** The last line of a patch in the notation of coding agents. */
export const PATCH_END_LINE = '*** End Patch';

/** Matches the header of a hunk of a unified diff. Models often omit its numbers. */
export const HUNK_PATTERN = /^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@.*| .*@@.*|\s*)$/;
/**
 * Matches the line that opens or closes the fence around a diff. Lines of the diff itself begin with a sign or a space.
 */
export const DIFF_FENCE_PATTERN = /^[`~]{3,}/;
/** The path that a diff gives a file that does not exist. */
export const NULL_DEVICE = '/dev/null';

/** Splits a text into lines without line ends. */
export function splitLinesWithoutEndings(text: string): string[] {
  return text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/**
 * True if the part of a diff about a file begins at this line: it has both header lines and, unless it creates or
 * deletes the file, a hunk below them. A removed line may begin with dashes, too.
 */
export function isDiffHead(lines: readonly string[], index: number): boolean {
  return (
    /^--- \S/.test(lines[index]!) &&
    /^\+\+\+ \S/.test(lines[index + 1] ?? '') &&
    (HUNK_PATTERN.test(lines[index + 2] ?? '') || lines[index + 1]!.includes(NULL_DEVICE))
  );
}

/** The characters that open a fence on this line; null if it opens none. */
export function matchOpeningFence(line: string): string | null {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
}

/** True if the line closes a fence with these opening characters: it has at least as many of them, and nothing else. */
export function closesFence(line: string, marks: string): boolean {
  const trimmedLine = line.trim();
  return trimmedLine.startsWith(marks) && trimmedLine === marks[0]!.repeat(trimmedLine.length);
}

/**
 * Finds the index of the first line from `start` on that satisfies `predicate`. Returns the number of lines if there is
 * none, so a slice up to the result contains all remaining lines.
 */
export function findLine(lines: readonly string[], start: number, predicate: (line: string) => boolean): number {
  let index = start;
  while (index < lines.length && !predicate(lines[index]!)) index += 1;
  return index;
}
