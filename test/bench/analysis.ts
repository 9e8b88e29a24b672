// Measures the cost of an analysis beside that of linters that count the same: time, memory, a second run, and growth
// with the size of the repository.

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuleId } from '../../server/src/core/rules/allRules.ts';
import { grow } from './corpus/grow.ts';
import { makeRepository } from './corpus/repository.ts';
import { collectSources } from './corpus/sources.ts';
import { createLinters } from './peers/linters.ts';
import type { Bench, BenchOptions, Cell, Table } from './support/bench.ts';
import type { ChildRun } from './support/childRun.ts';
import { cliEntry, runAnalyse } from './support/ours.ts';
import { summariseSamples, computeGrowthExponent, type Figure } from './support/statistics.ts';

/** Numbers of files of the repositories. */
const sizes = { tiny: [6], default: [500, 2_000], large: [500, 2_000, 10_000] } as const;
/** Maximum number of source files from which repositories are made. */
const SOURCES = { tiny: 40, default: 3_000, large: 3_000 } as const;
/**
 * Our rules that count what the three rules of ESLint count. Cyclomatic complexity is counted together with cognitive
 * complexity, and is in the evidence of that rule.
 */
const SAME_RULES: readonly RuleId[] = ['cognitive-complexity', 'undocumented-export', 'unexplained-export'];
const ours = `Selfware: ${SAME_RULES.join(', ')}`;
const scripts = /\.[cm]?[jt]sx?$/;

/** The measured runs on a repository of one size. */
interface Measured {
  readonly files: number;
  readonly bytes: number;
  readonly runs: readonly { readonly name: string; readonly runs: readonly ChildRun[] }[];
}

/** The bench: a table of costs and, with several sizes, a table of growth. */
export const analysis: Bench = {
  name: 'analysis',
  describe:
    'Analysing synthetic repositories of TypeScript and JavaScript through the command line, beside ESLint, oxlint and biome in the same run.',
  async run(options, signal) {
    const sources = collectSources(options.grow, options.seed, SOURCES[options.size]).filter(({ path }) =>
      scripts.test(path),
    );
    const measured: Measured[] = [];
    for (const files of sizes[options.size])
      measured.push(await measure(options, grow(sources, files, options.seed), signal));
    return measured.length > 1
      ? [createCostsTable(measured), createGrowthTable(measured)]
      : [createCostsTable(measured)];
  },
};

async function measure(
  options: BenchOptions,
  sources: Parameters<typeof makeRepository>[1],
  signal: AbortSignal,
): Promise<Measured> {
  const { scratch, note, repeats } = options;
  const repository = await makeRepository(
    join(scratch, `repository-${sources.length}`),
    sources,
    { share: 0, seed: options.seed },
    signal,
  );
  const repeatRun = async (
    name: string,
    run: () => Promise<ChildRun | null>,
  ): Promise<{ name: string; runs: ChildRun[] }> => {
    note(`${sources.length} files: ${name}`);
    const runs: ChildRun[] = [];
    for (let round = 0; round < repeats; round++) {
      const result = await run();
      if (result) runs.push(result);
    }
    return { name, runs };
  };
  const home = join(scratch, `home-${sources.length}`);
  const runFresh = async (
    rules: readonly RuleId[] | null,
    isForgotten: (name: string) => boolean,
  ): Promise<ChildRun> => {
    await mkdir(home, { recursive: true });
    for (const name of await readdir(home)) if (isForgotten(name)) await rm(join(home, name), { recursive: true });
    return runAnalyse(repository.dir, home, rules, signal);
  };
  const isCompiledCode = (name: string) => name !== 'code';
  const runs = [
    await repeatRun(`${ours}, never started before`, () => runFresh(SAME_RULES, () => true)),
    await repeatRun(ours, () => runFresh(SAME_RULES, isCompiledCode)),
    await repeatRun('Selfware, all rules', () => runFresh(null, isCompiledCode)),
    await repeatRun('Selfware again, nothing changed', () => runAnalyse(repository.dir, home, null, signal)),
  ];
  for (const linter of createLinters(scratch))
    runs.push(await repeatRun(linter.name, () => linter.run(repository.dir, signal)));
  await rm(repository.dir, { recursive: true });
  return {
    files: repository.files,
    bytes: repository.bytes,
    runs: runs.filter((entry) => entry.runs.length > 0),
  };
}

