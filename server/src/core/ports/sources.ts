// The ports for grammars, and for the view of the tree that jobs and the compiler use.

import type { Language } from '../model.ts';

/**
 * Loads the tree-sitter runtime and its grammars from the files of the package. `runtime`: the bytes of its
 * WebAssembly. `load`: a grammar as a compiled WebAssembly module.
 */
export interface Grammars {
  runtime(): Promise<Uint8Array>;
  load(language: Language): Promise<object>;
}

/** A problem in Python code. `code`: the rule of Ruff, such as `F401`. `start` and `end`: offsets in UTF-16 units. */
export interface PythonProblem {
  readonly code: string;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the problems of these rules in the text of a Python file. Comments such as `# noqa` hide problems. */
export type PythonLinter = (text: string, codes: readonly string[]) => readonly PythonProblem[];

/** A synchronous, read-only view of the tree for jobs and the TypeScript compiler. */
export interface SourceTree {
  readonly rootDir: string;
  /**
   * The bytes of a file, by its path relative to the root; undefined if it is not a file, cannot be read or is outside
   * the root.
   */
  bytes(path: string): Uint8Array | undefined;
  /** The text of a file; undefined if it cannot be read. */
  read(absolutePath: string): string | undefined;
  fileExists(absolutePath: string): boolean;
  folderExists(absolutePath: string): boolean;
  list(absolutePath: string): readonly { readonly name: string; readonly kind: 'file' | 'folder' }[];
  realPath(absolutePath: string): string;
}
