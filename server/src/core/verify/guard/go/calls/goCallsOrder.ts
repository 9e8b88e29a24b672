// The order to the program in the sandbox that calls Go functions during the search for missing tests, and its report.

import type { GoMutationRequest } from '../goMutationOrder.ts';
import type { CallLine, CallsProgram } from './program.ts';

/** The order. The program reads it as JSON. */
export interface GoCallsOrder extends Pick<GoMutationRequest, 'root' | 'build' | 'files' | 'mutants'> {
  readonly goCalls: true;
  /** Environment variables of the test command. */
  readonly env: Readonly<Record<string, string>>;
  /** Path of the folder of the package, relative to the root. */
  readonly folder: string;
  readonly program: CallsProgram;
  /** Paths of the package's tests, which are excluded from the build. */
  readonly tests: readonly string[];
  /** Milliseconds for all calls. */
  readonly budgetMs: number;
}

/** The report of the program. */
export interface GoCallsReport {
  /** The reason why nothing was called; null if something was. */
  readonly obstacle: string | null;
  /** The results with the unchanged code of calls that always return the same. Other calls are omitted. */
  readonly deterministic: readonly CallLine[];
  /** The results of calls that differ with a mutant. */
  readonly detections: readonly { readonly mutant: number; readonly line: CallLine }[];
  /** True if the time was not enough for all calls. */
  readonly isOutOfTime: boolean;
}
