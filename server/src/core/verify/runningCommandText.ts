// Describes a running command for a person: how long it has been running, how many tests have ended, and an estimate
// from its last run.

import { formatCount } from '../../util/counted.ts';
import { groupThousands } from '../../util/thousands.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { BaselineStore } from './baseline.ts';
import { LAST_RUNS_DOCUMENT } from '../ports/documentNames.ts';

/** The last complete run of a command. */
export interface LastRun {
  readonly millis: number;
  /** Number of tests; null if the command does not count them. */
  readonly tests: number | null;
}

/** Stores the last run of each command, on any tree. */
export interface LastRuns {
  /** The last run; null if none is stored, or if the store cannot be read. */
  find(command: string): Promise<LastRun | null>;
  keep(command: string, run: LastRun): Promise<void>;
}

/** A running command. */
export interface RunningCommand {
  readonly side: 'candidate' | 'base' | 'mutant' | 'traced';
  /** Milliseconds since its start. */
  readonly millis: number;
  /** Number of tests that the runner has reported so far. */
  readonly tests: number;
  readonly lastRun: LastRun | null;
}

/** Maximum number of commands whose last runs are stored; the oldest are dropped. */
const MAX_ENTRIES = 50;
const SIDE_TEXTS = {
  candidate: 'with the change',
  base: 'without the change',
  mutant: 'with mistakes put in',
  traced: 'with recorded calls',
} as const;
/**
 * Matches the line about one finished test in the output of TAP, node, Mocha, Jest, Vitest, pytest -v, go test -v and
 * cargo.
 */
const ENDED_PATTERN =
  /^\s*(?:(?:not )?ok \d+|[✔✓✖×√] |\u001b\[\d+m\s*[✔✓✖×√]|--- (?:PASS|FAIL)|test \S+ \.\.\. |\S{1,400}?::\S{1,400} (?:PASSED|FAILED))/u;
/** Matches the line about one test file with its number of tests. */
const FILE_PATTERN = /[✓✔❯×] .*\((\d+) tests?\b/u;

/** The number of finished tests in these complete lines. */
export function countTestLines(lines: readonly string[]): number {
  return lines.reduce(
    (sum, line) => sum + (Number(FILE_PATTERN.exec(line)?.[1] ?? 0) || (ENDED_PATTERN.test(line) ? 1 : 0)),
    0,
  );
}

/** The state of a running command, such as `12 s of about 40 s with the change, 30 of 120 tests`. */
export function describeRunningCommand(command: RunningCommand): string {
  return formatRunningCommand(command, ` ${SIDE_TEXTS[command.side]}`);
}

/** The state of a running command without the side, such as `12 s of about 40 s, 30 of 120 tests`. */
export function describeRunningCommandWithoutSide(command: RunningCommand): string {
  return formatRunningCommand(command, '');
}

function formatRunningCommand({ millis, tests, lastRun, side: sideName }: RunningCommand, side: string): string {
  const seconds = (ms: number): number => Math.round(ms / 1000);
  const elapsedText = `${seconds(millis)} s`;
  const lastSeconds = lastRun && Math.max(1, seconds(lastRun.millis));
  const timeText =
    lastRun === null
      ? `${elapsedText}${side}`
      : millis <= lastRun.millis * 1.1
        ? `${elapsedText} of about ${lastSeconds} s${side}`
        : `${elapsedText}${side}; it took ${lastSeconds} s last time`;
  const lastTests = lastRun?.tests ?? null;
  // A run with several mutants runs each test many times.
  const unit = sideName === 'mutant' ? 'test run' : 'test';
  const progress =
    tests === 0
      ? ''
      : lastTests === null
        ? `, ${formatCount(tests, unit)}`
        : `, ${groupThousands(Math.min(tests, lastTests))} of ${formatCount(lastTests, unit)}`;
  return `${timeText}${progress}`;
}

/** Creates the store of the last runs. If it is damaged or full, only the estimates are missing. */
export function createLastRuns(
  store: BaselineStore,
  warn: (message: string, cause: unknown) => void = () => {},
): LastRuns {
  const readLastRuns = async (): Promise<readonly (readonly [string, LastRun])[]> => {
    try {
      return (
        (await store.read<{ readonly runs: readonly (readonly [string, LastRun])[] }>(LAST_RUNS_DOCUMENT))?.runs ?? []
      );
    } catch (error) {
      if (!(error instanceof SelfwareError)) throw error;
      warn('How long commands took could not be read.', error);
      return [];
    }
  };
  return {
    find: async (command) => (await readLastRuns()).find(([entryKey]) => entryKey === command)?.[1] ?? null,
    async keep(command, run) {
      const otherEntries = (await readLastRuns()).filter(([entryKey]) => entryKey !== command);
      try {
        await store.write(LAST_RUNS_DOCUMENT, { runs: [...otherEntries, [command, run]].slice(-MAX_ENTRIES) });
      } catch (error) {
        warn('How long a command took could not be kept.', error);
      }
    },
  };
}
