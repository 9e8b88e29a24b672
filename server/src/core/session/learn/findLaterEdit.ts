// Compares a kept change with a later commit: did a person undo it, or write its lines differently?

import { structuredPatch } from 'diff';
import { mergeTexts } from '../../apply/mergeTexts.ts';
import type { FileEdit } from '../../model.ts';

/** What a commit did to a kept change. */
export interface LaterEdit {
  /** True if nothing of the change is left, false if its lines were written differently. */
  readonly isUndone: boolean;
  /** The edited lines as a diff, without a header. */
  readonly diff: string;
}

/** Share of the lines of a change that a commit has to replace; with fewer, it was about something else. */
const MIN_SHARE = 0.5;
/** A commit that replaces more lines at this place, for each line of the change, was about more than the change. */
const MAX_GROWTH = 3;
/** Lines around a change that may be edited with it. */
const MARGIN = 6;
/** Maximum number of differing lines; a file with more was rewritten. */
const MAX_DIFFERENCES = 1000;

/**
 * What a commit did to a change of one file; null if it did not touch the change, only removed its lines, or edited so
 * much that it says nothing about the change. `before` and `after` are the texts of the file around the commit; the
 * whole change has to stand in `before`.
 */
export function findLaterEdit(
  edit: Pick<FileEdit, 'before' | 'after'>,
  before: string,
  after: string,
): LaterEdit | null {
  const [old, changed] = [edit.before ?? '', edit.after];
  if (changed === null || old === changed || before === after) return null;
  const without = mergeTexts(changed, before, old);
  if (without === null || without === before) return null;
  const rest = mergeTexts(changed, after, old);
  if (rest !== null && rest !== after) return null;
  const hunks = findHunks(before, after);
  const added = findHunks(old, changed);
  if (hunks === null || added === null) return null;
  const isUndone = rest === after;
  const lines = new Set(added.flatMap(({ lines: all }) => all.filter(isAdded).map(textOfLine)).filter(isTelling));
  const about = hunks.filter(({ lines: all }) => all.some((line) => isRemoved(line) && lines.has(textOfLine(line))));
  if (isUndone) return { isUndone, diff: printHunks(about.length > 0 ? about : hunks) };
  const edited = about.flatMap(({ lines: all }) => all);
  const removed = edited.filter(isRemoved).map(textOfLine);
  const written = edited.filter(isAdded).map(textOfLine);
  if (!written.some(isTelling) || withoutLayout(removed) === withoutLayout(written)) return null;
  const moved = new Set(hunks.flatMap(({ lines: all }) => all.filter(isAdded).map(textOfLine)));
  const gone = new Set(removed.filter((line) => lines.has(line) && !moved.has(line)));
  const isMostlyGone = gone.size > 0 && gone.size >= lines.size * MIN_SHARE;
  const isSmall = removed.length + written.length <= lines.size * MAX_GROWTH + MARGIN;
  return isMostlyGone && isSmall ? { isUndone, diff: printHunks(about) } : null;
}

interface Hunk {
  readonly lines: readonly string[];
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
function textOfLine(line: string): string {
  return line.slice(1).trim();
}

/** False for lines such as a lone bracket, which stand everywhere. */
function isTelling(line: string): boolean {
  return /\w{2}/.test(line);
}

/** The text without white space and commas, so that a formatter makes no difference. */
function withoutLayout(lines: readonly string[]): string {
  return lines.join('').replace(/[\s,]/g, '');
}

function printHunks(hunks: readonly Hunk[]): string {
  return hunks.flatMap(({ lines }) => lines).join('\n');
}
