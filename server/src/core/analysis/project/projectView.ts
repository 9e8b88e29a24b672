// The view of a repository for rules about several files: plain data and a few queries, without index, disk or graph.

import type { FunctionMetrics, Language, SymbolInfo } from '../../model.ts';
import type { FileFacts } from './fileFacts.ts';
import type { FileHoles } from './holesInFiles.ts';

/**
 * One file. Files without a language count too, because a component or page may import code that otherwise looks
 * unused.
 */
export interface ProjectFile {
  readonly path: string;
  readonly language: Language | null;
  readonly test: boolean;
  readonly generated: boolean;
  readonly symbols: readonly SymbolInfo[];
  readonly functions: readonly FunctionMetrics[];
  /** The facts; null if the file was not analysed. Rules then assume that the file uses all that it imports. */
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
  /** False if it is unknown which files others may load. Then nothing in the package is reported as unused. */
  readonly isDeterminable: boolean;
  /** False for a private package and for an extension of VS Code: nobody imports them from a registry. */
  readonly published: boolean;
}

/** Answers which code tests reach, and from which source this is known. */
export interface TestReach {
  /** Number of test files that were followed. */
  readonly tests: number;
  /**
   * `reached`: true if a test reaches the definition. `source`: the dependency graph, or a coverage report that matches
   * the file.
   */
  findReach(path: string, symbol: SymbolInfo): { readonly reached: boolean; readonly source: 'graph' | 'coverage' };
  /** Number of definitions outside of tests that use it directly. */
  countUsers(path: string, symbol: SymbolInfo): number;
}

/** A repository, as rules about several files see it. Paths are relative to the root. */
export interface ProjectView {
  /** Ids of the requested rules. Other rules do not run. */
  readonly rules: ReadonlySet<string>;
  /** The files of the repository, in any order. */
  readonly files: readonly ProjectFile[];
  readonly packages: readonly ProjectPackage[];
  /**
   * Patterns of the settings for files that are not read, so that their imports are unknown. If absent, there are
   * none.
   */
  readonly excludes?: readonly string[];
  /** The file in the repository to which a specifier refers; null if there is none. */
  resolve(from: Pick<ProjectFile, 'path' | 'language'>, specifier: string): string | null;
  /** The text of a file as it was analysed; null if the file has changed or was removed since then. */
  read(path: string): Promise<string | null>;
  /**
   * The package.json of an installed package, as found from a folder with a manifest; null if it is not installed. If
   * absent, it is unknown what is installed.
   */
  readonly installed?: (folder: string, name: string) => Promise<string | null>;
  /** The code that tests reach; null if there are no tests, or if no requested rule needs it. */
  readonly reach: TestReach | null;
  /** Type holes that the compiler proves, by file. If absent, the compiler is not used. */
  readonly typeHoles?: (paths: readonly string[], signal: AbortSignal) => Promise<readonly FileHoles[]>;
  /** Cosine similarity of two fragments of code; null if unknown. If absent, near-duplicates are judged by form. */
  readonly similarity?: (a: CodePlace, b: CodePlace) => Promise<number | null>;
}

/** Whole lines of a file, from `startLine` to `endLine`, both 1-based and included. */
export interface CodePlace {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}
