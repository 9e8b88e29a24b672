// Messages between the session and the program in the sandbox that reads V8's coverage.

/** The order, which the program reads as JSON. */
export interface LinesOrder {
  /**
   * Folder, relative to the root, to which the processes of the tests have written their coverage (NODE_V8_COVERAGE).
   */
  readonly coverage: string;
}

/** The coverage that V8 recorded for the repository's scripts. */
export interface LinesReport {
  /** Number of processes and threads that have written coverage. */
  readonly processes: number;
  /** Maps each path from the root to the 1-based numbers of its lines with a statement, and how often each line ran. */
  readonly files: Readonly<Record<string, readonly (readonly [line: number, hits: number])[]>>;
  /** Files that ran in another form than their source, so that line numbers in the source are unknown. */
  readonly unclear: readonly string[];
}
