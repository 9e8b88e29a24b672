// Messages between the gates and the code that tries mutants or records calls inside the repository's own test runner.

import type { TracesLine } from '../traces/recording.ts';

/** The environment variable with the order. Every process that the runner starts can read it. */
export const ORDER_VARIABLE = 'SELFWARE_IN_TESTS';
/** The environment variable with the active mutant, for processes that a test starts. */
export const MUTANT_VARIABLE = 'SELFWARE_MUTANT';
/**
 * The name of the function that switched code calls. It is a property of the global object, because tests run in
 * separate realms.
 */
export const SWITCH_FUNCTION = '__selfwareMutant';

/** The order. The code in the test runner reads it as JSON. */
export interface InTestsOrder {
  /** Indexes of the mutants in the plan, in the order in which they are tried. */
  readonly mutants: readonly number[];
  /** Milliseconds since the Unix epoch after which no mutant is started. */
  readonly until: number;
  /** Absolute path of a file to which lines are appended. */
  readonly results: string;
  /** Set to try no mutants, and to record the calls of wrapped functions in one run instead. */
  readonly traces?: true;
  /** Set to try no mutants, and to measure the time in code below this folder (absolute path) instead. */
  readonly profile?: string;
}

/**
 * One line of the results. `file`: the test file that was loaded; empty for all files together. `noticed`: a test
 * failed with the mutant, and passed again without it. `unsure`: this process cannot decide.
 */
export type InTestsLine =
  | {
      readonly file: string;
      readonly reached: readonly number[];
      readonly tests: number;
      /** Tests that fail when they run a second time without a mutant. */
      readonly unsteady: readonly string[];
    }
  /** A test file that has started. Which mutants it reaches is known only when it has ended. */
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
  /**
   * A test that failed with a mutant also fails without it afterwards, so the state of the process is no longer clean.
   */
  | { readonly spoiled: number; readonly file: string }
  /** The process was stopped because a mutant did not return. */
  | { readonly hung: number }
  /** The mutant was reached in a process that a test started, so it is unknown which test reached it. */
  | { readonly outside: number }
  | { readonly ended: string }
  | TracesLine;
