// Finds the code of an opportunity in the current text, by line and column, and lists the nodes below a node.

import { ts } from 'ts-morph';
import type { Range } from '../../model.ts';

/** A part of a text by offsets; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Converts a range to offsets. Null if the text no longer has these lines. A column beyond the end of its line is
 * limited to it.
 */
export function findSpan(sourceFile: ts.SourceFile, range: Range): Span | null {
  const start = findOffset(sourceFile, range.startLine, range.startColumn);
  const end = findOffset(sourceFile, range.endLine, range.endColumn);
  return start === null || end === null || end < start ? null : { start, end };
}

/** Collects every node below `root` in the order of the text, including those in nested functions. */
export function collectDescendants(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(root, visit);
  return nodes;
}

/**
 * Finds the node that `accepts` accepts and that best matches a span. In order of preference, it has exactly this span,
 * starts at its start, is the first one inside it, or is the innermost one around it.
 */
export function findNodeAt<T extends ts.Node>(
  sourceFile: ts.SourceFile,
  span: Span,
  accepts: (node: ts.Node) => node is T,
): T | null {
  const candidates = collectDescendants(sourceFile).filter(accepts);
  const start = (node: ts.Node) => node.getStart(sourceFile);
  return (
    candidates.find((node) => start(node) === span.start && node.end === span.end) ??
    candidates.find((node) => start(node) === span.start) ??
    candidates.find((node) => start(node) >= span.start && node.end <= span.end) ??
    candidates.findLast((node) => start(node) <= span.start && node.end >= span.end) ??
    null
  );
}

/**
 * Finds the identifier that starts at the start of the span; null if there is none. Private names are not identifiers.
 */
export function findIdentifierAt(sourceFile: ts.SourceFile, span: Span): ts.Identifier | null {
  return (
    collectDescendants(sourceFile).find(
      (node): node is ts.Identifier => ts.isIdentifier(node) && node.getStart(sourceFile) === span.start,
    ) ?? null
  );
}

/** The offset of a line and a column, which begin with 1; null if the text has fewer lines. */
function findOffset(sourceFile: ts.SourceFile, line: number, column: number): number | null {
  const lineStarts = sourceFile.getLineStarts();
  const lineStart = lineStarts[line - 1];
  if (lineStart === undefined) return null;
  const lineLimit = lineStarts[line] ?? sourceFile.text.length;
  return Math.min(lineStart + column - 1, lineLimit);
}
