// Reads the comments of a file: their positions, their texts, and which of them tools read.

import { ts } from 'ts-morph';
import { isFirstOnLine, lineEnd } from '../textEdit.ts';
import type { Span } from './locate.ts';
import { createAnyOfPattern } from '../../../util/anyOfPattern.ts';

/** A comment. `text` includes its marks. `isLine`: true if it begins with two slashes. */
export interface Comment extends Span {
  readonly text: string;
  readonly isLine: boolean;
}

/**
 * Patterns of texts that linters, formatters, compilers, bundlers, coverage tools and editors search for in comments.
 */
const DIRECTIVE_PATTERNS = [
  new RegExp(
    String.raw`^(?:${createAnyOfPattern(String.raw`
    eslint tslint jshint jslint jscs oxlint biome deno rome stylelint prettier dprint cspell spell-?checker
    nosonar noinspection istanbul c8 v8 node:coverage stryker webpack\w* codeql nosemgrep knip ts-prune
    type-coverage
  `)})(?:[\s:/_-]|$)`,
    'i',
  ),
  new RegExp(
    String.raw`^(?:${createAnyOfPattern(`
    flow standard xo vite rollup esbuild turbopack parcel terser swc babel codecov lgtm semgrep jest vitest
    tsd sonar dtslint fmt language format ignore
  `)})[:=-]\S`,
    'i',
  ),
  /^(?:globals?|exported)\s+\w+(?:\s*:\s*\w+)?(?:\s*,|$)/,
  /^[@#$]__?\w+/,
  /^@(?:ts-|jsx|vite|vitest|jest|license|preserve|flow|noflow|format|fileoverview|file\b|module\b|packageDocumentation|cc_on|babel)/i,
  /^#(?:end)?region\b/i,
  /^#\s*source(?:Mapping)?URL=/,
  /^<(?:reference|amd|editor-fold|\/editor-fold)/,
  /^(?:end)?region\b/i,
  /^\$Flow/,
  /^[!#]/,
];

/** Finds the comments between two offsets. Both offsets must be between the same two tokens. */
export function findCommentsBetween(text: string, start: number, end: number): Comment[] {
  const trailingRanges = ts.getTrailingCommentRanges(text, start) ?? [];
  const leadingRanges = ts.getLeadingCommentRanges(text, start) ?? [];
  const rangesByStart = new Map(
    [...trailingRanges, ...leadingRanges]
      .filter((range) => range.pos >= start && range.end <= end)
      .map((range) => [range.pos, range]),
  );
  return [...rangesByStart.values()].sort((a, b) => a.pos - b.pos).map((range) => toComment(text, range));
}

/** Finds all comments of the file, in order, token by token. */
export function listComments(sourceFile: ts.SourceFile): Comment[] {
  const { text } = sourceFile;
  const commentsByStart = new Map<number, Comment>();
  const collect = (start: number, end: number): void => {
    for (const comment of findCommentsBetween(text, start, end)) commentsByStart.set(comment.start, comment);
  };
  const visit = (node: ts.Node): void => {
    const children = node
      .getChildren(sourceFile)
      .filter(({ kind }) => kind < ts.SyntaxKind.FirstJSDocNode || kind > ts.SyntaxKind.LastJSDocNode);
    if (children.length === 0) {
      // Text between JSX tags contains no comments, even if it looks like one.
      if (node.kind !== ts.SyntaxKind.JsxText) collect(node.pos, node.getStart(sourceFile));
      return;
    }
    children.forEach(visit);
  };
  visit(sourceFile);
  return [...commentsByStart.values()].sort((a, b) => a.start - b.start);
}

/**
 * Finds the comments directly above a node, in order. Each is on lines of its own, and no blank line separates them
 * from the node. Empty if the node is not the first on its line.
 */
export function findCommentsAbove(sourceFile: ts.SourceFile, node: ts.Node): Comment[] {
  const { text } = sourceFile;
  const start = node.getStart(sourceFile);
  const comments: Comment[] = [];
  let lineBelow = sourceFile.getLineAndCharacterOfPosition(start).line;
  if (!isFirstOnLine(text, start)) return [];
  for (const comment of findCommentsBetween(text, node.getFullStart(), start).toReversed()) {
    const lastLine = sourceFile.getLineAndCharacterOfPosition(comment.end).line;
    if (
      lastLine !== lineBelow - 1 ||
      !isFirstOnLine(text, comment.start) ||
      !/^[ \t]*$/.test(text.slice(comment.end, lineEnd(text, comment.end)))
    )
      break;
    comments.unshift(comment);
    lineBelow = sourceFile.getLineAndCharacterOfPosition(comment.start).line;
  }
  return comments;
}

/**
 * The lines of a comment without its marks, and without empty lines at its start and end. One space after each mark is
 * removed; deeper indentation is kept.
 */
export function readCommentLines(comment: Comment): string[] {
  if (comment.isLine) return [comment.text.replace(/^\/\/+ ?/, '').trimEnd()];
  const innerText = comment.text.replace(/^\/\*+/, '').replace(/(?<!\*)\*+\/$/, '');
  const lines = innerText.split(/\r?\n/);
  const isStarred = lines.slice(1).every((line) => /^\s*(\*|$)/.test(line));
  const furtherLines = lines.slice(1).filter((line) => line.trim());
  const commonIndent = isStarred ? 0 : Math.min(...furtherLines.map((line) => /^\s*/.exec(line)?.[0].length ?? 0));
  const unmarkedLines = lines.map((line, index) =>
    index === 0 ? line.trim() : isStarred ? line.replace(/^\s*\* ?/, '').trimEnd() : line.slice(commonIndent).trimEnd(),
  );
  while (unmarkedLines.length > 0 && !unmarkedLines[0]?.trim()) unmarkedLines.shift();
  while (unmarkedLines.length > 0 && !unmarkedLines.at(-1)?.trim()) unmarkedLines.pop();
  return unmarkedLines;
}

/**
 * True if a tool may read the comment, so that moving or rewording it could have effects: it begins with three slashes
 * or an exclamation mark, or one of its lines matches `DIRECTIVE_PATTERNS`.
 */
export function isDirectiveComment(comment: Comment): boolean {
  if (/^\/\/\/|^\/\*!/.test(comment.text)) return true;
  const lines = comment.isLine ? [comment.text.replace(/^\/\/+\s*/, '')] : readCommentLines(comment);
  return lines.some((line) => DIRECTIVE_PATTERNS.some((pattern) => pattern.test(line.trim())));
}

/** True if the comment mentions a copyright or a licence. */
export function isLicenceComment(comment: Comment): boolean {
  return /copyright|©|\blicen[sc]e\b|SPDX-|all rights reserved/i.test(comment.text);
}

function toComment(text: string, range: ts.CommentRange): Comment {
  return {
    start: range.pos,
    end: range.end,
    text: text.slice(range.pos, range.end),
    isLine: range.kind === ts.SyntaxKind.SingleLineCommentTrivia,
  };
}
