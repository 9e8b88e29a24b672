// What the core needs for its memory: records of files, chunks with terms and vectors, grammars, and jobs off the
// calling thread.

import type { SourceAnalysis } from './analysis/analyse.ts';
import type { FunctionExplanation } from './analysis/metrics/explain.ts';
import type {
  Chunk,
  FileEdit,
  Inventory,
  Language,
  Opportunity,
  SafetyLevel,
  Skipped,
  SymbolInfo,
  WrittenChunk,
} from './model.ts';
import type { SyntaxProblem } from './index/dataSyntax.ts';
import type { ScannedWindow } from './index/search/scan.ts';
import type { Alike } from './propose/alike.ts';
import type { TransformRequest } from './propose/transforms/request.ts';
import type { TestPlace } from './propose/characterization/testPlace.ts';
import type { DifferentialPlan } from './verify/differential/plan.ts';
import type { MutantPlan } from './verify/guard/planMutants.ts';
import type { PackedFile } from './index/termPacker.ts';

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
 * module
 * itself, '' what the specifier's last part names; `*` on both sides is every name. An empty specifier is this file.
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

export interface Embedder {
  /** Identifies the vector space: vectors of different profiles never share a table. */
  readonly profile: string;
  readonly dimensions: number;
  /**
   * `terms`: the vectors follow from the terms of a text, which ranking weighs by itself. `model`: they say more, and
   * are a signal of their own.
   */
  readonly source: 'terms' | 'model';
  /** For the source `terms`: vectors of chunks whose terms are known already, as chunks carry them. */
  embedTerms?(terms: readonly string[]): readonly Float32Array[];
  /** For the source `terms`: the table that the vectors are made by, if they are made by one. */
  readonly table?: TermTable | undefined;
  /** Unit-length vectors, one per text. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

export interface ChunkHit {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbol: string | null;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

/** A chunk as it is stored, without its text (which is in the file). */
export interface StoredChunk {
  readonly id: string;
  readonly terms: string;
  readonly vector: Float32Array;
}

/** Stored chunks with terms and vectors. LanceDB, or the lexical store where its binary does not load. */
export interface ChunkStore {
  readonly kind: 'lancedb' | 'lexical';
  /** Other machines write here too: what this tree does not name may be named by theirs. */
  readonly shared: boolean;
  /** Starts afresh when the profile differs. */
  open(profile: string, dimensions: number): Promise<void>;
  /** Another one after every change of what is stored, found without a look at the rows; null = cannot be told. */
  revision(): Promise<string | null>;
  ids(): Promise<ReadonlySet<string>>;
  /** Those of the rows that are there, in no order. */
  get(ids: readonly string[]): Promise<readonly StoredChunk[]>;
  /** Every row once, in batches of some thousand, in no order; for the index in memory. */
  rows(signal: AbortSignal): AsyncIterable<readonly StoredChunk[]>;
  upsert(chunks: readonly WrittenChunk[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Best `limit` by terms and, where supported, by vector: two ranked lists, fused by the caller. */
  search(query: {
    readonly terms: string;
    readonly vector: Float32Array;
    readonly limit: number;
  }): Promise<{ readonly lexical: readonly ChunkHit[]; readonly dense: readonly ChunkHit[] }>;
  /**
   * Compacts and frees what is old; called when idle. `thoroughly`: also what another process may still be reading; it
   * begins again.
   */
  optimise(how?: { readonly thoroughly: boolean }): Promise<void>;
  close(): Promise<void>;
}

/**
 * Vectors of terms: the vector of a text is a weighted sum of the rows of its terms. The shipped model is of this kind.
 */
export interface TermTable {
  /** Identifies the space. */
  readonly profile: string;
  readonly dimensions: number;
  /** Row of a term as `termsOf` spells it, or -1. */
  row(term: string): number;
  /** Those of terms that a blank separates. */
  rowsOf(terms: string): Int32Array;
  /** The sum of weights[i] × row rows[i] for the first `count`, in a vector that is given or new. */
  sum(rows: ArrayLike<number>, weights: ArrayLike<number>, count: number, into?: Float32Array): Float32Array;
}

/** A commit as far as memory cares: what it says and which files it touched. */
export interface Commit {
  readonly hash: string;
  readonly atMs: number;
  readonly subject: string;
  readonly paths: readonly string[];
}

/** Git history, newest first. */
export interface History {
  /**
   * Commits reachable from HEAD (merges left out), at most `limit`. Paths are relative to the root; commits that touch
   * only files outside it are left out. Empty without git.
   */
  commits(limit: number, signal: AbortSignal): Promise<readonly Commit[]>;
}

/** Small derived files that cost time to make again; each may vanish at any time. Names are [a-z0-9.-]. */
export interface Blobs {
  read(name: string): Promise<Uint8Array | null>;
  /** Atomic: a reader sees the old bytes or the new. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/** The tree-sitter runtime as wasm and each grammar as a compiled module, from what is shipped in the package. */
export interface Grammars {
  runtime(): Promise<Uint8Array>;
  load(language: Language): Promise<object>;
}

/** Synchronous, read-only view of the tree for jobs and the TypeScript compiler. */
export interface SourceTree {
  readonly rootDir: string;
  /** Of a file in the root, by its path relative to it; undefined when it is none, cannot be read or lies elsewhere. */
  bytes(path: string): Uint8Array | undefined;
  read(absolutePath: string): string | undefined;
  fileExists(absolutePath: string): boolean;
  folderExists(absolutePath: string): boolean;
  list(absolutePath: string): readonly { readonly name: string; readonly kind: 'file' | 'folder' }[];
  realPath(absolutePath: string): string;
}

/** Pure functions that are too heavy for the request path, by name. The table of implementations is core/jobs.ts. */
export interface JobTable {
  /** Parse, outline, chunk. */
  inspect: {
    input: readonly {
      readonly path: string;
      readonly bytes: Uint8Array;
      readonly size: number;
      readonly mtimeMs: number;
      readonly hash: string;
    }[];
    /** `packed`: the terms of the chunks, counted; absent = they are spelled in the chunks, to be counted. */
    output: readonly {
      readonly record: FileRecord;
      readonly chunks: readonly Chunk[];
      readonly packed?: PackedFile | undefined;
    }[];
  };
  /**
   * Look for an answer in files that are not indexed yet, as windows of lines; files that are not text or cannot be
   * read are left out, and what is beyond a bound of bytes.
   */
  scan: {
    input: {
      readonly rootDir: string;
      readonly paths: readonly string[];
      readonly query: string;
      readonly top: number;
    };
    output: readonly ScannedWindow[];
  };
  /**
   * Measure and analyse. `only`: rules that somebody asked for alone; figures and measures are left out with the rest.
   */
  analyse: {
    input: readonly (JobTable['inspect']['input'][number] & { readonly only?: readonly string[] })[];
    output: readonly FileAnalysis[];
  };
  /** Measure and analyse a text that is being typed; what only the checker tells is left out. */
  glance: {
    input: { readonly path: string; readonly text: string };
    output: Pick<FileAnalysis, 'functions' | 'opportunities'>;
  };
  /** Where each point of the complexity of the function at a place (1-based) comes from; null where nothing tells. */
  explain: {
    input: { readonly path: string; readonly text: string; readonly line: number; readonly column: number };
    output: FunctionExplanation | null;
  };
  /** All that recipes may do to a text alone, but for rules that are off and opportunities that were dismissed. */
  fixText: {
    input: {
      readonly rootDir: string;
      readonly path: string;
      readonly text: string;
      readonly without: { readonly rules: readonly string[]; readonly opportunities: readonly string[] };
    };
    output: { readonly text: string; readonly fixed: readonly string[]; readonly opportunities: readonly string[] };
  };
  /** The change of an opportunity with all that goes along with it in the same function. `without`: as in `fixText`. */
  compose: {
    input: JobTable['realise']['input'] & { readonly without: JobTable['fixText']['input']['without'] };
    output: JobTable['realise']['output'];
  };
  /** The change of an opportunity with those of `wanted` that the same recipe mends in the same file. */
  alike: { input: JobTable['realise']['input'] & { readonly wanted: readonly Opportunity[] }; output: Alike };
  /** What files consist of, for the comparison of two trees. */
  inventory: {
    input: readonly { readonly path: string; readonly bytes: Uint8Array }[];
    output: readonly Inventory[];
  };
  /** Find what names refer to. */
  relate: {
    input: JobTable['inspect']['input'];
    output: readonly FileRelations[];
  };
  /**
   * What does not parse; empty when all does, null where nothing reads its kind. `earlier`: what an edit of the file
   * starts from.
   */
  syntax: {
    input: { readonly path: string; readonly text: string; readonly earlier: string | null };
    output: readonly SyntaxProblem[] | null;
  };
  /** What to compare between the old and the new side of edits, with the inputs that the types of the tree allow. */
  planDifferential: {
    input: { readonly rootDir: string; readonly edits: readonly FileEdit[] };
    output: DifferentialPlan;
  };
  /** What to record of an untested function, and where and how a test of it is written. */
  planRecording: {
    input: JobTable['realise']['input'];
    output:
      | {
          readonly name: string;
          readonly exportedAs: string;
          readonly place: TestPlace;
          readonly plan: Pick<DifferentialPlan, 'targets' | 'shapes' | 'constants' | 'emit'>;
        }
      | { readonly refused: string };
  };
  /** Mutants of the touched lines, at most so many. */
  planMutants: { input: { readonly edits: readonly FileEdit[]; readonly most: number }; output: MutantPlan };
  /** S0.14: how far edits reach, computed from them and the tree as it is. */
  safety: {
    input: {
      readonly rootDir: string /** What only looks like a rearrangement counts as a change. */;
      readonly provedOnly?: boolean;
      readonly edits: readonly FileEdit[];
    };
    output: SafetyLevel;
  };
  /** Let a recipe realise an opportunity. `asked`: a person has named this very one. */
  realise: {
    input: { readonly rootDir: string; readonly opportunity: Opportunity; readonly asked?: boolean };
    output:
      | { readonly edits: readonly FileEdit[]; readonly title: string; readonly rationale: string }
      | { readonly refused: string };
  };
  /** Make a change that is asked for by name. */
  transform: {
    input: { readonly rootDir: string; readonly request: TransformRequest };
    output: JobTable['realise']['output'];
  };
}

/**
 * Runs jobs off the calling thread. Cancelling ends the thread, so a hanging job cannot outlive its request. `release`:
 * nothing is expected next, so idle threads give back what they hold.
 */
export interface Jobs {
  run<K extends keyof JobTable>(
    name: K,
    input: JobTable[K]['input'],
    signal: AbortSignal,
  ): Promise<JobTable[K]['output']>;
  release(): void;
  close(): Promise<void>;
}
