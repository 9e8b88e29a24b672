// Grammars, and the tree as jobs and the compiler see it.

import type { Language } from '../model.ts';

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
