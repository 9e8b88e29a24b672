// The ports for grammars, and for the view of the tree that jobs and the compiler use.

import type { Language } from '../model.ts';

/**
 * Loads the tree-sitter runtime as WebAssembly and each grammar as a compiled module, from the files in the package.
 */
export interface Grammars {
  runtime(): Promise<Uint8Array>;
  load(language: Language): Promise<object>;
}

/** Synchronous, read-only view of the tree for jobs and the TypeScript compiler. */
export interface SourceTree {
  readonly rootDir: string;
  /**
   * The bytes of a file, by its path relative to the root; undefined if it is not a file, cannot be read or is outside
   * the root.
   */
  bytes(path: string): Uint8Array | undefined;
  read(absolutePath: string): string | undefined;
  fileExists(absolutePath: string): boolean;
  folderExists(absolutePath: string): boolean;
  list(absolutePath: string): readonly { readonly name: string; readonly kind: 'file' | 'folder' }[];
  realPath(absolutePath: string): string;
}
