// What is said between the gate and the code that tries mutants inside the repository's own test runner.

/** The variable that names the order; every process that the runner starts sees it. */
export const ORDER_VARIABLE = 'SELFWARE_IN_TESTS';
/** The mutant that is switched on, for processes that a test starts. */
export const MUTANT_VARIABLE = 'SELFWARE_MUTANT';
/** The function that switched code asks. Tests run in realms of their own, so it hangs on the global object. */
export const SWITCH = '__selfwareMutant';

export interface InTestsOrder {
  /** To be tried in this order, by their places in the plan. */
  readonly mutants: readonly number[];
  /** Milliseconds since 1970: no mutant is begun after that. */
  readonly until: number;
  /** Absolute; lines are appended. */
  readonly results: string;
}

/**
 * `file` is what was loaded together: a file of tests, or all of them ('').
 * `noticed`: a test failed, and passed again without the mutant. `unsure`: this process cannot say.
 */
export type InTestsLine =
  | {
      readonly file: string;
      readonly reached: readonly number[];
      readonly tests: number;
      /** They fail when they are run a second time without any mutant. */
      readonly unsteady: readonly string[];
    }
  | { readonly begun: number; readonly file: string }
  | {
      readonly fate: 'noticed' | 'survived' | 'unsure';
      readonly mutant: number;
      readonly file: string;
      /** The test that failed. */
      readonly by?: string;
      readonly tests: number;
    }
  /** A test that had failed by a mutant fails without it, too: the process is not what it was. */
  | { readonly spoiled: number; readonly file: string }
  /** The process was ended because a mutant did not come back. */
  | { readonly hung: number }
  /** Reached in a process that the tests started: nobody knows by which test. */
  | { readonly outside: number }
  | { readonly ended: string };
