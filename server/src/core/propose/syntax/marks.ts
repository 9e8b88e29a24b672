// Comments that a tool may act on, wherever in them its word stands: everything but plain words and tags that describe.

import type { ts } from 'ts-morph';
import { isFirstOnLine, lineEnd } from '../textEdit.ts';
import { isDirective, type Comment } from './comments.ts';
import { isJavaScript } from './parse.ts';

/** Tags that only a reader acts on. Every other one may hide a declaration, drop a call or publish a route. */
const DESCRIBING: ReadonlySet<string> = new Set([
  ...['param', 'arg', 'argument', 'return', 'returns', 'throws', 'exception', 'typeParam', 'template', 'property'],
  ...['example', 'remarks', 'summary', 'description', 'default', 'defaultValue', 'since', 'version', 'author', 'todo'],
  ...['see', 'link', 'linkcode', 'linkplain'],
]);
const TAG = /(?<![\w$])(?:@(_*[A-Za-z]\w*)|#__[A-Za-z]\w*)(\s*\{)?/g;

/**
 * True where the comment is more than words: a tool reads it, a tag in it is not one that describes, or code follows on
 * its line, which is where bundlers look for their words. In JavaScript, types in documentation are types.
 */
export function isMarked(comment: Comment, sourceFile: ts.SourceFile): boolean {
  return (
    isDirective(comment) ||
    [...comment.text.matchAll(TAG)].some(
      ([, tag, typed]) => !tag || !DESCRIBING.has(tag) || (typed !== undefined && isJavaScript(sourceFile)),
    ) ||
    standsInCode(comment, sourceFile.text)
  );
}

function standsInCode({ start, end, line }: Comment, text: string): boolean {
  if (line) return false;
  const rest = text.slice(end, lineEnd(text, end)).trim();
  return rest !== '' && !rest.startsWith('//') && !(isFirstOnLine(text, start) && rest.startsWith('/*'));
}
