// What is known of each file, and where it is kept.

import type { Language, SymbolInfo, Chunk, Skipped } from '../model.ts';
import type { SourceAnalysis } from '../analysis/analyse.ts';

/** Whatever is made of one content of a file, with the stat by which an unchanged file is known. */
export interface Derived {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** sha-256 of the bytes. */
  readonly hash: string;
}

/** What is remembered of one file for search and memory. */
export interface FileRecord extends Derived {
  readonly language: Language | null;
  /** Estimated tokens of the whole file. */
  readonly tokens: number;
  readonly symbols: readonly SymbolInfo[];
  /** Without text and terms: the one is in the file, the other in the chunk store. */
  readonly chunks: readonly Omit<Chunk, 'text' | 'terms'>[];
  /** Estimated tokens of each symbol, parallel to `symbols`: [whole definition, doc comment and signature]. */
  readonly symbolTokens?: readonly (readonly [body: number, signature: number])[] | undefined;
  /** Import specifiers as written. */
  readonly imports: readonly string[];
  readonly generated: boolean;
  /** Why the file could not be analysed (it is still indexed), or null. */
  readonly trouble: Skipped['reason'] | null;
}

/**
 * A name that an import brings in: the specifier, what it is called there and what it is called here. There, `*` is the
 * module itself, '' what the specifier's last part names; `*` on both sides is every name. An empty specifier is this
 * file.
 */
export type Binding = readonly [from: string, name: string, as: string];

/** Which names a file takes from elsewhere, passes on, and uses where. */
export interface FileReferences {
  readonly bindings: readonly Binding[];
  /** What importers get under another name or from another file. */
  readonly exports: readonly Binding[];
  /** Namespaces or packages that the file puts its definitions into, where no folder says so. */
  readonly declares?: readonly string[];
  /** Specifiers that it imports nothing from but types: erased, so nothing is loaded. */
  readonly types?: readonly string[];
  /**
   * Names used by each symbol, parallel to `symbols`, and by the code outside of them (last): sorted, separated by
   * blanks. Empty where it was not read.
   */
  readonly uses: readonly string[];
}

/** What the analysis found in one file. */
export interface FileAnalysis extends Derived, Omit<SourceAnalysis, 'trouble' | 'imports'> {
  readonly language: Language | null;
  readonly generated: boolean;
  /** Import specifiers as written. */
  readonly imports: readonly string[];
  /** Why the file could not be analysed, or null. */
  readonly trouble: Skipped['reason'] | null;
}

/** What the names of one file refer to: the dependency graph is made of these. */
export interface FileRelations extends Derived {
  readonly language: Language | null;
  readonly symbols: readonly SymbolInfo[];
  readonly imports: readonly string[];
  /** Null where no grammar tells. */
  readonly references: FileReferences | null;
}

/** What is made of files by passes of their own, when somebody first asks. */
export interface DerivedTables {
  analysis: FileAnalysis;
  relations: FileRelations;
}

/**
 * Durable tables of what is known of files (one SQLite file). Damage is reported by `damaged` and the table rebuilt: it
 * is a cache.
 */
export interface Catalogue {
  /** Version of everything that determines a record; a mismatch starts the table afresh. */
  open(profile: string): Promise<{ readonly fresh: boolean }>;
  all(): Promise<readonly FileRecord[]>;
  put(records: readonly FileRecord[]): Promise<void>;
  remove(paths: readonly string[]): Promise<void>;
  /**
   * What was known of this content of the file before another replaced it: a branch switched to and fro costs nothing.
   * Null = forgotten.
   */
  shelved(path: string, hash: string): Promise<FileRecord | null>;
  /** Forgets the oldest replaced records beyond a bound; answers the ids of the chunks that the rest names. */
  trimShelf(): Promise<ReadonlySet<string>>;
  /** The last mark of `settle`, or null. */
  settled(): Promise<string | null>;
  /**
   * Marks the state of the chunk store in which everything was brought to an end; null while something is in the
   * making.
   */
  settle(mark: string | null): Promise<void>;
  /** What is known of the files as they were last seen, by path. */
  derived<K extends keyof DerivedTables>(kind: K): Promise<readonly DerivedTables[K][]>;
  /** What was known of this content of the file before another replaced it. */
  shelvedDerived<K extends keyof DerivedTables>(kind: K, path: string, hash: string): Promise<DerivedTables[K] | null>;
  /** Replaced and removed rows stay on a bounded shelf. */
  putDerived<K extends keyof DerivedTables>(
    kind: K,
    rows: readonly DerivedTables[K][],
    removed: readonly string[],
  ): Promise<void>;
  close(): Promise<void>;
}
