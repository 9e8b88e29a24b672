// Defines the contents of a coverage report about one file.

/** One file in a coverage report. */
export interface CoveredFile {
  /** As in the report: absolute on some machine, or relative to some folder. */
  readonly path: string;
  /** 1-based number of an executable line → how often the line ran. */
  readonly lines: ReadonlyMap<number, number>;
  /** Functions with the 1-based line of their declaration; empty for formats that name none. */
  readonly functions: readonly { readonly name: string; readonly line: number }[];
}
