// Measures what a sandbox adds to the time of the repository's own check: opening, isolation, and closing.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import {
  findFirstWorking,
  MECHANISMS,
  type ChosenIsolation,
} from '../../server/src/adapters/sandbox/isolation/choose.ts';
import { createSandbox } from '../../server/src/adapters/sandbox/sandbox.ts';
import { createIds, systemClock } from '../../server/src/adapters/system/system.ts';
import type { Bench, BenchOptions, Table } from './support/bench.ts';
import { summariseSamples } from './support/statistics.ts';
import type { RunRequest, Sandbox } from '../../server/src/core/ports/sandbox.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..');
/**
 * Commands that a verification runs: a linter, and a program that only starts. Tests and a type check take long, so
 * they run only with `--large`.
 */
const LINT = ['node', 'node_modules/@biomejs/biome/bin/biome', 'lint'];
const START = ['node', '--version'];
const TESTS = [
  'node',
  'node_modules/vitest/vitest.mjs',
  'run',
  '--config',
  'test/bench/support/testsWithoutBuild.config.ts',
  'test/unit/score',
  'test/unit/charter',
];
const TYPE_CHECK = ['node', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'];
const COMMANDS: Readonly<Record<BenchOptions['size'], readonly (readonly string[])[]>> = {
  tiny: [START],
  default: [LINT, START],
  large: [TESTS, LINT, START, TYPE_CHECK],
};

/** The bench: the overhead of each isolation for each command, and the time of candidates side by side. */
export const sandbox: Bench = {
  name: 'sandbox',
  describe:
    'Time of a verification in a sandbox over that of the same command in the repository itself, for each isolation that works here; and of candidates side by side.',
  async run(options, signal) {
    const mechanismChoices = await Promise.all(MECHANISMS.map((mechanism) => findFirstWorking([mechanism])));
    const choices = [await findFirstWorking([]), ...mechanismChoices.filter(({ isolation }) => isolation.confined)];
    const commands = COMMANDS[options.size];
    const tables: Table[] = [];
    for (const command of commands) tables.push(await measureOverhead(choices, command, options, signal));
    return [...tables, await measureSideBySide(choices.at(1) ?? choices[0]!, commands[0]!, options, signal)];
  },
};

/** Measures one command, alone and in a sandbox of each isolation, in turns. */
async function measureOverhead(
  choices: readonly ChosenIsolation[],
  command: readonly string[],
  options: BenchOptions,
  signal: AbortSignal,
): Promise<Table> {
  const rows: Table['rows'][number][] = [];
  for (const choice of choices) {
    const sandbox = openSandbox(choice, join(options.scratch, choice.isolation.kind), 1);
    const [aloneSeconds, runSeconds, openSeconds, disposeSeconds, totalRatios, runRatios, processorRatios]: number[][] =
      [[], [], [], [], [], [], []];
    const first = await timeWork(async () => (await sandbox.open(signal)).dispose());
    for (let repeat = 0; repeat < options.repeats; repeat += 1) {
      options.note(`${choice.isolation.kind}, ${repeat + 1} of ${options.repeats}`);
      const before = readProcessorSeconds();
      const ownSeconds = await timeWork(async () =>
        spawnSync(command[0]!, command.slice(1), { cwd: REPOSITORY, stdio: 'ignore' }),
      );
      const between = readProcessorSeconds();
      let worktree: Awaited<ReturnType<Sandbox['open']>> | null = null;
      const openTime = await timeWork(async () => (worktree = await sandbox.open(signal)));
      const runTime = await timeWork(() => worktree!.run(createRequest(command), signal));
      const disposeTime = await timeWork(() => worktree!.dispose());
      processorRatios!.push((readProcessorSeconds() - between) / (between - before));
      aloneSeconds!.push(ownSeconds);
      openSeconds!.push(openTime);
      runSeconds!.push(runTime);
      disposeSeconds!.push(disposeTime);
      runRatios!.push(runTime / ownSeconds);
      totalRatios!.push((openTime + runTime + disposeTime) / ownSeconds);
    }
    await sandbox.close();
    rows.push([
      choice.isolation.kind,
      first,
      ...[aloneSeconds, runSeconds, runRatios, openSeconds, disposeSeconds, totalRatios, processorRatios].map(
        (samples) => summariseSamples(samples!),
      ),
    ]);
  }
  return {
    title: `One verification of ${command.join(' ')}`,
    columns: [
      { name: 'isolation' },
      { name: 'first sandbox', unit: 's', digits: 2 },
      { name: 'command alone', unit: 's', digits: 2 },
      { name: 'command in it', unit: 's', digits: 2 },
      { name: 'of that alone', unit: '×', digits: 2 },
      { name: 'sandbox again', unit: 's', digits: 2 },
      { name: 'given back', unit: 's', digits: 2 },
      { name: 'all of it', unit: '×', digits: 2 },
      { name: 'processor time of all', unit: '×', digits: 2 },
    ],
    rows,
    notes: [
      'Processor time includes that of Selfware, and says more than the clock where other programs run.',
      'The command alone and in the sandbox take turns. First sandbox: made and given back, not part of the overhead, because one is kept from then on.',
    ],
  };
}

/** Measures two candidates with one and with two commands at the same time. */
async function measureSideBySide(
  choice: ChosenIsolation,
  command: readonly string[],
  options: BenchOptions,
  signal: AbortSignal,
): Promise<Table> {
  const rows: Table['rows'][number][] = [];
  for (const atOnce of [1, 2]) {
    options.note(`${atOnce} at once`);
    const sandbox = openSandbox(choice, join(options.scratch, `at-once-${atOnce}`), 2, atOnce);
    const runCandidate = async () => {
      const worktree = await sandbox.open(signal);
      await worktree.run(createRequest(command), signal);
      await worktree.dispose();
    };
    await Promise.all([runCandidate(), runCandidate()]);
    rows.push([atOnce, await timeWork(() => Promise.all([runCandidate(), runCandidate()]))]);
    await sandbox.close();
  }
  return {
    title: `Two candidates on ${availableParallelism()} cores`,
    columns: [{ name: 'commands at once' }, { name: 'both', unit: 's', digits: 2 }],
    rows,
    notes: [`Isolated by ${choice.isolation.kind}.`],
  };
}

function openSandbox(choice: ChosenIsolation, stateDir: string, keep: number, atOnce?: number): Sandbox {
  return createSandbox(REPOSITORY, stateDir, {
    clock: systemClock,
    ids: createIds(systemClock),
    log: { write: () => undefined },
    maxIdle: keep,
    ...(atOnce === undefined ? {} : { maxCommands: atOnce }),
    chooseMechanism: async () => choice,
  });
}

function createRequest(command: readonly string[]): RunRequest {
  return { command, timeoutMs: 600_000 };
}

/**
 * Seconds of processor time of this process and of all ended children, from /proc/self/stat (proc(5), in hundredths of
 * a second). NaN on other systems than Linux.
 */
function readProcessorSeconds(): number {
  if (process.platform !== 'linux') return Number.NaN;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

/** Seconds that the work takes. */
async function timeWork(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}
