// The files of the project as git knows them, with what they import.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/**
 * Tracked and new files (not ignored), relative to the root. What rules and recipes are tried on is no source.
 */
export function projectFiles(...endings: string[]): string[] {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path && !/^server\/src\/.*\/fixtures\//.test(path))
    .filter((path) => endings.some((ending) => path.endsWith(ending)) && existsSync(join(root, path)));
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/**
 * Import specifiers of a file: static, dynamic and type imports alike; ours as paths from the root, packages by name.
 */
export function importsOf(path: string): string[] {
  const text = read(path).replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const specifiers = [
    ...text.matchAll(
      /^\s*(?:import|export)\s[^'"]*?\bfrom\s*['"]([^'"\n]+)['"]|\bimport\s*\(\s*['"]([^'"\n]+)['"]|^\s*import\s+['"]([^'"\n]+)['"]/gm,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  return specifiers.map((specifier) => {
    if (specifier.startsWith('.')) return normalize(relative(root, join(root, dirname(path), specifier)));
    if (specifier.startsWith('#protocol/')) return `server/src/protocol/${specifier.slice('#protocol/'.length)}.ts`;
    return specifier;
  });
}
