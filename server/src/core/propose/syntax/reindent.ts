// Changes the indentation of code without changing its meaning.

import { ts } from 'ts-morph';
import { lineStart, nextLineStart, type Replacement } from '../textEdit.ts';
import { collectDescendants, type Span } from './locate.ts';

/**
 * Replaces the leading white space `oldIndent` by `newIndentation` on every line that starts within the span. Blank
 * lines, and lines that start inside a string or a template, stay unchanged. A line that does not begin with
 * `oldIndent` keeps its indentation if the part that it shares with `oldIndent` is a start of `newIndentation`, or if
 * it is indented less than `newIndentation`; otherwise that part becomes `newIndentation`.
 */
export function reindent(
  sourceFile: ts.SourceFile,
  span: Span,
  oldIndent: string,
  newIndentation: string,
): Replacement[] {
  const { text } = sourceFile;
  const literals = collectLiteralSpans(sourceFile, span);
  const replacements: Replacement[] = [];
  let start = lineStart(text, span.start) === span.start ? span.start : nextLineStart(text, span.start);
  for (; start < span.end; start = nextLineStart(text, start)) {
    if (literals.some((literal) => literal.start < start && start < literal.end)) continue;
    const indent = /^[ \t]*/.exec(text.slice(start, span.end))?.[0] ?? '';
    if (/^(\r?\n|$)/.test(text.slice(start + indent.length, span.end))) continue;
    const sharedLength = countCommonStart(indent, oldIndent);
    const newIndent =
      sharedLength === oldIndent.length
        ? newIndentation
        : newIndentation.startsWith(indent.slice(0, sharedLength)) || indent.length < newIndentation.length
          ? indent.slice(0, sharedLength)
          : newIndentation;
    if (newIndent !== indent.slice(0, sharedLength))
      replacements.push({ start, end: start + sharedLength, text: newIndent });
    if (start >= text.length) break;
  }
  return replacements;
}

/** The spans of strings and parts of templates, in which indentation is part of the value. */
function collectLiteralSpans(sourceFile: ts.SourceFile, span: Span): Span[] {
  return collectDescendants(sourceFile)
    .filter(
      (node) =>
        node.end > span.start &&
        node.pos < span.end &&
        (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)),
    )
    .map((node) => ({ start: node.getStart(sourceFile), end: node.end }));
}

/** The number of characters at the start of both texts that are equal. */
function countCommonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
