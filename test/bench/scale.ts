// Measures the cost of indexing repositories of growing size: the first time, again, after an edit, and after a switch
// of the branch; also memory, disk space, and the time until files can be searched.

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { grow } from './corpus/grow.ts';
import { makeRepository, type BenchRepository } from './corpus/repository.ts';
import { collectSources } from './corpus/sources.ts';
import type { Bench, BenchOptions, Cell, Table } from './support/bench.ts';
import type { ChildRun } from './support/childRun.ts';
import { cliEntry, openSession, runIndex, sumFileSizes } from './support/ours.ts';
import { summariseSamples, computeGrowthExponent, type Figure } from './support/statistics.ts';

/** Numbers of files of the repositories. */
const sizes = { tiny: [8], default: [500, 5_000], large: [500, 5_000, 50_000] } as const;
/** Maximum number of files for which timed runs are repeated. */
const REPEATED_UP_TO = 1_000;
const SOURCES = { tiny: 30, default: 3_000, large: 3_000 } as const;
/** Share of the files that the other branch changes. */
const BRANCH_SHARE = 0.05;
const POLL_MS = 5;
/** A word that is in no source. It must not consist of hexadecimal digits, which would be a number. */
const WORD = 'quixoticzeppelin';

/** The bench: a table of times and, with several sizes, a table of growth. */
export const scale: Bench = {
  name: 'scale',
  describe:
    'Indexing synthetic repositories grown from real sources, through the command line: time, memory, disk, and how they grow.',
  async run(options, signal) {
    const sources = collectSources(options.grow, options.seed, SOURCES[options.size]);
    const measuredSizes: Size[] = [];
    for (const files of sizes[options.size])
      measuredSizes.push(await measureSize(options, grow(sources, files, options.seed), signal));
    return measuredSizes.length > 1
      ? [createTimesTable(measuredSizes), createGrowthTable(measuredSizes)]
      : [createTimesTable(measuredSizes)];
  },
};

/** The measurements for a repository of one size. */
interface Size {
  readonly repository: BenchRepository;
  readonly chunks: number;
  readonly first: Sample;
  readonly second: Sample;
  readonly edit: Sample;
  readonly branch: Sample;
  readonly back: Sample;
  readonly searchableMs: Figure;
  readonly stateBytes: number;
}

/** The measurements of one kind of run. */
interface Sample {
  readonly wallMs: Figure;
  readonly cpuMs: Figure | null;
  readonly peakMb: Figure | null;
  readonly embedded: number;
}

async function measureSize(
  options: BenchOptions,
  sources: Parameters<typeof makeRepository>[1],
  signal: AbortSignal,
): Promise<Size> {
  const { scratch, note } = options;
  note(`making ${sources.length} files`);
  const repository = await makeRepository(
    join(scratch, `repository-${sources.length}`),
    sources,
    { share: BRANCH_SHARE, seed: options.seed },
    signal,
  );
  const repeats = sources.length <= REPEATED_UP_TO ? options.repeats : 1;
  const home = join(scratch, `home-${sources.length}`);
  await mkdir(home);
  const repeatRun = async (
    times: number,
    prepare: (round: number) => Promise<unknown>,
  ): Promise<Sample & { readonly last: Awaited<ReturnType<typeof runIndex>> }> => {
    const runs: Awaited<ReturnType<typeof runIndex>>[] = [];
    for (let round = 0; round < times; round++) {
      await prepare(round);
      runs.push(await runIndex(repository.dir, home, signal));
    }
    return { ...summariseRuns(runs), embedded: runs.at(-1)!.report.embedded, last: runs.at(-1)! };
  };
  note(`indexing ${sources.length} files`);
  const first = await repeatRun(repeats, async () => {
    await rm(home, { recursive: true, force: true });
    await mkdir(home);
  });
  // The compiled code of the program is also in this folder, but it is shared by all repositories.
  const stateBytes = (await sumFileSizes(home)) - (await sumFileSizes(join(home, 'code')));
  const second = await repeatRun(options.repeats, async () => undefined);
  const editedSource = sources[Math.floor(sources.length / 2)]!;
  const edit = await repeatRun(options.repeats, (round) =>
    repository.write(editedSource.path, `${editedSource.text}\nexport const edited${round} = ${round};\n`),
  );
  await repository.git('checkout', '--quiet', '--', '.');
  const branch = await repeatRun(1, () => repository.git('checkout', '--quiet', 'other'));
  const backSample = await repeatRun(1, () => repository.git('checkout', '--quiet', 'main'));
  note(`waiting for ${sources.length} files to be searchable`);
  const searchable: number[] = [];
  for (let round = 0; round < repeats; round++)
    searchable.push(
      await measureUntilSearchable(
        repository,
        sources.at(-1)!.path,
        join(scratch, `searchable-${sources.length}-${round}`),
        signal,
      ),
    );
  await rm(repository.dir, { recursive: true });
  return {
    repository,
    chunks: first.last.report.chunks,
    first,
    second,
    edit,
    branch,
    back: backSample,
    searchableMs: summariseSamples(searchable),
    stateBytes,
  };
}

/**
 * Milliseconds from the start of a session on a new repository until a search finds a word in the last file of the
 * walk.
 */
