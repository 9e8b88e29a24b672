// The messages between the harness and a process that runs one example of the documentation.

import type { ExampleCheck, ExampleOutcome } from '../../../core/verify/examples/examplePlan.ts';
import type { EmitOptions } from '../../../core/verify/differential/plan.ts';
import type { Code } from '../messages.ts';

/** The program to run. */
export interface ExampleStart {
  readonly rootDir: string;
  /** Absolute path of the program, which lies beside its document. */
  readonly file: string;
  readonly checks: readonly ExampleCheck[];
  /** The compiled code of the repository, by path; everything else is loaded as Node does. */
  readonly codes: Readonly<Record<string, Code>>;
  readonly emit: EmitOptions;
  /** 0 for the first run; later runs happen at another time, with other random numbers. */
  readonly runIndex: number;
}

/** The outcome of one check, or the end of the program; `failure`: the error that ended it early. */
export type FromExample =
  | { readonly check: number; readonly outcome: ExampleOutcome }
  | { readonly ended: true; readonly failure: string | null };
