// Describes the difference between two versions of a text as one replacement, and maps positions of the old text to the
// new one.

import type { Opportunity, Range } from '../../model.ts';
import { findLineIndex, findLineStarts } from '../lines.ts';

/** A replacement at the offset `start`. `removed` and `added` are lengths. All in UTF-16 units. */
export interface TextChange {
  readonly start: number;
  readonly removed: number;
  readonly added: number;
}

/** A position in a text, 1-based. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** The smallest single replacement that turns `before` into `after`; null if they are equal. */
export function findChange(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let sharedLength = 0;
  while (
    sharedLength < shorter - start &&
    before.charCodeAt(before.length - 1 - sharedLength) === after.charCodeAt(after.length - 1 - sharedLength)
  )
    sharedLength++;
  return { start, removed: before.length - start - sharedLength, added: after.length - start - sharedLength };
}

/**
 * The opportunities of `before` at their positions in `after`. An opportunity whose name was edited is dropped,
 * because it may no longer apply.
 */
export function moveOpportunities(
  opportunities: readonly Opportunity[],
  before: string,
  after: string,
): readonly Opportunity[] {
  const change = opportunities.length > 0 ? findChange(before, after) : null;
  if (!change) return opportunities;
  const start = positionAt(before, change.start);
  const oldEnd = positionAt(before, change.start + change.removed);
  const addedText = after.slice(change.start, change.start + change.added);
  const newEnd = positionAt(after, change.start + change.added);
  const movePosition = (position: Position): Position => {
    if (isBefore(position, oldEnd)) return isBefore(position, start) ? position : start;
    return position.line === oldEnd.line
      ? { line: newEnd.line, column: position.column + newEnd.column - oldEnd.column }
      : { line: position.line + newEnd.line - oldEnd.line, column: position.column };
  };
  const moveRange = (range: Range): Range => {
    // Text inserted immediately before a construct is not part of it, so its start moves; text inserted immediately
    // after it does not move its end.
    const from = movePosition({ line: range.startLine, column: range.startColumn });
    const end = { line: range.endLine, column: range.endColumn };
    const to = isBefore(start, end) ? movePosition(end) : end;
    return { startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column };
  };
  return opportunities.flatMap((opportunity) => {
    const { nameRange } = opportunity;
    const name = {
      start: { line: nameRange.startLine, column: nameRange.startColumn },
      end: { line: nameRange.endLine, column: nameRange.endColumn },
    };
    // Letters that are inserted next to a name change the name; spaces do not.
    const isInsertedAfterName =
      change.removed === 0 && !isBefore(start, name.end) && !/^[\p{L}\p{N}_$]/u.test(addedText);
    const isInsertedBeforeName =
      change.removed === 0 && !isBefore(name.start, oldEnd) && !/[\p{L}\p{N}_$]$/u.test(addedText);
    if (!isBefore(name.end, start) && !isBefore(oldEnd, name.start) && !isInsertedAfterName && !isInsertedBeforeName)
      return [];
    const related = opportunity.related?.map((place) =>
      place.path === opportunity.path ? { ...place, range: moveRange(place.range) } : place,
    );
    return [
      {
        ...opportunity,
        range: moveRange(opportunity.range),
        nameRange: moveRange(nameRange),
        ...(related ? { related } : {}),
      },
    ];
  });
}

function positionAt(text: string, offset: number): Position {
  const lines = findLineStarts(text);
  const line = findLineIndex(lines, offset);
  return { line: line + 1, column: offset - (lines[line] ?? 0) + 1 };
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}
