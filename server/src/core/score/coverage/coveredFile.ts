// What a coverage report says about one file.

/** What a report says of one file. */
export interface CoveredFile {
  /** As written: absolute on some machine, or relative to some folder. */
  readonly path: string;
  /** Line, from 1, that can run → how often it did. */
  readonly lines: ReadonlyMap<number, number>;
  readonly functions: readonly { readonly name: string; readonly line: number }[];
}
