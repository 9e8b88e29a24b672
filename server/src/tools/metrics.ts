// Defines the tool `metrics`: it lists metrics of functions or files, in pages.

import * as z from 'zod';
import type { FunctionMetrics } from '../core/model.ts';
import { cutPage } from './bounds.ts';
import { isInPath } from './paths.ts';
import { defineTool } from './tool.ts';
import { formatCount } from '../util/counted.ts';

/** The figures by which rows can be sorted. */
const SORT_FIGURES = ['cognitive', 'cyclomatic', 'nesting', 'statements', 'parameters', 'maintainability'] as const;

const input = z.object({
  path: z.string().max(1000).optional().describe('Only of this file, or below this folder, relative to the root.'),
  by: z
    .enum(['function', 'file'])
    .default('function')
    .describe('One row per function, or per file with its functions summed up.'),
  sort: z
    .enum(SORT_FIGURES)
    .default('cognitive')
    .describe('Worst first by this figure. For maintainability the worst is the lowest.'),
  offset: z.int().min(0).default(0).describe('Where the page begins: `nextOffset` of the page before.'),
  limit: z.int().min(1).max(200).default(30).describe('At most this many rows in a page.'),
});

/** Lists metrics, worst first. */
export const metricsTool = defineTool<z.output<typeof input>>({
  name: 'metrics',
  title: 'Measure Functions and Files',
  summary: 'Complexity, nesting, size and maintainability of functions and files.',
  description:
    'Figures of every function (cognitive and cyclomatic complexity, nesting, statements, parameters, Halstead volume, maintainability) or of every file, worst first. Use it to find what is hard to follow, or to compare your edit before and after. A figure that cannot be measured for a language is null.',
  hints: { readOnly: true, destructive: false, idempotent: true },
  needsTrust: false,
  runningText: 'Measuring',
  icon: '$(graph)',
  input,
  async run({ path, by, sort, offset, limit }, { session, refresh }) {
    const note = await refresh('analysis');
    const functions = (await session.analysis.metrics()).filter(
      (metrics) => path === undefined || isInPath(metrics.path, path),
    );
    const page =
      by === 'function'
        ? cutPage(sortWorstFirst(functions, sort).map(createFunctionRow), offset, limit)
        : cutPage(sortWorstFirst(createFileRows(functions), sort), offset, limit);
    const noun = by === 'function' ? 'functions' : 'files';
    return {
      structured: { note, total: page.total, nextOffset: page.nextOffset, [noun]: page.rows },
      text: [
        note,
        `${page.total} ${noun}, worst first by ${sort}:`,
        ...page.rows.map(formatRow),
        page.nextOffset === null ? null : `More from offset ${page.nextOffset} on.`,
      ]
        .filter((part) => part !== null)
        .join('\n'),
    };
  },
});

/** The figures of a row. A figure is null if it cannot be measured. */
type RowFigures = Record<(typeof SORT_FIGURES)[number], number | null>;
type FunctionRow = ReturnType<typeof createFunctionRow>;

interface FileRow extends RowFigures {
  readonly path: string;
  readonly functions: number;
}

/** The row of one function. */
function createFunctionRow({
  path,
  line,
  endLine,
  name,
  kind,
  cyclomatic,
  cognitive,
  nesting,
  statements,
  parameters,
  halstead,
  maintainability,
}: FunctionMetrics) {
  return {
    path,
    line,
    endLine,
    name,
    kind,
    cognitive,
    cyclomatic,
    nesting,
    statements,
    parameters,
    halsteadVolume: halstead && Math.round(halstead.volume),
    maintainability: maintainability && Math.round(maintainability),
  };
}

/**
 * The metrics of each file: the sums of complexity, statements and parameters, and the worst nesting and
 * maintainability of its functions.
 */
function createFileRows(functions: readonly FunctionMetrics[]): FileRow[] {
  const files = new Map<string, FunctionMetrics[]>();
  for (const measuredFunction of functions) {
    const functionsOfFile = files.get(measuredFunction.path);
    if (functionsOfFile) functionsOfFile.push(measuredFunction);
    else files.set(measuredFunction.path, [measuredFunction]);
  }
  return [...files].map(([path, functionsOfFile]) => {
    const sumFigure = (figure: 'cognitive' | 'cyclomatic' | 'statements' | 'parameters') =>
      functionsOfFile.reduce((total, metrics) => total + metrics[figure], 0);
    const maintainabilityIndices = functionsOfFile.flatMap(({ maintainability }) =>
      maintainability === null ? [] : [maintainability],
    );
    return {
      path,
      functions: functionsOfFile.length,
      cognitive: sumFigure('cognitive'),
      cyclomatic: sumFigure('cyclomatic'),
      nesting: Math.max(...functionsOfFile.map(({ nesting }) => nesting)),
      statements: sumFigure('statements'),
      parameters: sumFigure('parameters'),
      maintainability: maintainabilityIndices.length === 0 ? null : Math.round(Math.min(...maintainabilityIndices)),
    };
  });
}

/** The rows sorted by a figure, the worst first. Rows whose figure is null come last. */
function sortWorstFirst<T extends RowFigures & { readonly path: string }>(
  rows: readonly T[],
  sort: (typeof SORT_FIGURES)[number],
): T[] {
  const computeBadness = (row: T): number =>
    row[sort] === null ? -Infinity : sort === 'maintainability' ? -row[sort] : row[sort];
  return rows.toSorted((a, b) => computeBadness(b) - computeBadness(a) || (a.path < b.path ? -1 : 1));
}

function formatRow(row: FunctionRow | FileRow): string {
  const place =
    'functions' in row
      ? `${row.path} (${formatCount(row.functions, 'function')})`
      : `${row.path}:${row.line} ${row.name}`;
  return `${place}: cognitive ${row.cognitive}, cyclomatic ${row.cyclomatic}, nesting ${row.nesting}, statements ${row.statements}, parameters ${row.parameters}, maintainability ${row.maintainability ?? 'unknown'}`;
}