/** The table of the costs of each run. */
function createCostsTable(measured: readonly Measured[]): Table {
  return {
    title: 'Analysis by the command line, in a cold process',
    columns: [
      { name: 'files' },
      { name: 'run' },
      { name: 'wall', unit: 's', digits: 2 },
      { name: 'CPU', unit: 's', digits: 2 },
      { name: 'peak memory', unit: 'MB', digits: 0 },
      { name: 'ESLint ÷ it, wall', digits: 1 },
      { name: 'ESLint ÷ it, CPU', digits: 1 },
    ],
    rows: measured.flatMap(({ files, runs }) => {
      const eslint = runs.find(({ name }) => name.startsWith('ESLint'));
      return runs.map((run): Cell[] => [
        files,
        run.name,
        seconds(wallTimes(run)),
        seconds(cpuTimes(run)),
        peakMemory(run),
        eslint ? wallTimes(eslint).median / wallTimes(run).median : null,
        ratio(eslint && cpuTimes(eslint), cpuTimes(run)),
      ]);
    }),
    notes: [
      `Text: ${measured.map(({ files, bytes }) => `${(bytes / 2 ** 20).toFixed(1)} MB in ${files} files`).join(', ')}. The start of the process is part of every run (Selfware: ${cliEntry.endsWith('.ts') ? 'from the sources, types stripped at each start' : 'the built bundle'}).`,
      'All rules: those of the linters among them; the repository is walked, what is found is stored and ranked, and the tree is scored. The rules named: walked and ranked, nothing is stored; the linters keep nothing either.',
      'Never started before: without the code that earlier processes of ours have compiled and kept (the file system has the bundle in its cache).',
      'CPU and peak memory (the high-water mark of resident memory, VmHWM) are those of the whole process, worker threads and child processes included.',
    ],
  };
}

/** The table of the growth of processor time with the size of the text. */
function createGrowthTable(measured: readonly Measured[]): Table {
  const steps = measured.slice(1).map((big, index) => [measured[index]!, big] as const);
  const names = measured[0]!.runs.map(({ name }) => name);
  return {
    title: 'How the CPU time grows: the b of cost = a · bytes^b',
    columns: [
      { name: 'run' },
      ...steps.map(([small, big]) => ({ name: `${small.files} → ${big.files} files`, digits: 2 })),
    ],
    rows: names.map((name) => [
      name,
      ...steps.map(([small, big]) => {
        const [smallCost, bigCost] = [small, big]
          .map(({ runs }) => runs.find((run) => run.name === name))
          .map((run) => run && cpuTimes(run)?.median);
        return smallCost && bigCost
          ? computeGrowthExponent({ size: small.bytes, cost: smallCost }, { size: big.bytes, cost: bigCost })
          : null;
      }),
    ]),
    notes: ['1 is linear; below 1 a fixed share (start of the process) weighs more on the smaller one.'],
  };
}

/** A program with its measured runs. */
interface Run {
  readonly runs: readonly ChildRun[];
}

function wallTimes({ runs }: Run): Figure {
  return summariseSamples(runs.map(({ wallMs }) => wallMs));
}

function cpuTimes({ runs }: Run): Figure | null {
  return toFigure(runs.map(({ cpuMs }) => cpuMs));
}

function peakMemory({ runs }: Run): Figure | null {
  return toFigure(runs.map(({ peakMb }) => peakMb));
}

/** The figure of the values; null if one of them is unknown. */
function toFigure(values: readonly (number | null)[]): Figure | null {
  return values.some((value) => value === null) ? null : summariseSamples(values as number[]);
}

function ratio(dividend: Figure | null | undefined, to: Figure | null): number | null {
  return dividend && to && to.median > 0 ? dividend.median / to.median : null;
}

/** A figure in milliseconds, converted to seconds. */
function seconds(figure: Figure | null): Figure | null {
  return figure && { ...figure, median: figure.median / 1000, low: figure.low / 1000, high: figure.high / 1000 };
}
