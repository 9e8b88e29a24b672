// Resolves relative specifiers to files.

import { posix } from 'node:path';
import type { SourceTree } from '../../ports/sources.ts';

/**
 * True if the relative specifier names the file, with or without its extension or `/index`, or the folder of a package
 * whose main file it is. `from`: the file with the specifier.
 */
export function resolvesTo(specifier: string, from: string, path: string, tree: SourceTree): boolean {
  if (!specifier.startsWith('.')) return false;
  const target = resolveRelative(specifier, from);
  if (withoutExtension(target) === withoutExtension(path) || target === path) return true;
  const main = findMainFile(target, tree);
  return main !== null && withoutExtension(posix.join(target, main)) === withoutExtension(path);
}

/** The file or folder that a relative specifier names; empty for the root. */
export function resolveRelative(specifier: string, from: string): string {
  return posix
    .join(posix.dirname(from), specifier)
    .replace(/^\.?\/?$/, '')
    .replace(/\/$/, '');
}

function withoutExtension(name: string): string {
  return name.replace(/\.[cm]?[jt]sx?$/, '').replace(/(^|\/)index$/, '');
}

/** The main file that the package in this folder names; null if there is no such package. */
export function findMainFile(folder: string, tree: SourceTree): string | null {
  const text = tree.read(posix.join(tree.rootDir.replaceAll('\\', '/'), folder, 'package.json'));
  return /"main"\s*:\s*"([^"\n]*)"/.exec(text ?? '')?.[1] ?? null;
}
