// The data that Selfware derives from each file, and the port of their durable cache.

import type { Language, SymbolInfo, Chunk, SkippedPath } from '../model.ts';
import type { SourceAnalysis } from '../analysis/analyse.ts';

/** Data derived from one content of a file. `size` and `mtimeMs` show whether the file is unchanged. */
export interface DerivedData {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** sha-256 of the bytes. */
  readonly hash: string;
}

/** The data of one file that search and memory use. */
export interface FileRecord extends DerivedData {
  readonly language: Language | null;
  /** Estimated tokens of the whole file. */
  readonly tokens: number;
  readonly symbols: readonly SymbolInfo[];
  /** The chunks without text and terms: the text is in the file, and the terms are in the chunk store. */
  readonly chunks: readonly Omit<Chunk, 'text' | 'terms'>[];
  /** Estimated tokens of each symbol, parallel to `symbols`: [whole definition, doc comment and signature]. */
  readonly symbolTokens?: readonly (readonly [body: number, signature: number])[] | undefined;
  /** Import specifiers as written. */
  readonly imports: readonly string[];
  /** True for a generated file. */
  readonly generated: boolean;
  /** The reason why the file could not be analysed (it is still indexed); null if it was analysed. */
  readonly trouble: SkippedPath['reason'] | null;
}

/**
 * A name that an import makes available: the specifier (`from`), the name in the imported module (`name`), and the
 * local name (`as`). If `name` is `*`, it is the module itself; if it is '', it is the last part of the specifier. If
 * both names are `*`, all names are imported. An empty specifier is this file.
 */
export type Binding = readonly [from: string, name: string, as: string];

/** The names that a file imports, exports, and uses. */
export interface FileReferences {
  readonly bindings: readonly Binding[];
  /** Exports whose definition has another name, or is in another file. */
  readonly exports: readonly Binding[];
  /** Namespaces or packages of the file's definitions; absent if the folder determines them. */
  readonly declares?: readonly string[];
  /** Specifiers of imports that import only types. They are erased, so nothing is loaded. */
  readonly types?: readonly string[];
  /**
   * One text for each symbol, parallel to `symbols`, and a last one for the code outside of symbols: the names that it
   * uses, sorted and separated by spaces. Empty if the names were not read.
   */
  readonly uses: readonly string[];
}

/** The results of the analysis of one file. */
export interface FileAnalysis extends DerivedData, Omit<SourceAnalysis, 'trouble' | 'imports'> {
  readonly language: Language | null;
  readonly generated: boolean;
  /** Import specifiers as written. */
  readonly imports: readonly string[];
  /** The reason why the file could not be analysed; null if it was. */
  readonly trouble: SkippedPath['reason'] | null;
}

/** The references of the names in one file. The dependency graph is built from these records. */
export interface FileRelations extends DerivedData {
  readonly language: Language | null;
  readonly symbols: readonly SymbolInfo[];
  readonly imports: readonly string[];
  /** The references; null if the language has no grammar. */
  readonly references: FileReferences | null;
}

/** The kinds of data that separate passes derive from files when they are first requested. */
export interface DerivedTables {
  analysis: FileAnalysis;
  relations: FileRelations;
}

/**
 * Durable tables of derived data (one SQLite file). The tables are a cache: a damaged table throws `damaged`, and is
 * then rebuilt.
 */
export interface Catalogue {
  /**
   * Opens the store. `profile`: identifies everything that determines a record. If it differs from the stored one, the
   * table is emptied. `isNew`: true if the table is empty, so that all records have to be made.
   */
  open(profile: string): Promise<{ readonly isNew: boolean }>;
  all(): Promise<readonly FileRecord[]>;
  put(records: readonly FileRecord[]): Promise<void>;
  remove(paths: readonly string[]): Promise<void>;
  /**
   * The record of this content that was stored before another content replaced it; null if it is no longer stored. So
   * switching between branches costs nothing.
   */
  findReplacedRecord(path: string, hash: string): Promise<FileRecord | null>;
  /**
   * Deletes the oldest replaced records beyond a limit. Returns the ids of the chunks in the remaining replaced
   * records.
   */
  trimShelf(): Promise<ReadonlySet<string>>;
  /** The mark that `settle` stored last; null if there is none. */
  settled(): Promise<string | null>;
  /**
   * Stores a mark for the state of the chunk store in which all work was complete. `mark`: null while work is in
   * progress.
   */
  settle(mark: string | null): Promise<void>;
  /** All stored data of a kind. Each was derived from the content of its file when that was last read. */
  derived<K extends keyof DerivedTables>(kind: K): Promise<readonly DerivedTables[K][]>;
  /**
   * The data of this content that were stored before another content replaced it; null if they are no longer stored.
   */
  shelvedDerived<K extends keyof DerivedTables>(kind: K, path: string, hash: string): Promise<DerivedTables[K] | null>;
  /**
   * Stores `rows`, and removes the rows of the paths in `removed`. A limited number of replaced and removed rows stays
   * available to `shelvedDerived`.
   */
  putDerived<K extends keyof DerivedTables>(
    kind: K,
    rows: readonly DerivedTables[K][],
    removed: readonly string[],
  ): Promise<void>;
  close(): Promise<void>;
}
