// Compares a kept change of a file with a later commit, to find out whether the commit has undone it or has written its
// lines differently. Both have to be evident, because a false lesson does more harm than a missed one.

import { structuredPatch } from 'diff';
import { mergeTexts } from '../../apply/mergeTexts.ts';
import type { FileEdit } from '../../model.ts';

/** The texts of a file before and after a change; null if it did not exist. */
type TextEdit = Pick<FileEdit, 'before' | 'after'>;

/** The effect of a commit on a kept change of a file. */
export interface LaterEdit {
  /** True if the commit only undid the change in this file. */
  readonly isUndone: boolean;
  /** The edited lines, each with its sign. */
  readonly diff: string;
}

/** Minimum share of the words introduced by a change that a commit has to remove again to count as a rewriting. */
const MIN_SHARE = 0.5;
/**
 * Maximum number of lines that a commit may edit for each line that the change added. A commit that edits more is not
 * only about the change.
 */
const MAX_GROWTH = 3;
/** Number of lines that a commit may edit in addition, because they surround the change. */
const MARGIN = 6;
/** Maximum number of differing lines; a file with more was rewritten. */
const MAX_DIFFERENCES = 400;

/**
 * Determines the effect of a commit on a change of one file. `before` and `after` are the texts of the file before and
 * after the commit. Null unless `before` contains the whole change, and the commit either restores exactly the text
 * without the change, or edits only lines of the change and removes most words that it introduced. A different layout,
 * different quotes and additions to the same lines are not a correction.
 */
export function findLaterEdit(edit: TextEdit, before: string, after: string): LaterEdit | null {
  const [earlier, later] = [normaliseLineEnds(before), normaliseLineEnds(after)];
  const textWithoutEarlier = earlier === later ? null : undoChange(edit, earlier);
  const laterHunks = textWithoutEarlier === null ? null : findHunks(earlier, later);
  if (laterHunks === null) return null;
  if (textWithoutEarlier === later)
    return edit.before === null ? null : { isUndone: true, diff: formatHunks(laterHunks) };
  const { old, changed } = normaliseSides(edit);
  return isRewritten(findHunks(old, changed) ?? [], laterHunks)
    ? { isUndone: false, diff: formatHunks(laterHunks) }
    : null;
}

/** True if this text contains the whole change, so that it can be removed from it. */
export function containsWholeChange(edit: TextEdit, text: string): boolean {
  return undoChange(edit, normaliseLineEnds(text)) !== null;
}

/** The text without the change; null if it does not contain the whole change. */
function undoChange(edit: TextEdit, text: string): string | null {
  const { old, changed } = normaliseSides(edit);
  if (edit.after === null || !hasAddedLines(old, changed, text)) return null;
  const textWithoutChange = mergeTexts(changed, text, old);
  return textWithoutChange === text ? null : textWithoutChange;
}

/** The texts before and after the change, with normal line ends. */
function normaliseSides({ before, after }: TextEdit): { readonly old: string; readonly changed: string } {
  return { old: normaliseLineEnds(before ?? ''), changed: normaliseLineEnds(after ?? '') };
}

/** False if a line that the change added is missing. This is quicker to find out than by merging. */
function hasAddedLines(old: string, changed: string, text: string): boolean {
  const oldLines = new Set(old.split('\n'));
  const lines = new Set(text.split('\n'));
  return changed.split('\n').every((line) => oldLines.has(line) || lines.has(line));
}

/** Lines that differ at one place, each with its sign. */
interface Hunk {
  readonly lines: readonly string[];
}

/** True if a commit edits only lines of the change, and removes most of the words that the change introduced. */
function isRewritten(changeHunks: readonly Hunk[], laterHunks: readonly Hunk[]): boolean {
  const changeLines = changeHunks.flatMap(({ lines }) => lines);
  const addedLines = new Set(changeLines.filter(isAdded).map(removeSignAndIndentation));
  const isAboutChange = laterHunks.every(({ lines }) =>
    lines.some((line) => isRemoved(line) && addedLines.has(removeSignAndIndentation(line))),
  );
  const editedLines = laterHunks.flatMap(({ lines }) => lines);
  if (!isAboutChange || editedLines.length > addedLines.size * MAX_GROWTH + MARGIN) return false;
  const introducedWords = countWords(changeLines.filter(isAdded), changeLines.filter(isRemoved));
  const removedWords = countWords(editedLines.filter(isRemoved), editedLines.filter(isAdded));
  const isReplaced = editedLines.some((line) => isAdded(line) && /\w/.test(line));
  const [totalCount, lostCount] = [...introducedWords].reduce(
    ([total, missing], [word, count]) => [total + count, missing + Math.min(count, removedWords.get(word) ?? 0)],
    [0, 0],
  );
  return isReplaced && totalCount > 0 && lostCount >= totalCount * MIN_SHARE;
}

/**
 * By word: how much more often it occurs in `lines` than in `otherLines`. Words that do not occur more often are left
 * out.
 */
function countWords(lines: readonly string[], otherLines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (line: string, step: number) => {
    for (const word of line.match(/[\p{L}\p{N}_$]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + step);
  };
  for (const line of lines) add(line, 1);
  for (const line of otherLines) add(line, -1);
  return new Map([...counts].filter(([, count]) => count > 0));
}

/** The differing lines, each with its sign; null if they are too many. */
function findHunks(before: string, after: string): readonly Hunk[] | null {
  const patch = structuredPatch('', '', before, after, '', '', { context: 0, maxEditLength: MAX_DIFFERENCES });
  return patch?.hunks ?? null;
}

function isAdded(line: string): boolean {
  return line.startsWith('+');
}

function isRemoved(line: string): boolean {
  return line.startsWith('-');
}

/** The line without its sign and its indentation. */
function removeSignAndIndentation(line: string): string {
  return line.slice(1).trim();
}

function normaliseLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function formatHunks(hunks: readonly Hunk[]): string {
  return hunks.flatMap(({ lines }) => lines).join('\n');
}
