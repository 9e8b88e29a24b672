// Types that describe the imports and exports of a module, as plain data.

/**
 * The time at which an import is needed. `load`: when the file is loaded. `ready`: when the file is loaded, and the
 * imported module must be initialised by then, because code outside of functions reads it. `later`: when a function
 * needs it. `types`: never, because the compiler erases it.
 */
export type ImportTime = 'load' | 'ready' | 'later' | 'types';

/**
 * An import. `from`: the specifier as written. `names`: exported names of the other file, separated by spaces; `*` if
 * any name may be used, empty if the file is imported for its side effects. `time`: the time at which it is needed.
 * `line`: 1-based. A tuple, because there are many of them.
 */
export type ImportFact = readonly [from: string, names: string, time: ImportTime, line: number];

/**
 * The kind of an export. `variable` includes default exports of values, and names that are declared in another file.
 */
export type ExportKind = 'function' | 'class' | 'interface' | 'type' | 'enum' | 'variable' | 'namespace';

/** The position of the name, then the first and the last line of its declaration, all 1-based. */
export type ExportPosition = readonly [line: number, column: number, firstLine: number, lastLine: number];

/** One name that a module exports, or an `export * from`. */
export interface ExportFact {
  /** The name for importers; `*` for every name of `from`. */
  readonly name: string;
  readonly kind: ExportKind;
  readonly at: ExportPosition;
  /** For a re-export: the specifier of the other file. */
  readonly from?: string;
  /** For a re-export: the exported name in the other file; `*` is the module as one object. */
  readonly source?: string;
  /** True for `export type { … } from`. */
  readonly types?: true;
  /** The name inside the file, if it differs. */
  readonly local?: string;
  /** Set if other code of the same file reads it. `type`: a type reads it, so it may be part of a signature. */
  readonly usedHere?: 'value' | 'type';
  /**
   * Set if the export is meant for others: by its comment (`@public`, `exported for …`), by a call that receives it
   * (`register(…)`), as the type of an exported value, or as a function that does nothing.
   */
  readonly offered?: true;
}

/** The imports and exports of a module: plain data with only names and positions, so that it is small. */
export interface ModuleFacts {
  readonly imports: readonly ImportFact[];
  readonly exports: readonly ExportFact[];
  /**
   * Strings in the code that look like paths of modules. A string that ends in `*` stands for all paths with this
   * beginning.
   */
  readonly paths: readonly string[];
  /** True if the module exports in a way that does not show the names: `module.exports`, `export =`. */
  readonly opaque: boolean;
}
