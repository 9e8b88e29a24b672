// Replaces spans of a text, and finds the lines and the indentation at an offset.

import { SelfwareError } from '../../util/typedError.ts';

/**
 * New text for a span. Offsets are in UTF-16 units; `end` is exclusive. If `start` and `end` are equal, the text is
 * inserted.
 */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Applies all replacements at once. Throws `internal` if two of them overlap or if one is outside the text, which is a
 * bug in a recipe.
 */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  const sortedReplacements = replacements
    .map((replacement, order) => ({ ...replacement, order }))
    .sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
  const parts: string[] = [];
  let position = 0;
  for (const { start, end, text: insertedText } of sortedReplacements) {
    if (start < position || end < start || end > text.length)
      throw new SelfwareError('internal', `Replacements overlap or leave the text at ${start}–${end}.`);
    parts.push(text.slice(position, start), insertedText);
    position = end;
  }
  return parts.join('') + text.slice(position);
}

/** The offset of the first character in the line of `position`. */
export function lineStart(text: string, position: number): number {
  // `lastIndexOf` treats a negative start as 0.
  return position <= 0 ? 0 : text.lastIndexOf('\n', position - 1) + 1;
}

/** The offset of the end of the line of `position`, before its line break. */
export function lineEnd(text: string, position: number): number {
  const newline = text.indexOf('\n', position);
  if (newline < 0) return text.length;
  return newline > position && text[newline - 1] === '\r' ? newline - 1 : newline;
}

/** The offset of the first character of the next line, or the end of the text. */
export function nextLineStart(text: string, position: number): number {
  const newline = text.indexOf('\n', position);
  return newline < 0 ? text.length : newline + 1;
}

/** The spaces and tabs at the beginning of the line of `position`. */
export function indentAt(text: string, position: number): string {
  const start = lineStart(text, position);
  return /^[ \t]*/.exec(text.slice(start, lineEnd(text, start)))?.[0] ?? '';
}

/** True if only spaces and tabs precede `position` in its line. */
export function isFirstOnLine(text: string, position: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, position), position));
}

/** True if only spaces and tabs follow `position` in its line. */
export function isLastOnLine(text: string, position: number): boolean {
  return /^[ \t]*$/.test(text.slice(position, lineEnd(text, position)));
}

/**
 * Removes all lines from the line of `start` to the line of `end`. If that would leave two consecutive blank lines, or
 * a blank line at the start or end of the text, after an opening or before a closing brace, one blank line is removed
 * as well.
 */
export function removeLines(text: string, start: number, end: number): Replacement {
  let firstOffset = lineStart(text, start);
  let endOffset = nextLineStart(text, end);
  const hasBlankBefore =
    firstOffset === 0 ||
    /(^|\n|[{([][ \t]*\r?\n)[ \t]*\r?\n$/.test(text.slice(0, firstOffset)) ||
    /[{([][ \t]*\r?\n$/.test(text.slice(0, firstOffset));
  const blankAfter = /^[ \t]*\r?\n/.exec(text.slice(endOffset));
  if (hasBlankBefore && blankAfter) endOffset += blankAfter[0].length;
  else if (/\n[ \t]*\r?\n$/.test(text.slice(0, firstOffset)) && /^[ \t]*([})\]]|$)/.test(text.slice(endOffset)))
    firstOffset = lineStart(text, firstOffset - 1);
  // For the last lines of a text without a final line break, the line break before them is removed.
  if (endOffset === text.length && firstOffset > 0 && text.at(-1) !== '\n')
    return { start: lineEnd(text, lineStart(text, firstOffset - 1)), end: endOffset, text: '' };
  return { start: firstOffset, end: endOffset, text: '' };
}
