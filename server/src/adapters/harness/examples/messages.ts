// The messages between the harness and a process that runs examples of the documentation.

import type { ExampleCheck, ExampleOutcome } from '../../../core/verify/examples/examplePlan.ts';
import type { EmitOptions } from '../../../core/verify/differential/plan.ts';
import type { Code } from '../messages.ts';

/** The programs to run, one after the other. */
export interface ExampleStart {
  readonly rootDir: string;
  readonly programs: readonly ProgramFile[];
  /** The compiled code of the repository, by path; everything else is loaded as Node does. */
  readonly codes: Readonly<Record<string, Code>>;
  readonly emit: EmitOptions;
  /** 0 for the first run; later runs happen at another time, with other random numbers. */
  readonly runIndex: number;
}

/** One program as a file. */
export interface ProgramFile {
  /** Absolute path. The file lies beside its document. */
  readonly file: string;
  /** The checks of the program, in the order in which it makes them. */
  readonly checks: readonly ExampleCheck[];
}

/**
 * The outcome of one check of a program, or the end of a program. `program` and `check` are indices. `failure`: the
 * error that ended the program early; null if it reached its end.
 */
export type FromExample = { readonly program: number } & (
  | { readonly check: number; readonly outcome: ExampleOutcome }
  | { readonly ended: true; readonly failure: string | null }
);
