// Explains each point of a function's complexity by the code that adds it.

import type { ts } from 'ts-morph';
import type { FunctionMetrics, Language } from '../../model.ts';
import type { FunctionUnit } from '../functionUnit.ts';
import { findLineStarts, toRange } from '../lines.ts';
import { parseScript } from '../script/parseScript.ts';
import { computeMetrics } from './functionMetrics.ts';
import type { Point } from './scriptFrame.ts';
import { walkScript } from './scriptMetrics.ts';

/**
 * One construct that adds to the complexity of a function: its position (1-based), its points, and the number of
 * control structures around it.
 */
export interface ComplexityStep {
  readonly line: number;
  readonly column: number;
  readonly construct: string;
  readonly cyclomatic: number;
  readonly cognitive: number;
  readonly nesting: number;
}

/** A function with the constructs that add to its complexity. */
export interface FunctionExplanation {
  readonly metrics: FunctionMetrics;
  /**
   * The steps in text order. The sum of their `cognitive` is the complexity of the function; the sum of their
   * `cyclomatic` is that of the function minus 1.
   */
  readonly steps: readonly ComplexityStep[];
}

const NO_DEAD_RANGES: ReadonlyMap<number, number> = new Map();

/**
 * Explains the innermost function that contains a position (1-based; its name and decorators included), or the top
 * level of the file. Null for languages other than TypeScript and JavaScript, for an empty file, and beyond the end of
 * the text.
 */
export function explainFunction(
  path: string,
  text: string,
  language: Language,
  position: { readonly line: number; readonly column: number },
): FunctionExplanation | null {
  const lines = findLineStarts(text);
  const lineStart = lines[position.line - 1];
  if (lineStart === undefined) return null;
  const offset = lineStart + position.column - 1;
  return explainAll(path, text, language, (unit) => unit.start <= offset && offset <= unit.end)[0] ?? null;
}

/**
 * Explanations of all functions for which `isWanted` is true, inner ones first. Empty for languages other than
 * TypeScript and JavaScript.
 */
function explainAll(
  path: string,
  text: string,
  language: Language,
  isWanted: (unit: FunctionUnit) => boolean,
): FunctionExplanation[] {
  const sourceFile = parseScript(path, text, language);
  if (!sourceFile) return [];
  const lines = findLineStarts(text);
  const { units, points } = walkScript(sourceFile, NO_DEAD_RANGES, () => undefined, { traced: true });
  return units.filter(isWanted).map((unit) => ({
    metrics: computeMetrics(unit, path, lines),
    steps: (points.get(unit) ?? [])
      .map((point) => ({ at: findPointOffset(point, sourceFile), point }))
      .sort((a, b) => a.at - b.at)
      .map(createStep),
  }));

  function createStep({ at, point }: { readonly at: number; readonly point: Point }): ComplexityStep {
    const { startLine, startColumn } = toRange(lines, at, at);
    return {
      line: startLine,
      column: startColumn,
      construct: point.construct,
      cyclomatic: point.cyclomatic,
      cognitive: point.cognitive,
      nesting: point.nesting,
    };
  }
}

/**
 * The offset at which a person looks for a point: the keyword `else` for an `else` or `else if`, otherwise the start of
 * its node.
 */
function findPointOffset({ node, construct }: Point, sourceFile: ts.SourceFile): number {
  const start = node.getStart(sourceFile);
  if (construct === 'else' || construct === 'else if')
    return findKeywordBefore(sourceFile.text, 'else', node.pos, start);
  return start;
}

/** The offset of a keyword that ends exactly at `end`; `fallback` if other text is there. */
function findKeywordBefore(text: string, keyword: string, end: number, fallback: number): number {
  return text.slice(end - keyword.length, end) === keyword ? end - keyword.length : fallback;
}
