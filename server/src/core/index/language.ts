// Which grammar reads a file, by its name.

import type { Language } from '../model.ts';

const byExtension: Readonly<Record<string, Language>> = {
  ts: 'typescript', mts: 'typescript', cts: 'typescript',
  tsx: 'tsx',
  js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript',
  py: 'python', pyi: 'python',
  rs: 'rust',
  go: 'go',
  java: 'java',
  c: 'c',
  // A header may be either; the C++ grammar reads both.
  h: 'cpp', cc: 'cpp', cpp: 'cpp', cxx: 'cpp', hh: 'cpp', hpp: 'cpp', hxx: 'cpp', 'c++': 'cpp', ipp: 'cpp', inl: 'cpp', cu: 'cpp',
};

/** The language of a path by its extension (case does not matter), or null where no grammar is shipped. */
export function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot < 0) return null;
  const extension = name.slice(dot + 1).toLowerCase();
  return Object.hasOwn(byExtension, extension) ? byExtension[extension]! : null;
}
