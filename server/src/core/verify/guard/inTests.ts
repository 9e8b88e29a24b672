// Messages between the gates and the code that tries mutants or records calls inside the repository's own test runner.

import type { TracesLine } from '../traces/recording.ts';

/** The environment variable with the order; every process that the runner starts can read it. */
export const ORDER_VARIABLE = 'SELFWARE_IN_TESTS';
/** The environment variable with the active mutant, for processes that a test starts. */
export const MUTANT_VARIABLE = 'SELFWARE_MUTANT';
/**
 * The function that switched code calls. It is a property of the global object, because tests run in separate realms.
 */
export const SWITCH_FUNCTION = '__selfwareMutant';

/** The order, which the code in the test runner reads as JSON. */
export interface InTestsOrder {
  /** Indexes of the mutants in the plan, in the order in which they are tried. */
  readonly mutants: readonly number[];
  /** Milliseconds since the Unix epoch: no mutant is started after this time. */
  readonly until: number;
  /** Absolute path of a file to which lines are appended. */
  readonly results: string;
  /** True if no mutant is tried, and the calls of wrapped functions are recorded in one run. */
  readonly traces?: true;
  /** Set: no mutant is tried, and the time in code below this folder is measured (absolute path). */
  readonly profile?: string;
}

/**
 * One line of the results. `file`: the test file that was loaded, or all of them together (''). `noticed`: a test
 * failed, and passed again without the mutant. `unsure`: this process cannot decide.
 */
export type InTestsLine =
  | {
      readonly file: string;
      readonly reached: readonly number[];
      readonly tests: number;
      /** Tests that fail when they run a second time without any mutant. */
      readonly unsteady: readonly string[];
    }
  /** A test file whose tests begin; only when it has ended is it known which mutants they reach. */
  | { readonly started: string }
  | { readonly begun: number; readonly file: string }
  | {
      readonly fate: 'noticed' | 'survived' | 'unsure';
      readonly mutant: number;
      readonly file: string;
      /** The test that failed. */
      readonly by?: string;
      readonly tests: number;
    }
  /** A test that failed with a mutant also fails without it, so the state of the process is no longer clean. */
  | { readonly spoiled: number; readonly file: string }
  /** The process was stopped because a mutant did not return. */
  | { readonly hung: number }
  /** Reached in a process that a test started, so it is unknown which test reached it. */
  | { readonly outside: number }
  | { readonly ended: string }
  | TracesLine;
