// Converts the metrics of functions to the form that the analysis returns: with a path, and lines and columns instead
// of offsets.

import type { FunctionMetrics } from '../../model.ts';
import type { FunctionUnit } from '../functionUnit.ts';
import { toRange, type LineStarts } from '../lines.ts';

/** The metrics of a function. Halstead's measures and the maintainability are null if its tokens were not counted. */
export function computeMetrics(unit: FunctionUnit, path: string, lines: LineStarts): FunctionMetrics {
  const range = toRange(lines, unit.start, unit.end);
  const { name, kind, cyclomatic, cognitive, nesting, statements, parameters, halstead, maintainability } = unit;
  return {
    path,
    line: range.startLine,
    column: range.startColumn,
    endLine: range.endLine,
    name,
    kind,
    cyclomatic,
    cognitive,
    nesting,
    statements,
    parameters,
    halstead,
    maintainability,
  };
}

/**
 * The metrics of all functions, sorted by position. `units`: the units of a file, inner functions first. In the result,
 * an outer function precedes an inner one that starts at the same offset.
 */
export function computeAllMetrics(units: readonly FunctionUnit[], path: string, lines: LineStarts): FunctionMetrics[] {
  return units
    .map((unit) => computeMetrics(unit, path, lines))
    .reverse()
    .sort((a, b) => a.line - b.line || a.column - b.column || b.endLine - a.endLine);
}
