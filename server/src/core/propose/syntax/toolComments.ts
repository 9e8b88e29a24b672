// Recognises comments that a tool may act on: all comments except plain words and descriptive tags.

import type { ts } from 'ts-morph';
import { isFirstOnLine, lineEnd } from '../textEdit.ts';
import { isDirectiveComment, type Comment } from './comments.ts';
import { isJavaScript } from './parse.ts';

/** Tags that only readers use. Any other tag may hide a declaration, remove a call or publish a route. */
const DESCRIPTIVE_TAGS: ReadonlySet<string> = new Set([
  ...['param', 'arg', 'argument', 'return', 'returns', 'throws', 'exception', 'typeParam', 'template', 'property'],
  ...['example', 'remarks', 'summary', 'description', 'default', 'defaultValue', 'since', 'version', 'author', 'todo'],
  ...['see', 'link', 'linkcode', 'linkplain'],
]);
/** Matches a tag in a comment, and the brace after it. */
const TAG_PATTERN = /(?<![\w$])(?:@(_*[A-Za-z]\w*)|#__[A-Za-z]\w*)(\s*\{)?/g;

/**
 * True if the comment is more than words: a tool reads it, it has a tag that is not descriptive, or code follows on its
 * line, where bundlers look for their marks. In JavaScript, types in documentation count as well.
 */
export function isMarked(comment: Comment, sourceFile: ts.SourceFile): boolean {
  return (
    isDirectiveComment(comment) ||
    [...comment.text.matchAll(TAG_PATTERN)].some(
      ([, tag, typed]) => !tag || !DESCRIPTIVE_TAGS.has(tag) || (typed !== undefined && isJavaScript(sourceFile)),
    ) ||
    isWithinCode(comment, sourceFile.text)
  );
}

function isWithinCode({ start, end, isLine }: Comment, text: string): boolean {
  if (isLine) return false;
  const codeBehind = text.slice(end, lineEnd(text, end)).trim();
  return (
    codeBehind !== '' && !codeBehind.startsWith('//') && !(isFirstOnLine(text, start) && codeBehind.startsWith('/*'))
  );
}
