// The types of benches: each has a name, a description, and a run that returns tables of figures.

import type { Kind } from '../answers/kinds.ts';
import type { Figure } from './statistics.ts';

/** The options of the command line. Each bench reads those that apply to it. */
export interface BenchOptions {
  /** The seed of random choices. The same seed gives the same input. */
  readonly seed: number;
  /** Number of times that a timed run is repeated; tables show the median and the range. */
  readonly repeats: number;
  /** `tiny`: takes seconds, only to test the bench. `large`: also measures sizes that take long. */
  readonly size: 'tiny' | 'default' | 'large';
  /**
   * Folder of labels `NAME.json`, and file with the list of repositories, both as in the open code-search benchmark.
   */
  readonly labels: string | null;
  readonly manifest: string | null;
  /** Folder with the CoSQA files. */
  readonly cosqa: string | null;
  /** Folders from whose files synthetic repositories are made; empty for the packages in node_modules. */
  readonly grow: readonly string[];
  /** Number of inputs, such as mutants or questions; null for the number that belongs to `size`. */
  readonly inputs: number | null;
  /** Maximum number of questions of each kind (null: as Selfware would ask), and these kinds (empty: all). */
  readonly each: number | null;
  readonly kinds: readonly Kind[];
  /** Checkouts to measure, minutes for each (or for all), and the path for results that stay between runs. */
  readonly at: readonly string[];
  readonly minutes: number;
  readonly keep: string | null;
  /** Maximum number of commits of each repository; null for the number that belongs to `size`. */
  readonly commits: number | null;
  /** An empty folder that is removed at the end of the run. */
  readonly scratch: string;
  /** Prints a line about the progress for the person who waits. */
  note(text: string): void;
}

/** The value of a cell; null is shown as a dash. */
export type Cell = string | number | Figure | null;

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** E.g. `s`, `MB`; shown in the header. */
  readonly unit?: string;
  /** Number of digits after the decimal point. */
  readonly digits?: number;
}

/** A table of results. */
export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** Explanations that a reader of the figures needs, such as what was left out and why. */
  readonly notes: readonly string[];
}

/** A bench. */
export interface Bench {
  readonly name: string;
  /** A description for `--help` and above the tables. */
  readonly describe: string;
  run(options: BenchOptions, signal: AbortSignal): Promise<readonly Table[]>;
}
