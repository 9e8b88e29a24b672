// The view of a repository for rules about several files: plain data and three queries, without index, disk or graph.

import type { FunctionMetrics, Language, SymbolInfo } from '../../model.ts';
import type { FileFacts } from './fileFacts.ts';

/** One file. Files without a language count too: a component or a page may import what looks unused. */
export interface ProjectFile {
  readonly path: string;
  readonly language: Language | null;
  readonly test: boolean;
  readonly generated: boolean;
  readonly symbols: readonly SymbolInfo[];
  readonly functions: readonly FunctionMetrics[];
  /** Null where the file was not analysed; the rules treat it as one that may use anything that it imports. */
  readonly facts: FileFacts | null;
}

/** A package: a folder with a manifest. */
export interface ProjectPackage {
  /** Folder from the root; '' is the root. */
  readonly dir: string;
  /** Files that somebody outside may load: what manifests, scripts, pages and configuration name. */
  readonly entries: readonly string[];
  /** Those of them whose exports are for others. */
  readonly api: readonly string[];
  /** False where what others may load cannot be told, so that nothing of it can be called unused. */
  readonly determinable: boolean;
}

/** What the tests reach, and how that is known. */
export interface TestReach {
  /** Number of test files that were followed. */
  readonly tests: number;
  /**
   * Whether a test reaches the definition, and who says so: the dependency graph, or a report of coverage that fits the
   * file.
   */
  reaches(path: string, symbol: SymbolInfo): { readonly reached: boolean; readonly source: 'graph' | 'coverage' };
  /** Number of definitions outside of tests that use it directly. */
  usedBy(path: string, symbol: SymbolInfo): number;
}

export interface ProjectView {
  /** Rules that are asked for; the others cost nothing. */
  readonly rules: ReadonlySet<string>;
  /** Any order. */
  readonly files: readonly ProjectFile[];
  readonly packages: readonly ProjectPackage[];
  /** The file of the repository that a specifier means, or null. */
  resolve(from: Pick<ProjectFile, 'path' | 'language'>, specifier: string): string | null;
  /** The text of a file as it was analysed, or null when it has changed or gone since. */
  read(path: string): Promise<string | null>;
  /** Null: there are no tests, or nobody asked. */
  readonly reach: TestReach | null;
  /** Cosine of the vectors of two stretches of code, or null where it is not known. Left out: no near-duplicates. */
  readonly likeness?: (a: CodePlace, b: CodePlace) => Promise<number | null>;
}

export interface CodePlace {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}
