// The order from the gate guard to the program in the sandbox that tries mutants of Go, and the lines of its results.

/** The place of a mutant in its file; all offsets in UTF-16 units. */
export interface GoMutantLocation {
  /** The body of the outermost function around it, without its braces. */
  readonly body: readonly [start: number, end: number];
  /** The start of the statement that runs if the mutant is reached. */
  readonly probe: number;
  /** True if the function returns values, so its body has to end with a statement that returns them. */
  readonly returns: boolean;
  /** Start and end of each label in the body, and of each use of one. */
  readonly labels: readonly (readonly [start: number, end: number])[];
}

/** A mutant: `text` replaces what is between `start` and `end` (exclusive). */
export interface GoRequestMutant extends GoMutantLocation {
  /** Index in the plan. */
  readonly number: number;
  /** Relative to the root. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The order, which the program reads as JSON. */
export interface GoMutationRequest {
  readonly go: true;
  /** Absolute path of the top of the work tree. */
  readonly root: string;
  /** Time to build the test programs and to run them without a mutant, in milliseconds. */
  readonly buildMillis: number;
  /** Time for all mutants after that, in milliseconds. */
  readonly millis: number;
  /** Path, relative to the root, of the file to which a `GoLine` is appended for each mutant. */
  readonly results: string;
  /**
   * Arguments of the test command: options of the build, the packages, and options of the test programs (`-test.…`).
   */
  readonly build: readonly string[];
  readonly packages: readonly string[];
  readonly test: readonly string[];
  /** Words after `-args`, which the test programs get as they are. */
  readonly args: readonly string[];
  /** The texts of the files with mutants, as they are. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** In the order in which they are tried. */
  readonly mutants: readonly GoRequestMutant[];
}

/** One line of the results; `own`: the mutant needs a run of its own. */
export interface GoLine {
  readonly mutant: number;
  readonly fate: 'noticed' | 'stopped' | 'survived' | 'unreached' | 'invalid' | 'own';
  /** The test that noticed it, or the error of the compiler. */
  readonly by?: string;
}
