// What rules about several files see of a repository: plain data and a few queries, without index, disk or graph.

import type { FunctionMetrics, Language, SymbolInfo } from '../../model.ts';
import type { FileFacts } from './fileFacts.ts';
import type { FileHoles } from './holesInFiles.ts';

/** One file. Files without a language count too, because a component or page may import what otherwise looks unused. */
export interface ProjectFile {
  readonly path: string;
  readonly language: Language | null;
  readonly test: boolean;
  readonly generated: boolean;
  readonly symbols: readonly SymbolInfo[];
  readonly functions: readonly FunctionMetrics[];
  /** Null if the file was not analysed; the rules treat it as a file that may use everything it imports. */
  readonly facts: FileFacts | null;
}

/** A package: a folder with a manifest. */
export interface ProjectPackage {
  /** The folder, relative to the root; '' is the root. */
  readonly dir: string;
  /** Files that code outside may load, as named by manifests, scripts, pages and configuration files. */
  readonly entries: readonly string[];
  /** Entries whose exports are public API. */
  readonly api: readonly string[];
  /** False if it is unknown what others may load, so that nothing in the package can be called unused. */
  readonly determinable: boolean;
}

/** What the tests reach, and how that is known. */
export interface TestReach {
  /** Number of test files that were followed. */
  readonly tests: number;
  /**
   * Whether a test reaches the definition, and the source of this knowledge: the dependency graph, or a coverage report
   * that fits the file.
   */
  reaches(path: string, symbol: SymbolInfo): { readonly reached: boolean; readonly source: 'graph' | 'coverage' };
  /** Number of definitions outside of tests that use it directly. */
  usedBy(path: string, symbol: SymbolInfo): number;
}

export interface ProjectView {
  /** The requested rules; others cost nothing. */
  readonly rules: ReadonlySet<string>;
  /** Any order. */
  readonly files: readonly ProjectFile[];
  readonly packages: readonly ProjectPackage[];
  /** The file in the repository that a specifier stands for, or null. */
  resolve(from: Pick<ProjectFile, 'path' | 'language'>, specifier: string): string | null;
  /** The text of a file as it was analysed; null if the file has changed or is gone since. */
  read(path: string): Promise<string | null>;
  /** Null: there are no tests, or no requested rule needs them. */
  readonly reach: TestReach | null;
  /** Type holes that the compiler proves, by file. Left out: nothing asks the compiler. */
  readonly typeHoles?: (paths: readonly string[], signal: AbortSignal) => Promise<readonly FileHoles[]>;
  /** Cosine similarity of two stretches of code, or null if unknown. Left out: near-duplicates are judged by form. */
  readonly likeness?: (a: CodePlace, b: CodePlace) => Promise<number | null>;
}

export interface CodePlace {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}
