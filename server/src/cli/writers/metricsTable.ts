// Sorts the metrics of functions, and formats them as a table for a terminal, with the source of each point of
// complexity.

import type { FunctionExplanation } from '../../core/analysis/metrics/explain.ts';
import type { FunctionMetrics } from '../../core/model.ts';
import type { Colors } from '../../adapters/system/terminal.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';

/** The columns of the table before the function. */
const COLUMNS: readonly { readonly title: string; cell(metrics: FunctionMetrics): string }[] = [
  { title: 'cognitive', cell: ({ cognitive }) => `${cognitive}` },
  { title: 'cyclomatic', cell: ({ cyclomatic }) => `${cyclomatic}` },
  { title: 'nesting', cell: ({ nesting }) => `${nesting}` },
  { title: 'statements', cell: ({ statements }) => `${statements}` },
  { title: 'parameters', cell: ({ parameters }) => `${parameters}` },
  { title: 'volume', cell: ({ halstead }) => (halstead ? halstead.volume.toFixed(0) : '–') },
  {
    title: 'maintainability',
    cell: ({ maintainability }) => (maintainability === null ? '–' : maintainability.toFixed(0)),
  },
];

/**
 * The functions with the highest cognitive complexity first. Functions with equal values are ordered by cyclomatic
 * complexity, then by path and line.
 */
export function sortWorstFirst(functions: readonly FunctionMetrics[]): FunctionMetrics[] {
  return functions.toSorted(
    (a, b) =>
      b.cognitive - a.cognitive ||
      b.cyclomatic - a.cyclomatic ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
}

/**
 * A title, and one line for each function in the given order, followed by one line for each step of its explanation
 * that adds cognitive complexity.
 */
export function formatMetrics(
  functions: readonly FunctionMetrics[],
  explanationOf: (metrics: FunctionMetrics) => FunctionExplanation | null,
  colors: Colors,
): string {
  const title = `${COLUMNS.map((column) => column.title).join(' ')}  function`;
  return [
    colors.bold(title),
    ...functions.flatMap((metrics) => [formatRow(metrics, colors), ...formatSteps(explanationOf(metrics), colors)]),
  ].join('\n');
}

function formatRow(metrics: FunctionMetrics, colors: Colors): string {
  const figures = COLUMNS.map(({ title, cell }) => cell(metrics).padStart(title.length)).join(' ');
  const location = escapeInvisibleLine(`${metrics.path}:${metrics.line}:${metrics.column}`);
  return `${figures}  ${colors.cyan(location)} ${escapeInvisibleLine(metrics.name)}`;
}

/** A line for each step of an explanation that adds complexity. */
function formatSteps(explanation: FunctionExplanation | null, colors: Colors): string[] {
  const steps = explanation?.steps.filter(({ cognitive }) => cognitive > 0) ?? [];
  return steps.map(({ line, column, construct, cognitive, nesting }) =>
    colors.dim(
      `${`+${cognitive}`.padStart(COLUMNS[0]!.title.length)} ${construct}${cognitive > 1 ? ` (1 + ${nesting} for nesting)` : ''} at ${line}:${column}`,
    ),
  );
}
