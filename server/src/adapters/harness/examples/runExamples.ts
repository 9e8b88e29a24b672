// Runs the examples of the documentation, first many in one process. A program that has a wrong result or did not end
// runs again in a process of its own. If a result is still wrong, the program runs again at another time, in another
// time zone and language, and with other random numbers. A result that is not the same each time is unknown.

import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type {
  ExampleOutcome,
  ExampleProgram,
  ExamplesOrder,
  ExamplesReport,
} from '../../../core/verify/examples/examplePlan.ts';
import { runInProcess } from './exampleProcess.ts';
import type { ExampleStart } from './messages.ts';
import { SCRIPT_PATTERN } from '../resolve.ts';
import { compileSources, findPackageEntries } from './ownPackages.ts';

/** Number of processes with examples that run at the same time. */
const MAX_PARALLEL = 2;
/**
 * Maximum number of programs in one process. They share one because starting a process takes as long as running about
 * ten programs.
 */
const BATCH_SIZE = 25;
/** Number of further runs of a program with a wrong result. */
const CONFIRMATIONS = 2;
/** The outcome of a check whose program was not run in time. */
const NOT_RUN: ExampleOutcome = { outcome: 'unknown', reason: 'The time was over.' };

/** The part of a start that is the same for all processes. */
type CommonStart = Omit<ExampleStart, 'programs' | 'runIndex'>;

/**
 * Runs the programs until the time is over. `onReport` receives the outcomes so far after each process. `entry`: the
 * file of the harness.
 */
export async function runExamples(
  { examples, packageFolders, emit, budgetMs }: ExamplesOrder,
  rootDir: string,
  entry: URL,
  onReport: (report: ExamplesReport & { readonly done: number; readonly total: number }) => void,
): Promise<ExamplesReport> {
  const endAt = performance.now() + budgetMs;
  const { paths, entries } = findPackageEntries(packageFolders, rootDir);
  const emitOfExamples = { ...emit, paths: { ...emit.paths, ...paths } };
  const scripts = [...new Set(examples.map(({ path }) => path))].filter((path) => SCRIPT_PATTERN.test(path));
  const codes = compileSources([...new Set([...entries, ...scripts])], rootDir, emitOfExamples);
  const commonStart: CommonStart = { rootDir, codes, emit: emitOfExamples };
  const outcomes: (readonly ExampleOutcome[])[] = examples.map(({ checks }) => checks.map(() => NOT_RUN));
  let done = 0;
  const queue: (readonly number[])[] = [];
  for (let firstIndex = 0; firstIndex < examples.length; firstIndex += BATCH_SIZE)
    queue.push([...examples.keys()].slice(firstIndex, firstIndex + BATCH_SIZE));
  const runQueue = async () => {
    for (let nextIndices = queue.shift(); nextIndices && performance.now() < endAt; nextIndices = queue.shift()) {
      const indices = nextIndices;
      const results = await runPrograms(
        indices.map((index) => examples[index]!),
        indices,
        commonStart,
        entry,
      );
      for (const [position, index] of indices.entries()) {
        const result = results[position]!;
        if (result === 'alone') queue.unshift([index]);
        else {
          outcomes[index] = result;
          done += 1;
        }
      }
      onReport({ obstacle: null, outcomes, done, total: examples.length });
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL }, runQueue));
  return { obstacle: null, outcomes };
}

/**
 * Runs the programs in one process, and returns the outcomes of each. `alone`: the program has to run in a process of
 * its own, because others in the same process may have changed its results. `indices`: the numbers of the programs in
 * the order, for the names of their files.
 */
async function runPrograms(
  programs: readonly ExampleProgram[],
  indices: readonly number[],
  commonStart: CommonStart,
  entry: URL,
): Promise<readonly (readonly ExampleOutcome[] | 'alone')[]> {
  const programFiles = programs.map(({ path, code, checks }, position) => {
    const file = join(commonStart.rootDir, dirname(path), `.selfware-example-${indices[position]}.mjs`);
    writeFileSync(file, code);
    return { file, checks };
  });
  try {
    const runs = await runInProcess({ ...commonStart, programs: programFiles, runIndex: 0 }, entry);
    if (programs.length > 1)
      return runs.map(({ outcomes, hasEnded }) => (hasEnded && !outcomes.some(isWrong) ? outcomes : 'alone'));
    let { outcomes } = runs[0]!;
    // Results that are as stated need no confirmation, because they are not reported.
    for (let runIndex = 1; runIndex <= CONFIRMATIONS && outcomes.some(isWrong); runIndex += 1) {
      const [repeatedRun] = await runInProcess({ ...commonStart, programs: programFiles, runIndex }, entry);
      outcomes = outcomes.map((outcome, check) =>
        !isWrong(outcome) || JSON.stringify(outcome) === JSON.stringify(repeatedRun!.outcomes[check])
          ? outcome
          : { outcome: 'unknown', reason: 'Its result depends on the time, the language or chance.' },
      );
    }
    return [outcomes];
  } finally {
    for (const { file } of programFiles) rmSync(file, { force: true });
  }
}

function isWrong({ outcome }: ExampleOutcome): boolean {
  return outcome === 'wrong';
}
