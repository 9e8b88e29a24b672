// The job that reads command lines, for worker threads.

import type { CommandReading } from './readCommand.ts';

/** The jobs, by name. */
export interface ShellJobs {
  /** Reads the effects of a command line, or the reason why it is refused. Nothing is run. */
  readCommand: { input: { readonly line: string }; output: CommandReading };
}
