// `selfware graph dependents|dependencies|impact|tests TARGET` and `selfware graph cycles|central`: answers questions
// about the dependencies between files and definitions.

import type { GraphResult, GraphPlace, GraphQuery } from '../../core/index/graph/queryTypes.ts';
import type { Colors } from '../../adapters/system/terminal.ts';
import {
  createCommand,
  createCommandGroup,
  withSession,
  type CommandFactory,
  type CommonOptions,
} from '../invocation.ts';
import { parseWholeNumber } from '../parseWholeNumber.ts';
import { formatCount } from '../../util/counted.ts';

/** The words for an uncertain dependency, by its confidence; a certain one has none. */
const DOUBT_TEXTS: Readonly<Record<string, string>> = {
  name: ' (by its name alone)',
  ambiguous: ' (by one of several names)',
};

interface GraphOptions extends CommonOptions {
  readonly depth?: string;
  readonly ambiguous?: boolean;
}

interface CentralOptions extends CommonOptions {
  readonly top: string;
}

/** The questions about a target. */
type Question = Exclude<GraphQuery['question'], 'cycles' | 'central'>;

/**
 * For each question about a target: its description in the help, the noun for one result, and the text if there is no
 * result.
 */
const TARGET_QUESTIONS: Readonly<
  Record<Question, { readonly description: string; readonly singular: string; readonly emptyText: string }>
> = {
  dependents: {
    description: 'what uses TARGET directly',
    singular: 'dependent',
    emptyText: 'Nothing in the repository uses it.',
  },
  dependencies: {
    description: 'what TARGET uses directly',
    singular: 'dependency',
    emptyText: 'It uses nothing of the repository.',
  },
  impact: {
    description: 'whatever can reach TARGET, and how',
    singular: 'place that can reach it',
    emptyText: 'Nothing in the repository reaches it.',
  },
  tests: {
    description: 'the tests that reach TARGET',
    singular: 'test that reaches it',
    emptyText: 'No test reaches it.',
  },
};

/** The plurals that are not formed with an `s`. */
const PLURALS: Readonly<Record<string, string>> = {
  dependency: 'dependencies',
  'place that can reach it': 'places that can reach it',
  'test that reaches it': 'tests that reach it',
};

/** The subcommand `graph`. Its exit code is 1 if several definitions have the name of the target. */
export const graphCommand: CommandFactory = (setExitCode) => {
  const groupCommand = createCommandGroup(
    'graph',
    'who depends on what: dependents, dependencies, impact, tests, cycles, central',
  );
  for (const question of Object.keys(TARGET_QUESTIONS) as Question[]) {
    groupCommand.addCommand(
      createCommand(question, TARGET_QUESTIONS[question].description)
        .argument('<target>', 'a path, PATH#SYMBOL, or the name of a definition')
        .option('--depth <n>', 'steps to go; dependents and dependencies go 1, impact and tests all')
        .option('--ambiguous', 'also follow names that fit several definitions')
        .action((target: string, options: GraphOptions) =>
          printAnswer(
            {
              question,
              target,
              ...(options.depth === undefined ? {} : { depth: parseWholeNumber('--depth', options.depth) }),
              ambiguous: options.ambiguous ?? false,
            },
            options,
            setExitCode,
          ),
        ),
    );
  }
  groupCommand.addCommand(
    createCommand('central', 'the definitions that the rest depends on most, by PageRank')
      .option('--top <n>', 'so many', '20')
      .action((options: CentralOptions) =>
        printAnswer({ question: 'central', top: parseWholeNumber('--top', options.top) }, options, setExitCode),
      ),
  );
  return groupCommand.addCommand(
    createCommand('cycles', 'files that import each other in a circle').action((options: CommonOptions) =>
      printAnswer({ question: 'cycles' }, options, setExitCode),
    ),
  );
};

/** Answers a question and prints the answer. */
async function printAnswer(
  request: GraphQuery,
  options: CommonOptions,
  setExitCode: Parameters<CommandFactory>[0],
): Promise<void> {
  await withSession(options, async ({ session, signal, json, colors, out, outJson, note }) => {
    const answer = await session.memory.graph(request, signal);
    if ('several' in answer) setExitCode(1);
    if (json) outJson(answer);
    else for (const line of formatAnswer(answer, colors)) out(line);
    if ('several' in answer && !json) note('Give one of them as the target.');
  });
}

