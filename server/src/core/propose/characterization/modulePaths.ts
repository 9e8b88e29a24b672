// Resolves relative import specifiers to files of the repository.

import { SCRIPT_PATTERN } from '../../paths/scriptFiles.ts';
import { posix } from 'node:path';
import { findSourcesOfBuilt } from '../../paths/builtFiles.ts';
import type { SourceTree } from '../../ports/sources.ts';

/**
 * True if the relative specifier names the file `path`: with or without its extension or `/index`, as the folder of a
 * package whose main file it is, or as the build output of the file. `from`: the file that contains the specifier.
 */
export function resolvesTo(specifier: string, from: string, path: string, tree: SourceTree): boolean {
  if (!specifier.startsWith('.')) return false;
  const target = resolveRelative(specifier, from);
  if (removeExtension(target) === removeExtension(path) || target === path) return true;
  const mainFile = findMainFile(target, tree);
  if (mainFile !== null && removeExtension(posix.join(target, mainFile)) === removeExtension(path)) return true;
  return isBuiltFrom(mainFile === null ? target : posix.join(target, mainFile), path, tree);
}

/** True if a build writes `target` from the file `path`, judged by the usual names of source and output folders. */
function isBuiltFrom(target: string, path: string, tree: SourceTree): boolean {
  const root = tree.rootDir.replaceAll('\\', '/');
  let folder = posix.dirname(target === '' ? 'package.json' : target);
  while (folder !== '.' && !tree.fileExists(`${root}/${folder}/package.json`)) folder = posix.dirname(folder);
  const sources = findSourcesOfBuilt(posix.relative(folder, target)).map((inner) => posix.join(folder, inner));
  return sources.map(removeExtension).includes(removeExtension(path));
}

/** The path of the file or folder that a relative specifier names; empty for the root of the repository. */
export function resolveRelative(specifier: string, from: string): string {
  return posix
    .join(posix.dirname(from), specifier)
    .replace(/^\.?\/?$/, '')
    .replace(/\/$/, '');
}

/** The path without its extension, and without `/index` at its end. */
function removeExtension(name: string): string {
  return name.replace(SCRIPT_PATTERN, '').replace(/(^|\/)index$/, '');
}

/** Finds the main file that the `package.json` of this folder names; null if there is none. */
export function findMainFile(folder: string, tree: SourceTree): string | null {
  const text = tree.read(posix.join(tree.rootDir.replaceAll('\\', '/'), folder, 'package.json'));
  return /"main"\s*:\s*"([^"\n]*)"/.exec(text ?? '')?.[1] ?? null;
}
