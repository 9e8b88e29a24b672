// Defines the tool `graph`: it answers questions about the dependencies between files and between definitions.

import * as z from 'zod';
import type { GraphResult, GraphPlace, GraphQuery } from '../core/index/graph/queryTypes.ts';
import { SelfwareError } from '../util/typedError.ts';
import { cutPage } from './bounds.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  question: z
    .enum(['dependents', 'dependencies', 'impact', 'tests', 'cycles', 'central'])
    .describe(
      'dependents: direct users of the target. dependencies: what it uses. impact: everything that can reach it. tests: test files that reach it. cycles: circles of imports. central: what the rest depends on most.',
    ),
  target: z
    .string()
    .max(1000)
    .optional()
    .describe('For the first four: a path, `path#symbol`, or the name of a definition.'),
  depth: z
    .int()
    .min(1)
    .max(20)
    .optional()
    .describe('Steps to go; without it 1 for dependents and dependencies, all for impact and tests.'),
  limit: z.int().min(1).max(200).default(50).describe('At most this many places, nearest first.'),
});

/** Answers a question about dependencies. */
export const graphTool = defineTool<z.output<typeof input>>({
  name: 'graph',
  title: 'Ask Who Depends on What',
  summary: 'Users, dependencies, impact and tests of a file or a symbol; import cycles; what the rest depends on most.',
  description:
    'Answers from the dependency graph of the repository, down to symbols. Ask for `impact` and `tests` before you change a function: it tells what may break and which tests guard it. When several definitions have the name, they are listed; ask again with `path#symbol`.',
  hints: { readOnly: true, destructive: false, idempotent: true },
  needsTrust: false,
  runningText: 'Asking the dependency graph',
  icon: '$(type-hierarchy)',
  input,
  async run({ question, target, depth, limit }, { session, operation, refresh }) {
    const note = await refresh('analysis');
    const answer = await session.memory.graph(createQuery(question, target, depth, limit), operation.signal);
    const { heading, rows, total } = createRows(answer, limit);
    return {
      structured: {
        note,
        ...('target' in answer ? { target: answer.target } : {}),
        several: 'several' in answer,
        total,
        items: rows,
      },
      text: [note, heading, ...rows.map((row) => `- ${JSON.stringify(row)}`)]
        .filter((part) => part !== null)
        .join('\n'),
    };
  },
});

/** The query for the graph. Throws `usage` if the question needs a target and has none. */
function createQuery(
  question: GraphQuery['question'],
  target: string | undefined,
  depth: number | undefined,
  top: number,
): GraphQuery {
  if (question === 'cycles') return { question };
  if (question === 'central') return { question, top };
  if (target === undefined)
    throw new SelfwareError('usage', `${question} needs a target.`, {
      action: 'Give a path, path#symbol, or the name of a definition.',
    });
  return { question, target, ...(depth === undefined ? {} : { depth }) };
}

/** The first `limit` places of the answer as rows, with a heading. */
function createRows(
  answer: GraphResult,
  limit: number,
): { readonly heading: string; readonly rows: readonly object[]; readonly total: number } {
  if (answer.question === 'cycles')
    return cutWithHeading(
      answer.cycles.map(({ path }) => ({ path })),
      limit,
      'import cycles',
    );
  if (answer.question === 'central')
    return cutWithHeading(answer.central, limit, 'places that the rest depends on most');
  if ('several' in answer)
    return cutWithHeading(answer.several, limit, 'definitions have that name; ask again with path#symbol');
  return cutWithHeading(
    answer.items.map(({ path, symbol, line, depth, confidence, way }) => ({
      path,
      symbol,
      line,
      depth,
      confidence,
      ...(way.length > 1 ? { way: way.map(nameOf).join(' → ') } : {}),
    })),
    limit,
    `${answer.question} of ${nameOf(answer.target)}, nearest first`,
  );
}

/** The rows that fit into an answer, with a heading that says how many rows there are in total. */
function cutWithHeading(
  allRows: readonly object[],
  limit: number,
  heading: string,
): { readonly heading: string; readonly rows: readonly object[]; readonly total: number } {
  const { rows, total } = cutPage(allRows, 0, limit);
  return { heading: `${total} ${heading}${rows.length < total ? `, the first ${rows.length}` : ''}:`, rows, total };
}

function nameOf({ path, symbol }: Pick<GraphPlace, 'path' | 'symbol'>): string {
  return symbol === null ? path : `${path}#${symbol}`;
}