async function measureUntilSearchable(
  repository: BenchRepository,
  path: string,
  home: string,
  signal: AbortSignal,
): Promise<number> {
  await repository.write(`zz/${WORD}.ts`, `/** Near ${path}. */\nexport function ${WORD}() {}\n`);
  const startedAt = performance.now();
  const session = await openSession(repository.dir, home, signal);
  try {
    const indexing = session.memory.index({ signal });
    let isSettled = false;
    const done = indexing.finally(() => (isSettled = true));
    for (;;) {
      const before = isSettled;
      if ((await session.memory.search(WORD, 1, signal)).some((hit) => hit.path.includes(WORD))) break;
      if (before) throw new Error('A word of the repository is not found after indexing.');
      await setTimeout(POLL_MS, undefined, { signal });
    }
    const searchableAfter = performance.now() - startedAt;
    await done;
    return searchableAfter;
  } finally {
    await session.close();
    await rm(home, { recursive: true, force: true });
  }
}

function summariseRuns(runs: readonly ChildRun[]): Omit<Sample, 'embedded'> {
  const toFigure = (values: readonly (number | null)[]) =>
    values.some((value) => value === null) ? null : summariseSamples(values as number[]);
  return {
    wallMs: summariseSamples(runs.map(({ wallMs }) => wallMs)),
    cpuMs: toFigure(runs.map(({ cpuMs }) => cpuMs)),
    peakMb: toFigure(runs.map(({ peakMb }) => peakMb)),
  };
}

function createTimesTable(measuredSizes: readonly Size[]): Table {
  const seconds = (figure: Figure | null): Figure | null =>
    figure && { ...figure, median: figure.median / 1000, low: figure.low / 1000, high: figure.high / 1000 };
  const createRow = (
    { repository, chunks, searchableMs, stateBytes }: Size,
    name: string,
    sample: Sample,
    isFirst: boolean,
  ): Cell[] => [
    repository.files,
    name,
    seconds(sample.wallMs),
    seconds(sample.cpuMs),
    sample.peakMb,
    sample.embedded,
    chunks,
    isFirst ? seconds(searchableMs) : null,
    isFirst ? stateBytes / 2 ** 20 : null,
    isFirst ? stateBytes / repository.bytes : null,
  ];
  return {
    title: 'Indexing by the command line',
    columns: [
      { name: 'files' },
      { name: 'run' },
      { name: 'wall', unit: 's', digits: 2 },
      { name: 'CPU', unit: 's', digits: 2 },
      { name: 'peak memory', unit: 'MB', digits: 0 },
      { name: 'chunks embedded' },
      { name: 'chunks' },
      { name: 'searchable after', unit: 's', digits: 2 },
      { name: 'disk', unit: 'MB', digits: 1 },
      { name: 'disk ÷ text', digits: 2 },
    ],
    rows: measuredSizes.flatMap((size) => [
      createRow(size, 'first', size.first, true),
      createRow(size, 'again, nothing changed', size.second, false),
      createRow(size, 'one file edited', size.edit, false),
      createRow(size, 'branch with 5 % of the files changed', size.branch, false),
      createRow(size, 'back on the first branch', size.back, false),
    ]),
    notes: [
      `Text: ${measuredSizes.map(({ repository }) => `${(repository.bytes / 2 ** 20).toFixed(1)} MB in ${repository.files} files`).join(', ')}. The start of the process is part of every run (${cliEntry.endsWith('.ts') ? 'from the sources, types stripped at each start' : 'the built bundle'}).`,
      'Searchable: from the start of a session in this process until a search finds a word that only the last file of the walk holds.',
      'Peak memory is the high-water mark of resident memory (VmHWM) of the whole process, worker threads included.',
    ],
  };
}

function createGrowthTable(measuredSizes: readonly Size[]): Table {
  const costs: readonly (readonly [string, (size: Size) => number | null | undefined])[] = [
    ['first index, wall', ({ first }) => first.wallMs.median],
    ['first index, CPU', ({ first }) => first.cpuMs?.median],
    ['first index, peak memory', ({ first }) => first.peakMb?.median],
    ['again, wall', ({ second }) => second.wallMs.median],
    ['one edit, wall', ({ edit }) => edit.wallMs.median],
    ['searchable after', ({ searchableMs }) => searchableMs.median],
    ['disk', ({ stateBytes }) => stateBytes],
  ];
  const steps = measuredSizes.slice(1).map((big, index) => [measuredSizes[index]!, big] as const);
  return {
    title: 'How cost grows: the b of cost = a · bytes^b',
    columns: [
      { name: 'cost' },
      ...steps.map(([small, big]) => ({
        name: `${small.repository.files} → ${big.repository.files} files`,
        digits: 2,
      })),
    ],
    rows: costs.map(([name, costOf]) => [
      name,
      ...steps.map(([small, big]) => {
        const [smallCost, bigCost] = [costOf(small), costOf(big)];
        return typeof smallCost === 'number' && typeof bigCost === 'number'
          ? computeGrowthExponent(
              { size: small.repository.bytes, cost: smallCost },
              { size: big.repository.bytes, cost: bigCost },
            )
          : null;
      }),
    ]),
    notes: [
      '1 is linear; below 1 a fixed share (start of the process, loading of grammars) weighs more on the smaller one.',
    ],
  };
}
