// What a module imports and exports, as plain data.

/**
 * load: runs when the file is loaded. ready: so, and has to be ready by then, for code outside of functions reads it.
 * later: runs when some function asks for it. types: erased by the compiler.
 */
export type ImportTime = 'load' | 'ready' | 'later' | 'types';

/**
 * The specifier as written; names as the other file exports them, separated by blanks (`*` = any of them, '' = it is
 * only run);
 * the line. A tuple, for there are many.
 */
export type ImportFact = readonly [from: string, names: string, time: ImportTime, line: number];

export type ExportKind = 'function' | 'class' | 'interface' | 'type' | 'enum' | 'variable' | 'namespace';

/** Where the name stands, and the first and last line of its declaration. 1-based. */
export type ExportPlace = readonly [line: number, column: number, firstLine: number, lastLine: number];

export interface ExportFact {
  /** What importers call it; `*` = every name of `from`. */
  readonly name: string;
  readonly kind: ExportKind;
  readonly at: ExportPlace;
  /** Set when it is another file's: the specifier, and what it is called there (`*` = the module as one object). */
  readonly from?: string;
  readonly source?: string;
  /** `export type { … } from`. */
  readonly types?: true;
  /** What the file itself calls it, where that differs. */
  readonly local?: string;
  /** Read by other code of its own file; `type`: in a type too, so that it may be part of a signature. */
  readonly usedHere?: 'value' | 'type';
  /**
   * Meant for others, as its comment says (`@public`, `exported for …`), or handed to them where it is made
   * (`register(…)`), or the type of a value beside it.
   */
  readonly offered?: true;
}

/** Plain data, small: names and places only. */
export interface ModuleFacts {
  readonly imports: readonly ImportFact[];
  readonly exports: readonly ExportFact[];
  /** Texts in the code that look like paths of modules; one that ends in `*` stands for all that begin so. */
  readonly paths: readonly string[];
  /** It exports in ways that names do not tell: `module.exports`, `export =`. */
  readonly opaque: boolean;
}
