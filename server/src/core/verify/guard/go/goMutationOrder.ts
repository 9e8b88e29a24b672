// The order to the program in the sandbox that tries mutants of Go for the gate guard, and the lines of its results.

/** The location of a mutant in its file. All offsets are in UTF-16 units. */
export interface GoMutantLocation {
  /** The body of the outermost function around the mutant, without its braces. */
  readonly body: readonly [start: number, end: number];
  /** The start of the statement that runs if the mutant is reached. */
  readonly probe: number;
  /** True if the function returns values, so that its body must end with a statement that returns some. */
  readonly returns: boolean;
  /** Start and end of each label in the body, and of each use of a label. */
  readonly labels: readonly (readonly [start: number, end: number])[];
}

/** A mutant: `text` replaces the text between `start` and `end` (exclusive). */
export interface GoRequestMutant extends GoMutantLocation {
  /** Index in the plan. */
  readonly number: number;
  /** Path relative to the root. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The order. The program reads it as JSON. */
export interface GoMutationRequest {
  readonly go: true;
  /** Absolute path of the root of the work tree. */
  readonly root: string;
  /** Milliseconds for building the test programs and running them without a mutant. */
  readonly buildMillis: number;
  /** Milliseconds for all mutants after that. */
  readonly millis: number;
  /** Path, relative to the root, of the file to which a `GoLine` is appended for each mutant. */
  readonly results: string;
  /** Arguments of the test command: flags of the build, the packages, and flags of the test programs (`-test.…`). */
  readonly build: readonly string[];
  readonly packages: readonly string[];
  readonly test: readonly string[];
  /** Arguments after `-args`, which the test programs receive unchanged. */
  readonly args: readonly string[];
  /** The unchanged texts of the files with mutants. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** The mutants, in the order in which they are tried. */
  readonly mutants: readonly GoRequestMutant[];
}

/** One line of the results. `own`: the mutant needs a separate run. */
export interface GoLine {
  readonly mutant: number;
  readonly fate: 'noticed' | 'stopped' | 'survived' | 'unreached' | 'invalid' | 'own';
  /** The test that noticed it, or the error of the compiler. */
  readonly by?: string;
}
