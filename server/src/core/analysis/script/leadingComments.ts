// Finds the comments before an offset in a script, including doc comments, in its text, without a parser.

/** A range of a text, in UTF-16 units; `end` is exclusive. */
export interface TextRange {
  readonly pos: number;
  readonly end: number;
}

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE_CODE = 32;
const SLASH = 47;
const ASTERISK = 42;
const MAX_ASCII = 127;
/** Matches white space beyond ASCII, as the compiler defines it. */
const SPACE_PATTERN = /[\s\u0085\u180e\u200b]/;

/**
 * The comments before the token after `pos`: the same result as that of TypeScript's `getLeadingCommentRanges`. `pos`
 * is the end of the previous token, and a comment on the same line belongs to that token. At the start of a text every
 * comment counts, even after a `#!` line.
 */
export function findLeadingComments(text: string, pos: number): readonly TextRange[] {
  const comments: TextRange[] = [];
  let offset = pos;
  let isCollecting = pos === 0;
  if (pos === 0 && text.startsWith('#!')) offset = findLineEnd(text, 0);
  while (offset < text.length) {
    const code = text.charCodeAt(offset);
    if (code === SLASH) {
      const next = text.charCodeAt(offset + 1);
      if (next !== SLASH && next !== ASTERISK) break;
      const end = next === SLASH ? findLineEnd(text, offset) : findBlockEnd(text, offset);
      if (isCollecting) comments.push({ pos: offset, end });
      offset = end;
    } else if (code === LINE_FEED || code === CARRIAGE_RETURN) {
      isCollecting = true;
      offset++;
    } else if (isBlank(code, text, offset)) offset++;
    else break;
  }
  return comments;
}

/**
 * The range of the doc comment of a declaration or member that begins, with its comments, at `pos`; null if it has
 * none.
 */
export function findDocCommentRange(text: string, pos: number): TextRange | null {
  return (
    findLeadingComments(text, pos).findLast(
      ({ pos: start }) => text.startsWith('/**', start) && text[start + 3] !== '/',
    ) ?? null
  );
}

/** The text of the doc comment that `findDocCommentRange` finds, including its delimiters; null if there is none. */
export function readDocComment(text: string, pos: number): string | null {
  const range = findDocCommentRange(text, pos);
  return range && text.slice(range.pos, range.end);
}

function isBlank(code: number, text: string, offset: number): boolean {
  return code <= MAX_ASCII
    ? code === SPACE_CODE || (code >= TAB && code <= CARRIAGE_RETURN)
    : SPACE_PATTERN.test(text[offset]!);
}

function findLineEnd(text: string, from: number): number {
  const lineEnd = /[\n\r\u2028\u2029]/g;
  lineEnd.lastIndex = from;
  return lineEnd.exec(text)?.index ?? text.length;
}

function findBlockEnd(text: string, from: number): number {
  const end = text.indexOf('*/', from + 2);
  return end < 0 ? text.length : end + 2;
}
