// Finds the files with which the repository's programs start, as its manifest declares them. No proposal may break a
// program that must start again.

import { SCRIPT_PATTERN } from '../core/paths/scriptFiles.ts';
import { statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readTextInside } from '../adapters/files/safeRead.ts';
import { SelfwareError } from '../util/typedError.ts';

/** Maximum number of bytes of a manifest. A larger manifest is ignored. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The fields of package.json that are read. */
interface Manifest {
  readonly main?: unknown;
  readonly bin?: unknown;
  readonly private?: unknown;
  readonly engines?: { readonly vscode?: unknown } | null;
  readonly scripts?: { readonly start?: unknown } | null;
  readonly dependencies?: { readonly electron?: unknown } | null;
  readonly devDependencies?: { readonly electron?: unknown } | null;
}

/**
 * Paths relative to `rootDir`, with `/`: the files in `bin`, the files that the script `start` runs, and `main` if it
 * starts an application. In a package for others, `main` is the entry of a library, which nothing starts, and often all
 * of its source. A manifest that cannot be parsed declares no files.
 */
export function findEntryPoints(rootDir: string): string[] {
  const manifest = readManifest(rootDir);
  if (!manifest) return [];
  const start =
    typeof manifest.scripts?.start === 'string'
      ? manifest.scripts.start.replaceAll('\0', ' ').split(/[\s;&|"'=]+/)
      : [];
  const bins =
    typeof manifest.bin === 'string' ? [manifest.bin] : Object.values((manifest.bin as Record<string, unknown>) ?? {});
  const namedPaths = [...bins, ...(isApplication(manifest, start) ? [manifest.main] : [])].filter(isPath);
  const startedPaths = start.filter((word) => SCRIPT_PATTERN.test(word) && isFile(join(rootDir, word)));
  return [
    ...new Set(
      [...namedPaths, ...startedPaths].map((path) =>
        resolveEntryFile(rootDir, posix.normalize(path).replace(/^\/|\/$/g, '')),
      ),
    ),
  ];
}

/** The file that Node would load for a path without extension or for a folder; the unchanged path if there is none. */
function resolveEntryFile(rootDir: string, path: string): string {
  return (
    ['', '.js', '.cjs', '.mjs', '.ts', '/index.js', '/index.cjs', '/index.mjs', '/index.ts']
      .map((extension) => path + extension)
      .find((file) => isFile(join(rootDir, file))) ?? path
  );
}

/**
 * True if the package is private, or is started by an editor, by Electron, or by the script `start` as the folder
 * itself (`node .`).
 */
function isApplication(
  { private: isPrivate, engines, dependencies, devDependencies }: Manifest,
  start: readonly string[],
): boolean {
  return (
    isPrivate === true ||
    engines?.vscode !== undefined ||
    (dependencies?.electron ?? devDependencies?.electron) !== undefined ||
    start.includes('.')
  );
}

/** True for a text without the byte that no system allows in file names. */
function isPath(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

/** True for a file. A name that the system rejects, for example because it has 5,000 characters, is not a file. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}

function readManifest(rootDir: string): Manifest | null {
  try {
    const text = readTextInside(rootDir, 'package.json', MAX_BYTES);
    const manifest: unknown = text === null ? null : JSON.parse(text);
    return typeof manifest === 'object' && !Array.isArray(manifest) ? manifest : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof SelfwareError) return null;
    throw error;
  }
}
