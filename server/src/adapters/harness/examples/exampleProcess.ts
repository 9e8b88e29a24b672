// Runs programs with examples in one process, and collects the outcomes of their checks.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ExampleOutcome } from '../../../core/verify/examples/examplePlan.ts';
import { FOREIGN_ENVIRONMENT } from '../sideProcesses.ts';
import type { ExampleStart, FromExample } from './messages.ts';

/** Time limit in milliseconds for loading the package, and for each outcome after that. */
const SILENCE_MS = 15_000;

/** The result of one run of a program. */
export interface ProgramRun {
  /** The outcome of each check, in the order of the checks. It is unknown for a check that was not reached. */
  readonly outcomes: readonly ExampleOutcome[];
  /** False if the process ended before the program had come to its end or had thrown. */
  readonly hasEnded: boolean;
}

/**
 * Runs the programs one after the other in a new process, and returns the run of each. A process without a message for
 * `SILENCE_MS` is killed. `entry`: the file of the harness.
 */
export function runInProcess(start: ExampleStart, entry: URL): Promise<readonly ProgramRun[]> {
  return new Promise((resolve) => {
    const runs = start.programs.map(({ checks }) => ({
      outcomes: checks.map((): ExampleOutcome => ({ outcome: 'unknown', reason: 'It was not reached.' })),
      hasEnded: false,
    }));
    const child = fork(fileURLToPath(entry), ['example'], {
      cwd: start.rootDir,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, ...(start.runIndex > 0 ? FOREIGN_ENVIRONMENT : { TZ: 'UTC' }) },
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS);
    child.on('message', (message: FromExample) => {
      timer.refresh();
      const run = runs[message.program]!;
      if ('check' in message) {
        run.outcomes[message.check] = message.outcome;
        return;
      }
      run.hasEnded = true;
      if (message.failure === null) return;
      for (const [index, { outcome }] of run.outcomes.entries())
        if (outcome === 'unknown') run.outcomes[index] = { outcome, reason: `Its block ends with ${message.failure}` };
    });
    child.on('error', () => undefined);
    child.on('close', () => {
      clearTimeout(timer);
      resolve(runs);
    });
    child.send(start, () => undefined);
  });
}
