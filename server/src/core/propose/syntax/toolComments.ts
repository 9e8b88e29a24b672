// Recognises comments that a tool may act on: all comments except plain text and descriptive tags.

import type { ts } from 'ts-morph';
import { isFirstOnLine, lineEnd } from '../textEdit.ts';
import { isDirectiveComment, type Comment } from './comments.ts';
import { isJavaScript } from './parse.ts';

/** Tags that only people read. Any other tag may hide a declaration, remove a call or publish a route. */
const DESCRIPTIVE_TAGS: ReadonlySet<string> = new Set([
  ...['param', 'arg', 'argument', 'return', 'returns', 'throws', 'exception', 'typeParam', 'template', 'property'],
  ...['example', 'remarks', 'summary', 'description', 'default', 'defaultValue', 'since', 'version', 'author', 'todo'],
  ...['see', 'link', 'linkcode', 'linkplain'],
]);
/** Matches a tag in a comment, and the brace after it. */
const TAG_PATTERN = /(?<![\w$])(?:@(_*[A-Za-z]\w*)|#__[A-Za-z]\w*)(\s*\{)?/g;

/**
 * True if a tool may act on the comment: it is a directive, it has a tag that is not descriptive, or code follows on
 * the same line, where bundlers expect annotations such as `#__PURE__`. In JavaScript, types in documentation count as
 * well.
 */
export function mayAffectTools(comment: Comment, sourceFile: ts.SourceFile): boolean {
  return (
    isDirectiveComment(comment) ||
    [...comment.text.matchAll(TAG_PATTERN)].some(
      ([, tag, brace]) => !tag || !DESCRIPTIVE_TAGS.has(tag) || (brace !== undefined && isJavaScript(sourceFile)),
    ) ||
    precedesCode(comment, sourceFile.text)
  );
}

/** True if code follows a block comment on the same line. */
function precedesCode({ start, end, isLine }: Comment, text: string): boolean {
  if (isLine) return false;
  const textAfter = text.slice(end, lineEnd(text, end)).trim();
  return textAfter !== '' && !textAfter.startsWith('//') && !(isFirstOnLine(text, start) && textAfter.startsWith('/*'));
}
