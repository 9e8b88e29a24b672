// The shape of every bench: a name, a sentence, and a run that answers with tables of figures.

import type { Kind } from '../answers/kinds.ts';
import type { Figure } from './statistics.ts';

/** What the command line asks for; every bench takes what concerns it. */
export interface BenchOptions {
  /** Same seed, same input. */
  readonly seed: number;
  /** How often a timed run is repeated; the table shows the median and the range. */
  readonly repeats: number;
  /** `tiny`: seconds, only to see that all works; `large`: also the sizes that take long. */
  readonly size: 'tiny' | 'default' | 'large';
  /** Folder of annotations `NAME.json` and list of repositories, both as in the open code-search benchmark. */
  readonly labels: string | null;
  readonly manifest: string | null;
  /** Folder with the CoSQA files. */
  readonly cosqa: string | null;
  /** Folders whose files synthetic repositories grow from; empty = the packages in node_modules. */
  readonly grow: readonly string[];
  /** Mutants of the bench fuzz; null = as many as the size says. */
  readonly inputs: number | null;
  /** Questions of each kind for the bench answers, null = as Selfware would ask; and the kinds, empty = all. */
  readonly each: number | null;
  readonly kinds: readonly Kind[];
  /** Checkouts of the bench repositories, how long each is left alone, and where to write what was changed. */
  readonly at: readonly string[];
  readonly minutes: number;
  readonly keep: string | null;
  /** Maximum number of commits of each repository; null = as many as the size says. */
  readonly commits: number | null;
  /** An empty folder that is removed when the run ends, however it ends. */
  readonly scratch: string;
  /** A line about what is going on, for the person who waits. */
  note(text: string): void;
}

export type Cell = string | number | Figure | null;

export interface Column {
  readonly name: string;
  /** E.g. `s`, `MB`; shown in the header. */
  readonly unit?: string;
  /** Digits behind the point. */
  readonly digits?: number;
}

export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** What was left out and why, and what one must know to read the figures. */
  readonly notes: readonly string[];
}

export interface Bench {
  readonly name: string;
  /** One sentence, for --help and above the tables. */
  readonly describe: string;
  run(options: BenchOptions, signal: AbortSignal): Promise<readonly Table[]>;
}
