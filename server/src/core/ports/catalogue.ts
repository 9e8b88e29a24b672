// The data that Selfware derives from each file, and the port of their durable cache.

import type { Language, SymbolInfo, Chunk, SkippedPath } from '../model.ts';
import type { SourceAnalysis } from '../analysis/analyse.ts';

/** Data derived from one content of a file. Size and modification time show whether the file is unchanged. */
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
  readonly generated: boolean;
  /** The reason why the file could not be analysed (it is still indexed); null if it was analysed. */
  readonly trouble: SkippedPath['reason'] | null;
}

/**
 * A name that an import makes available: the specifier, the name in the imported module, and the local name. As the
 * name in the module, `*` is the module itself, and '' is the name in the last part of the specifier; `*` on both
 * sides means all names. An empty specifier is this file.
 */
export type Binding = readonly [from: string, name: string, as: string];

/** The names that a file imports, re-exports, and uses. */
export interface FileReferences {
  readonly bindings: readonly Binding[];
  /** Exports whose definition has another name, or is in another file. */
  readonly exports: readonly Binding[];
  /** Namespaces or packages of the file's definitions, if the folder does not determine them. */
  readonly declares?: readonly string[];
  /** Specifiers of imports that import only types. They are erased, so nothing is loaded. */
  readonly types?: readonly string[];
  /**
   * Names used by each symbol, parallel to `symbols`, and last the names used outside of symbols: sorted, separated by
   * spaces. Empty if the names were not read.
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

/** Data that separate passes derive from files, when it is first requested. */
export interface DerivedTables {
  analysis: FileAnalysis;
  relations: FileRelations;
}

/**
 * Durable tables of derived data (one SQLite file). The tables are a cache: damage is reported by `damaged`, and the
 * table is rebuilt.
 */
export interface Catalogue {
  /**
   * Opens the store. `profile`: the version of everything that determines a record. A mismatch empties the table.
   * `isNew`: true if the table is empty, so that all records have to be made.
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
  /** Deletes the oldest replaced records beyond a limit. Returns the ids of the chunks in the remaining ones. */
  trimShelf(): Promise<ReadonlySet<string>>;
  /** The last mark that `settle` stored; null if there is none. */
  settled(): Promise<string | null>;
  /** Stores the state of the chunk store in which all work was complete; null while work is in progress. */
  settle(mark: string | null): Promise<void>;
  /** All data of a kind, derived from the contents of the files when they were last read. */
  derived<K extends keyof DerivedTables>(kind: K): Promise<readonly DerivedTables[K][]>;
  /**
   * The stored data of this content from the shelf, after another content replaced it; null if it is no longer stored.
   */
  shelvedDerived<K extends keyof DerivedTables>(kind: K, path: string, hash: string): Promise<DerivedTables[K] | null>;
  /** Stores rows. Replaced and removed rows stay on a shelf of limited size. */
  putDerived<K extends keyof DerivedTables>(
    kind: K,
    rows: readonly DerivedTables[K][],
    removed: readonly string[],
  ): Promise<void>;
  close(): Promise<void>;
}
