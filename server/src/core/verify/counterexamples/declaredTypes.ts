// Finds the declaration file that states the types of a JavaScript file.

import { posix } from 'node:path';
import type { SourceTree } from '../../ports/sources.ts';

/** A declaration file with its path from the root. */
export interface DeclarationFile {
  readonly path: string;
  readonly text: string;
}

/** Extensions of JavaScript files. Of several files that differ only in their extensions, the first one counts. */
const JAVASCRIPT_EXTENSIONS = ['.js', '.mjs', '.cjs'];

/**
 * The declaration file of a JavaScript file: the one next to it, or the one that its package states for its entry. Null
 * if there is none. Of files that differ only in their extensions, such as `index.mjs` and `index.cjs`, only the first
 * one gets it, because the others contain the same functions.
 */
export function findDeclarationFile(path: string, root: string, tree: SourceTree): DeclarationFile | null {
  const extension = JAVASCRIPT_EXTENSIONS.find((candidate) => path.endsWith(candidate));
  if (extension === undefined) return null;
  const stem = path.slice(0, -extension.length);
  const declarations = readDeclarations(`${stem}.d${extension.replace('js', 'ts')}`);
  if (declarations) return declarations;
  const first = JAVASCRIPT_EXTENSIONS.find((candidate) => tree.fileExists(`${root}/${stem}${candidate}`));
  return first === extension ? (readDeclarations(`${stem}.d.ts`) ?? findTypesOfPackage()) : null;

  function readDeclarations(declared: string): DeclarationFile | null {
    const text = tree.read(`${root}/${declared}`);
    return text === undefined ? null : { path: declared, text };
  }

  /**
   * The types that the package states, if the file is the entry of the package, or the source of an entry that was not
   * built.
   */
  function findTypesOfPackage(): DeclarationFile | null {
    const folder = findPackageFolder(path, root, tree);
    const manifest = folder === null ? null : readManifest(tree.read(`${root}/${folder}package.json`) ?? '');
    if (folder === null || !manifest?.types) return null;
    const types = posix.normalize(folder + manifest.types);
    const entries = manifest.entries.map((entry) => posix.normalize(folder + entry));
    const name = posix.basename(stem);
    const isSource =
      posix.basename(types).replace(/\.d\.[cm]?ts$/, '') === name &&
      /^(?:src|source)$/.test(posix.relative(folder || '.', posix.dirname(path))) &&
      !entries.some((entry) => tree.fileExists(`${root}/${entry}`));
    return entries.includes(path) || isSource ? readDeclarations(types) : null;
  }
}

/** The nearest folder with a `package.json`, with a trailing slash; empty for the root, null if there is none. */
function findPackageFolder(path: string, root: string, tree: SourceTree): string | null {
  for (let index = path.lastIndexOf('/'); ; index = path.lastIndexOf('/', index - 1)) {
    const folder = path.slice(0, index + 1);
    if (tree.fileExists(`${root}/${folder}package.json`)) return folder;
    if (index < 0) return null;
  }
}

/** The declaration file and the entry files that a manifest states; null if it cannot be parsed. */
function readManifest(text: string): { readonly types: string | null; readonly entries: readonly string[] } | null {
  try {
    const { types, typings, main, module, exports } = JSON.parse(text) as Record<string, unknown>;
    const conditions = collectExportTargets(exports);
    const declared = [types, typings, ...conditions].find(
      (candidate) => typeof candidate === 'string' && /\.d\.[cm]?ts$/.test(candidate),
    );
    const entries = [main, module, ...conditions].filter(
      (candidate) => typeof candidate === 'string' && /\.[cm]?js$/.test(candidate),
    );
    return { types: (declared as string | undefined) ?? null, entries: entries as string[] };
  } catch {
    return null;
  }
}

/** The targets of `exports` for the package itself, under any condition. */
function collectExportTargets(exports: unknown): readonly unknown[] {
  if (typeof exports !== 'object' || exports === null) return [exports];
  const rootEntries = Object.entries(exports).filter(([key]) => key === '.' || !key.startsWith('.'));
  return rootEntries.flatMap(([, value]) => collectExportTargets(value));
}
