// Changes the indentation of code without changing its meaning.

import { ts } from 'ts-morph';
import { lineStart, nextLine, type Replacement } from '../textEdit.ts';
import { collectDescendants, type Span } from './locate.ts';

/**
 * Replaces the leading white space `from` by `to` on every line that starts within the span. Blank lines, and lines
 * that start inside a string or a template, stay unchanged. A line that does not begin with `from` keeps its
 * indentation if the part that it shares with `from` is a start of `to`, or if it is indented less than `to`; otherwise
 * that part becomes `to`.
 */
export function reindent(sourceFile: ts.SourceFile, span: Span, from: string, to: string): Replacement[] {
  const { text } = sourceFile;
  const literals = collectLiterals(sourceFile, span);
  const replacements: Replacement[] = [];
  let start = lineStart(text, span.start) === span.start ? span.start : nextLine(text, span.start);
  for (; start < span.end; start = nextLine(text, start)) {
    if (literals.some((literal) => literal.start < start && start < literal.end)) continue;
    const indent = /^[ \t]*/.exec(text.slice(start, span.end))?.[0] ?? '';
    if (/^(\r?\n|$)/.test(text.slice(start + indent.length, span.end))) continue;
    const shared = findCommonStart(indent, from);
    const replaced =
      shared === from.length
        ? to
        : to.startsWith(indent.slice(0, shared)) || indent.length < to.length
          ? indent.slice(0, shared)
          : to;
    if (replaced !== indent.slice(0, shared)) replacements.push({ start, end: start + shared, text: replaced });
    if (start >= text.length) break;
  }
  return replacements;
}

/** The spans of strings and parts of templates, in which indentation is part of the value. */
function collectLiterals(sourceFile: ts.SourceFile, span: Span): Span[] {
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
function findCommonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
