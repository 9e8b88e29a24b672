// Finds suppressions in the comments of a text: `selfware-ignore RULE[, RULE]: reason`, and the same with
// `selfware-ignore-next-line` and `selfware-ignore-file`.

import { findLineIndex, toRange, type LineStarts } from './lines.ts';
import type { Suppression } from './suppressions.ts';

/** Offsets of a comment, including its delimiters. */
export interface CommentSpan {
  readonly start: number;
  readonly end: number;
}

/** The comments of a text, as a parser finds them. */
export interface Comments {
  /** The comment around an offset; null in code and in strings. */
  commentAround(offset: number): CommentSpan | null;
  /** Offset of the first code; `Infinity` if there is none. */
  readonly codeStart: number;
}

/** Matches the keyword of a suppression with its suffix. */
const MARKER_PATTERN = /selfware-ignore(-next-line|-file)?(?![\w-])/g;
const SUPPRESSION_WORD = 'selfware-ignore';
/** Matches the text that may precede `selfware-ignore` in a comment, in any supported language. */
const OPENER_PATTERN = /^[\s/*#<!;%{-]*$/;
/** Matches the names of the rules after the keyword. */
const NAME_PATTERN = /^\s+([\w-]+(?:\s*,\s*[\w-]+)*)/;
/** Matches the end of a block comment in any supported language. */
const CLOSER_PATTERN = /(?<!\s)\s*((?<!\*)\*+\/\}?|(?<!-)--+>|-\})\s*$/;
/** Maximum number of comments and decorators between a suppression and its code. */
const MAX_SKIPPED = 200;
/** Maximum number of characters of a decorator's name. */
const MAX_NAME_LENGTH = 200;

/** The suppressions in text order, valid or not. `comments` is called only if the keyword occurs at all. */
export function findSuppressions(text: string, lines: LineStarts, comments: () => Comments): Suppression[] {
  if (!text.includes(SUPPRESSION_WORD)) return [];
  const commentsOfText = comments();
  const suppressions: Suppression[] = [];
  const countsByText = new Map<string, number>();
  for (const match of text.matchAll(MARKER_PATTERN)) {
    const comment = commentsOfText.commentAround(match.index);
    if (!comment) continue;
    const line = findLineIndex(lines, match.index);
    // A comment that only contains the word in its text is not a suppression.
    if (!OPENER_PATTERN.test(text.slice(Math.max(comment.start, lines[line] ?? 0), match.index))) continue;
    const end = Math.min(comment.end, findLineEnd(text, lines, line));
    const commentText = text.slice(match.index, end).replace(CLOSER_PATTERN, '').trimEnd();
    const kind = match[1] === '-file' ? 'file' : match[1] === '-next-line' ? 'next-line' : 'line';
    const ordinal = countsByText.get(commentText) ?? 0;
    countsByText.set(commentText, ordinal + 1);
    suppressions.push({
      kind,
      ...parseRulesAndReason(commentText.slice(match[0].length)),
      target:
        kind === 'file'
          ? null
          : kind === 'line'
            ? { from: line + 1, to: line + 1 }
            : findLinesBelow(text, lines, comment, commentsOfText),
      isPlacedCorrectly: kind !== 'file' || comment.start < commentsOfText.codeStart,
      isAloneOnLine:
        isBlank(text, lines[line] ?? 0, comment.start) &&
        isBlank(text, comment.end, findLineEnd(text, lines, findLineIndex(lines, comment.end))),
      range: toRange(lines, match.index, match.index + commentText.length),
      text: commentText,
      ordinal,
    });
  }
  return suppressions;
}

/**
 * Recognises comments at the beginning of their lines, for files without a parser. All lines count as lines before the
 * code, so a suppression of the whole file may be anywhere.
 */
export function findCommentsByLine(text: string, lines: LineStarts): Comments {
  return {
    codeStart: Infinity,
    commentAround(offset) {
      const line = findLineIndex(lines, offset);
      const start = lines[line] ?? 0;
      const opener = /^\s*(\/\/|#|--|\/\*|\*|<!--|;|%|\{\/\*|\{-)/.exec(text.slice(start, offset));
      return opener
        ? { start: start + opener[0].length - (opener[1]?.length ?? 0), end: findLineEnd(text, lines, line) }
        : null;
    },
  };
}

function parseRulesAndReason(commentText: string): Pick<Suppression, 'rules' | 'reason'> {
  const names = NAME_PATTERN.exec(commentText);
  const words = commentText.slice(names?.[0].length ?? 0).trim();
  const reason = words.startsWith(':') ? words.slice(1).trim() : '';
  return {
    rules: names?.[1]?.split(',').map((name) => name.trim()) ?? [],
    reason: /[\p{L}\p{N}]/u.test(reason) ? reason : null,
  };
}

/**
 * The lines (1-based) of the first code below a comment, up to the code after its decorators and attributes; null if
 * there is no code below.
 */
function findLinesBelow(
  text: string,
  lines: LineStarts,
  comment: CommentSpan,
  comments: Comments,
): Suppression['target'] {
  let first: number | null = null;
  let from = findCommentEnd(text, comment);
  for (let skipped = 0; skipped < MAX_SKIPPED; skipped++) {
    const blankLength = text.slice(from).search(/\S/);
    if (blankLength < 0) break;
    const code = from + blankLength;
    const nextComment = comments.commentAround(text.startsWith('{/*', code) ? code + 1 : code);
    const next = nextComment ? findCommentEnd(text, nextComment) : findDecoratorEnd(text, code);
    const line = findLineIndex(lines, code) + 1;
    if (!nextComment) first ??= line;
    if (next === null) return { from: first ?? line, to: line };
    from = next;
  }
  return first === null ? null : { from: first, to: first };
}

/** The offset after a decorator or attribute, `@name(…)` or `#[…]`, that begins here; null if none does. */
function findDecoratorEnd(text: string, start: number): number | null {
  const head = /^(@[\w.:]+|#!?(?=\[))/.exec(text.slice(start, start + MAX_NAME_LENGTH));
  if (!head) return null;
  let offset = start + head[0].length;
  for (let open = 0; offset < text.length; offset++) {
    const character = text[offset] ?? '';
    if ('([{'.includes(character)) open++;
    else if (')]}'.includes(character)) open--;
    if (open <= 0) return '([{)]}'.includes(character) ? offset + 1 : offset;
  }
  return null;
}

/** The end of a comment, or of the braces around it in JSX. */
function findCommentEnd(text: string, { start, end }: CommentSpan): number {
  return text[start - 1] === '{' && text[end] === '}' ? end + 1 : end;
}

/** Offset of the end of the line, without the line break. */
function findLineEnd(text: string, lines: LineStarts, line: number): number {
  const next = lines[line + 1] ?? text.length;
  let end = next;
  while (end > (lines[line] ?? 0) && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return end;
}

/** True if there are only spaces between these offsets. Braces around a comment in JSX count as spaces. */
function isBlank(text: string, start: number, end: number): boolean {
  return /^[\s{}]*$/.test(text.slice(start, end));
}
