// Finds the entry points of a repository: those that its manifests declare, and main functions.

import type { Manifest } from './manifests.ts';
import type { FileRecord } from '../../ports/catalogue.ts';

/** A point at which programs or users enter the repository. */
export interface EntryPoint {
  readonly kind: string;
  readonly name: string;
  /** The target as written in the manifest, or the place of the main function. */
  readonly target: string;
  /** The file that the target refers to; null if the file is built, or if the target is not a file. */
  readonly file: string | null;
  /** The file that declares it. */
  readonly source: string;
}

/** Languages whose programs begin with a function `main`. */
const MAIN_LANGUAGES = new Set(['go', 'rust', 'c', 'cpp', 'java']);

/** The declared entry points, then the main functions in `ownFiles`. */
export function findEntryPoints(
  ownFiles: readonly FileRecord[],
  records: readonly FileRecord[],
  manifests: readonly Manifest[],
): EntryPoint[] {
  const paths = new Set(records.map(({ path }) => path));
  const declared = manifests.flatMap(({ entries, folder, path }) =>
    entries.map(
      ({ kind, name, target }): EntryPoint => ({
        kind,
        name,
        target,
        file: resolveTarget(target, kind, folder, paths),
        source: path,
      }),
    ),
  );
  const mains = ownFiles.flatMap((record): EntryPoint[] => {
    const { path, language, symbols } = record;
    if (/(^|\/)__main__\.py$/.test(path))
      return [{ kind: 'main module', name: path.split('/').at(-2) ?? path, target: path, file: path, source: path }];
    if (language === null || !MAIN_LANGUAGES.has(language)) return [];
    const main = symbols.find(
      ({ name, path: full, kind }) =>
        name === 'main' && (kind === 'function' || kind === 'method') && (full === 'main' || language === 'java'),
    );
    return main
      ? [{ kind: 'main function', name: path, target: `${path}:${main.range.startLine}`, file: path, source: path }]
      : [];
  });
  return [...declared, ...mains];
}

/** The file that a target refers to; null for a script or a pattern, and if there is no such file. */
function resolveTarget(target: string, kind: string, folder: string, paths: ReadonlySet<string>): string | null {
  if (kind === 'script' || target.includes('*')) return null;
  // `package.module:function` of Python.
  const python = /^([\w.]+):\w+/.exec(target)?.[1]?.replaceAll('.', '/');
  const location = folder + target.replace(/^\.\//, '');
  const candidates = python
    ? ['', 'src/'].flatMap((root) => [`${folder}${root}${python}.py`, `${folder}${root}${python}/__init__.py`])
    : [location, ...['.js', '.ts', '.mjs', '.cjs', '/index.js', '/index.ts'].map((extension) => location + extension)];
  return candidates.find((candidate) => paths.has(candidate)) ?? null;
}
