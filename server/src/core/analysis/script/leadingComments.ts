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
/** White space, as the compiler defines it. */
const SPACE = /[\s\u0085\u180e\u200b]/;

/**
 * Gives the same result as TypeScript's `getLeadingCommentRanges`. `pos` is the end of the previous token, and a
 * comment on the same line belongs to that token. At the start of a text every comment counts, even after a `#!` line.
 */
export function findLeadingComments(text: string, pos: number): readonly TextRange[] {
  const comments: TextRange[] = [];
  let at = pos;
  let isCollecting = pos === 0;
  if (pos === 0 && text.startsWith('#!')) at = endOfLine(text, 0);
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === SLASH) {
      const next = text.charCodeAt(at + 1);
      if (next !== SLASH && next !== ASTERISK) break;
      const end = next === SLASH ? endOfLine(text, at) : endOfBlock(text, at);
      if (isCollecting) comments.push({ pos: at, end });
      at = end;
    } else if (code === LINE_FEED || code === CARRIAGE_RETURN) {
      isCollecting = true;
      at++;
    } else if (isBlank(code, text, at)) at++;
    else break;
  }
  return comments;
}

/**
 * The range of the doc comment of a declaration or member that begins, with its comments, at `pos`; null if it has
 * none.
 */
export function docCommentRangeAt(text: string, pos: number): TextRange | null {
  return (
    findLeadingComments(text, pos).findLast(
      ({ pos: start }) => text.startsWith('/**', start) && text[start + 3] !== '/',
    ) ?? null
  );
}

/** The text of this doc comment, including its delimiters; null if there is none. */
export function docCommentAt(text: string, pos: number): string | null {
  const place = docCommentRangeAt(text, pos);
  return place && text.slice(place.pos, place.end);
}

function isBlank(code: number, text: string, at: number): boolean {
  return code <= MAX_ASCII ? code === SPACE_CODE || (code >= TAB && code <= CARRIAGE_RETURN) : SPACE.test(text[at]!);
}

function endOfLine(text: string, from: number): number {
  const LINE_END = /[\n\r\u2028\u2029]/g;
  LINE_END.lastIndex = from;
  return LINE_END.exec(text)?.index ?? text.length;
}

function endOfBlock(text: string, from: number): number {
  const end = text.indexOf('*/', from + 2);
  return end < 0 ? text.length : end + 2;
}
