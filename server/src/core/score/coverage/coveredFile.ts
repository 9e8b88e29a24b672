// The contents of a coverage report on one file.

/** One file in a coverage report. */
export interface CoveredFile {
  /** The path in the report: absolute on some machine, or relative to some folder. */
  readonly path: string;
  /** Number of runs of each executable line, by its 1-based number. */
  readonly lines: ReadonlyMap<number, number>;
  /** Functions with the 1-based line of their declaration; empty for formats that name none. */
  readonly functions: readonly { readonly name: string; readonly line: number }[];
}
