// `selfware graph dependents|dependencies|impact|tests TARGET`, `selfware graph cycles|central`: who depends on what.

import { Command } from 'commander';
import type { GraphAnswer, GraphPlace, GraphRequest } from '../../core/index/graph/questions.ts';
import type { Colors } from '../../adapters/system/terminal.ts';
import { command, withSession, type CommandFactory, type CommonOptions } from '../invocation.ts';
import { count } from '../writers/human.ts';
import { whole } from './improve.ts';
import { thousands } from '../../util/thousands.ts';

interface GraphOptions extends CommonOptions {
  readonly depth?: string;
  readonly ambiguous?: boolean;
}

interface CentralOptions extends CommonOptions {
  readonly top: string;
}

type Question = Exclude<GraphRequest['question'], 'cycles' | 'central'>;

const questions: Readonly<
  Record<Question, { readonly description: string; readonly one: string; readonly none: string }>
> = {
  dependents: {
    description: 'what uses TARGET directly',
    one: 'dependent',
    none: 'Nothing in the repository uses it.',
  },
  dependencies: {
    description: 'what TARGET uses directly',
    one: 'dependency',
    none: 'It uses nothing of the repository.',
  },
  impact: {
    description: 'whatever can reach TARGET, and how',
    one: 'place that can reach it',
    none: 'Nothing in the repository reaches it.',
  },
  tests: { description: 'the tests that reach TARGET', one: 'test that reaches it', none: 'No test reaches it.' },
};

export const graphCommand: CommandFactory = (setExitCode) => {
  const parent = new Command('graph').description(
    'who depends on what: dependents, dependencies, impact, tests, cycles, central',
  );
  for (const question of Object.keys(questions) as Question[]) {
    parent.addCommand(
      command(question, questions[question].description)
        .argument('<target>', 'a path, PATH#SYMBOL, or the name of a definition')
        .option('--depth <n>', 'steps to go; dependents and dependencies go 1, impact and tests all')
        .option('--ambiguous', 'follow what one of several definitions may be meant by, too')
        .action((target: string, options: GraphOptions) =>
          ask(
            {
              question,
              target,
              ...(options.depth === undefined ? {} : { depth: whole('--depth', options.depth) }),
              ambiguous: options.ambiguous ?? false,
            },
            options,
            setExitCode,
          ),
        ),
    );
  }
  parent.addCommand(
    command('central', 'the definitions that everything else leans on, by PageRank')
      .option('--top <n>', 'so many', '20')
      .action((options: CentralOptions) =>
        ask({ question: 'central', top: whole('--top', options.top) }, options, setExitCode),
      ),
  );
  return parent.addCommand(
    command('cycles', 'files that import each other in a circle').action((options: CommonOptions) =>
      ask({ question: 'cycles' }, options, setExitCode),
    ),
  );
};

async function ask(
  request: GraphRequest,
  options: CommonOptions,
  setExitCode: Parameters<CommandFactory>[0],
): Promise<void> {
  await withSession(options, async ({ session, signal, json, colors, out, outJson, note }) => {
    const answer = await session.graph(request, signal);
    if ('several' in answer) setExitCode(1);
    if (json) outJson(answer);
    else for (const line of lines(answer, colors)) out(line);
    if ('several' in answer && !json) note('Give one of them as the target.');
  });
}

function lines(answer: GraphAnswer, colors: Colors): string[] {
  if ('cycles' in answer) {
    if (answer.cycles.length === 0) return ['No circles.'];
    return [
      `${count(answer.cycles.length, 'circle')} of files that import each other:`,
      ...answer.cycles.map(
        ({ files, path }) =>
          `  ${count(files.length, 'file')}: ${[...path, path[0]!].map((file) => colors.cyan(file)).join(' → ')}`,
      ),
    ];
  }
  if ('central' in answer) {
    if (answer.central.length === 0) return ['No definition is used by another.'];
    return [
      `${'rank'.padStart(6)} ${'users'.padStart(6)}`,
      ...answer.central.map(
        ({ rank, inDegree, ...place }) =>
          `${`${(rank * 100).toFixed(2)} %`.padStart(6)} ${String(inDegree).padStart(6)}  ${shown(place, colors)}`,
      ),
    ];
  }
  if ('several' in answer)
    return [
      `${count(answer.several.length, 'definition')} called so:`,
      ...answer.several.map((place) => `  ${shown(place, colors)}`),
    ];
  const { one, none } = questions[answer.question];
  const head = colors.bold(name(answer.target));
  if (answer.items.length === 0) return [head, none];
  const body: string[] = [];
  let file = '';
  for (const item of answer.items.toSorted(
    (a, b) => a.depth - b.depth || (a.path < b.path ? -1 : a.path > b.path ? 1 : (a.line ?? 0) - (b.line ?? 0)),
  )) {
    const heading = `${item.depth} ${item.path}`;
    if (heading !== file) body.push(`  ${colors.dim(`${item.depth}`)} ${colors.cyan(item.path)}`);
    file = heading;
    const sure =
      item.confidence === 'name' || item.confidence === 'ambiguous'
        ? colors.dim(` (by ${item.confidence === 'name' ? 'its name alone' : 'one of several names'})`)
        : '';
    const way = item.way.slice(0, -1).map(name).reverse();
    if (item.symbol !== null || way.length > 0 || sure !== '')
      body.push(
        `      ${item.symbol === null ? '' : `${item.symbol}${item.line === null ? '' : colors.dim(`:${item.line}`)}`}${sure}${way.length > 0 ? colors.dim(`${item.symbol === null ? '' : ' '}via ${way.join(' → ')}`) : ''}`,
      );
  }
  const files = new Set(answer.items.map(({ path }) => path)).size;
  return [
    head,
    `${plural(answer.items.length, one)} in ${count(files, 'file')}; the number in front counts the steps:`,
    ...body,
  ];
}

function plural(n: number, noun: string): string {
  if (n === 1) return `1 ${noun}`;
  const many: Readonly<Record<string, string>> = {
    dependency: 'dependencies',
    'place that can reach it': 'places that can reach it',
    'test that reaches it': 'tests that reach it',
  };
  return `${thousands(n)} ${many[noun] ?? `${noun}s`}`;
}

function name({ path, symbol }: Pick<GraphPlace, 'path' | 'symbol'>): string {
  return symbol === null ? path : `${path}#${symbol}`;
}

function shown(place: GraphPlace, colors: Colors): string {
  return `${colors.cyan(name(place))}${place.line === null ? '' : colors.dim(`:${place.line}`)}`;
}
