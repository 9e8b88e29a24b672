// Messages between the session and the program in the sandbox that reads V8's coverage.

export interface LinesOrder {
  /** Folder, relative to the root, in which the processes of the tests have left their coverage (NODE_V8_COVERAGE). */
  readonly coverage: string;
}

/** What V8 has seen of the repository's scripts. */
export interface LinesReport {
  /** Number of processes and threads that have left coverage. */
  readonly processes: number;
  /** Path from the root → 1-based numbers of the lines with a statement, and how often each ran. */
  readonly files: Readonly<Record<string, readonly (readonly [line: number, hits: number])[]>>;
  /** Files that ran, but in a form whose places in the source are unknown. */
  readonly unclear: readonly string[];
}