/** The answer to a question as lines of text. */
function formatAnswer(answer: GraphResult, colors: Colors): string[] {
  if ('cycles' in answer) return formatCircles(answer.cycles, colors);
  if ('central' in answer) return formatCentralDefinitions(answer.central, colors);
  if ('several' in answer)
    return [
      `${formatCount(answer.several.length, 'definition')} called so:`,
      ...answer.several.map((place) => `  ${formatPlace(place, colors)}`),
    ];
  return formatPlaces(answer, colors);
}

/** The answers that have the property `K`. */
type Answer<K extends string> = Extract<GraphResult, { readonly [key in K]: unknown }>;

/** A line for each group of files that import each other, with the shortest circle in it. */
function formatCircles(cycles: Answer<'cycles'>['cycles'], colors: Colors): string[] {
  if (cycles.length === 0) return ['No circles.'];
  return [
    `${formatCount(cycles.length, 'circle')} of files that import each other:`,
    ...cycles.map(
      ({ files, path }) =>
        `  ${formatCount(files.length, 'file')}: ${[...path, path[0]!].map((file) => colors.cyan(file)).join(' → ')}`,
    ),
  ];
}

/** The most used definitions, with their share of the rank and the number of their users. */
function formatCentralDefinitions(central: Answer<'central'>['central'], colors: Colors): string[] {
  if (central.length === 0) return ['No definition is used by another.'];
  return [
    `${'rank'.padStart(6)} ${'users'.padStart(6)}`,
    ...central.map(
      ({ rank, inDegree, ...place }) =>
        `${`${(rank * 100).toFixed(2)} %`.padStart(6)} ${String(inDegree).padStart(6)}  ${formatPlace(place, colors)}`,
    ),
  ];
}

/** The results by distance from the target, grouped by file. */
function formatPlaces({ question, target, items }: Answer<'items'>, colors: Colors): string[] {
  const { singular, emptyText } = TARGET_QUESTIONS[question];
  const targetText = colors.bold(nameOf(target));
  if (items.length === 0) return [targetText, emptyText];
  const itemLines: string[] = [];
  let lastHeading = '';
  for (const item of items.toSorted(compareItems)) {
    const heading = `${item.depth} ${item.path}`;
    if (heading !== lastHeading) itemLines.push(`  ${colors.dim(`${item.depth}`)} ${colors.cyan(item.path)}`);
    lastHeading = heading;
    const definition = formatDefinition(item, colors);
    if (definition !== '') itemLines.push(`      ${definition}`);
  }
  const fileCount = new Set(items.map(({ path }) => path)).size;
  return [
    targetText,
    `${formatCount(items.length, singular, PLURALS[singular])} in ${formatCount(fileCount, 'file')}; the number in front counts the steps:`,
    ...itemLines,
  ];
}

type Item = Answer<'items'>['items'][number];

/** Orders results by distance, then by path and line. */
function compareItems(a: Item, b: Item): number {
  return a.depth - b.depth || (a.path < b.path ? -1 : a.path > b.path ? 1 : (a.line ?? 0) - (b.line ?? 0));
}

/** A result without its file: the definition, the confidence, and the definitions between it and the target. */
function formatDefinition({ symbol, line, confidence, way }: Item, colors: Colors): string {
  const lineSuffix = symbol === null || line === null ? '' : colors.dim(`:${line}`);
  const doubtText = DOUBT_TEXTS[confidence];
  const intermediateNames = way.slice(0, -1).map(nameOf).reverse();
  const viaText =
    intermediateNames.length > 0 ? colors.dim(`${symbol === null ? '' : ' '}via ${intermediateNames.join(' → ')}`) : '';
  return `${symbol ?? ''}${lineSuffix}${doubtText ? colors.dim(doubtText) : ''}${viaText}`;
}

function nameOf({ path, symbol }: Pick<GraphPlace, 'path' | 'symbol'>): string {
  return symbol === null ? path : `${path}#${symbol}`;
}

function formatPlace(place: GraphPlace, colors: Colors): string {
  return `${colors.cyan(nameOf(place))}${place.line === null ? '' : colors.dim(`:${place.line}`)}`;
}
