// Defines the types of a module's imports and exports, as plain data.

/**
 * When an import is needed. `load`: when the file is loaded. `ready`: at loading, and it must be initialised by then,
 * because code outside of functions reads it. `later`: when a function needs it. `types`: never, because the compiler
 * erases it.
 */
export type ImportTime = 'load' | 'ready' | 'later' | 'types';

/**
 * The specifier as written; the names as the other file exports them, separated by blanks (`*` = possibly any, '' = the
 * file is only run); the time; the line. A tuple, because there are many of them.
 */
export type ImportFact = readonly [from: string, names: string, time: ImportTime, line: number];

/** What is exported. `variable`: also a default export of a value, and what another file declares. */
export type ExportKind = 'function' | 'class' | 'interface' | 'type' | 'enum' | 'variable' | 'namespace';

/** The position of the name, then the first and the last line of its declaration, all 1-based. */
export type ExportPlace = readonly [line: number, column: number, firstLine: number, lastLine: number];

/** One name that a module exports, or an `export * from`. */
export interface ExportFact {
  /** The name for importers; `*` = every name of `from`. */
  readonly name: string;
  readonly kind: ExportKind;
  readonly at: ExportPlace;
  /** The specifier of a re-export, and the name in that file (`*`: the module as one object). */
  readonly from?: string;
  readonly source?: string;
  /** True for `export type { … } from`. */
  readonly types?: true;
  /** The name inside the file, if it differs. */
  readonly local?: string;
  /** Set if other code of the same file reads it. `type`: also in a type, so it may be part of a signature. */
  readonly usedHere?: 'value' | 'type';
  /**
   * True if the export is meant for others: by its comment (`@public`, `exported for …`), by a call that receives it
   * (`register(…)`), or as the type of a value beside it.
   */
  readonly offered?: true;
}

/** What a module imports and exports: plain data, kept small, so only names and positions. */
export interface ModuleFacts {
  readonly imports: readonly ImportFact[];
  readonly exports: readonly ExportFact[];
  /**
   * Strings in the code that look like paths of modules. One that ends in `*` stands for all paths with this beginning.
   */
  readonly paths: readonly string[];
  /** True if the module exports in ways that do not show the names: `module.exports`, `export =`. */
  readonly opaque: boolean;
}
