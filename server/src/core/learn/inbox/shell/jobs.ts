// The job that reads command lines, for worker threads.

import type { CommandReading } from './readCommand.ts';

/** The jobs, by name. */
export interface ShellJobs {
  /** What a command line may change, or why it is refused. Nothing is run. */
  readCommand: { input: { readonly line: string }; output: CommandReading };
}
