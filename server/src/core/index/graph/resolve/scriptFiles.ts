// Finds TypeScript and JavaScript files for paths whose extension is missing or differs from that of the file, and the
// source of a built file.

import { posix } from 'node:path';
import { findSourcesOfBuilt } from '../../../paths/builtFiles.ts';
import type { FileIndex } from './fileIndex.ts';

/**
 * Extensions that are tried for an import from TypeScript: in the order of the compiler, but implementations come
 * before declarations, which do not run.
 */
const EXTENSIONS_FROM_TYPESCRIPT = [
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mts',
  '.mjs',
  '.cts',
  '.cjs',
  '.d.ts',
  '.d.mts',
  '.d.cts',
  '.json',
  '.vue',
  '.svelte',
  '.astro',
];
/**
 * Extensions that are tried for an import from JavaScript: implementations come before declarations, which do not run.
 */
const EXTENSIONS_FROM_JAVASCRIPT = [
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.json',
  '.d.ts',
  '.d.mts',
  '.d.cts',
  '.vue',
  '.svelte',
  '.astro',
];
/**
 * Extensions that are tried for a written one, which comes among them:
 * https://www.typescriptlang.org/docs/handbook/modules/reference.html#file-extension-substitution. A declaration comes
 * last, because the implementation beside it is what runs.
 */
const SUBSTITUTE_EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.js', '.d.ts'],
  '.jsx': ['.tsx', '.ts', '.jsx', '.d.ts'],
  '.mjs': ['.mts', '.mjs', '.d.mts'],
  '.cjs': ['.cts', '.cjs', '.d.cts'],
  '.ts': ['.ts', '.d.ts'],
  '.mts': ['.mts', '.d.mts'],
  '.cts': ['.cts', '.d.cts'],
};

/** Stands for the importing file, so that TypeScript sources are preferred. */
const TYPESCRIPT_SOURCE = 'a.ts';

/**
 * The file at `path` (from the root, extension optional), without looking into folders; null if there is none. `from`:
 * the importing file.
 */
export function findScriptFile(files: FileIndex, from: string, path: string): string | null {
  const fromTypeScript = isTypeScript(from);
  const extension = posix.extname(path);
  const withoutExtension = path.slice(0, path.length - extension.length);
  if (!fromTypeScript && files.has(path)) return path;
  if (extension in SUBSTITUTE_EXTENSIONS) {
    for (const substitute of SUBSTITUTE_EXTENSIONS[extension]!)
      if (files.has(withoutExtension + substitute)) return withoutExtension + substitute;
  }
  if (files.has(path)) return path;
  for (const suffix of fromTypeScript ? EXTENSIONS_FROM_TYPESCRIPT : EXTENSIONS_FROM_JAVASCRIPT)
    if (files.has(path + suffix)) return path + suffix;
  return null;
}

/** The index file of a folder; null if there is none. */
export function findScriptIndex(files: FileIndex, from: string, folder: string): string | null {
  if (!files.hasFolder(folder)) return null;
  const base = posix.join(folder, 'index');
  for (const suffix of isTypeScript(from) ? EXTENSIONS_FROM_TYPESCRIPT : EXTENSIONS_FROM_JAVASCRIPT)
    if (files.has(base + suffix)) return base + suffix;
  return null;
}

/** The folders of a build's output and of its sources, according to the compiler's configuration. */
export interface BuildFolders {
  readonly outDir: string | null;
  readonly rootDir: string | null;
}

/**
 * The source of a file that a build would write: `dist/a.mjs` → `src/a.ts`. All paths are relative to the root. Uses
 * outDir and rootDir of the compiler first, then common folder names. Null if there is no such source.
 */
export function findSourceOfBuilt(
  files: FileIndex,
  packageDir: string,
  target: string,
  buildFolders: BuildFolders | null,
): string | null {
  const withoutExtension = target.replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
  const findSource = (path: string) =>
    findScriptFile(files, TYPESCRIPT_SOURCE, path) ?? findScriptIndex(files, TYPESCRIPT_SOURCE, path);
  if (
    buildFolders?.outDir !== null &&
    buildFolders?.outDir !== undefined &&
    withoutExtension.startsWith(`${buildFolders.outDir}/`)
  ) {
    const inner = withoutExtension.slice(buildFolders.outDir.length + 1);
    const sourcePath = [buildFolders.rootDir, posix.join(packageDir, 'src'), packageDir]
      .map((root) => (root === null ? null : findSource(posix.join(root, inner))))
      .find((path) => path !== null);
    if (sourcePath) return sourcePath;
  }
  const inner = packageDir === '' ? target : target.slice(packageDir.length + 1);
  for (const path of findSourcesOfBuilt(inner)) {
    const sourcePath = findSource(posix.join(packageDir, path));
    if (sourcePath !== null && !/\.d\.[cm]?ts$/.test(sourcePath)) return sourcePath;
  }
  return null;
}

function isTypeScript(path: string): boolean {
  return /\.(ts|tsx|mts|cts|vue|svelte|astro)$/.test(path);
}
