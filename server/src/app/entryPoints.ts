// Where programs of the repository start, as its manifest declares it (S0.22): no proposal may break what has to start again.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

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
 * Paths relative to `rootDir`, with `/`: what `bin` names, files that the script `start` runs, and `main` where it is the start of an
 * application. In a package that others install, `main` is the front door of a library, which nothing starts: often it is all of its
 * source. A manifest that does not parse declares none; it is protected itself.
 */
export function entryPoints(rootDir: string): string[] {
  const manifest = readManifest(join(rootDir, 'package.json'));
  if (!manifest) return [];
  const start = typeof manifest.scripts?.start === 'string' ? manifest.scripts.start.split(/[\s;&|"'=]+/) : [];
  const bins = typeof manifest.bin === 'string' ? [manifest.bin] : Object.values((manifest.bin as Record<string, unknown>) ?? {});
  const named = [...bins, ...(isApplication(manifest, start) ? [manifest.main] : [])].filter((path): path is string => typeof path === 'string');
  const run = start.filter((word) => /\.[cm]?[jt]sx?$/.test(word) && isFile(join(rootDir, word)));
  return [...new Set([...named, ...run].map((path) => fileOf(rootDir, posix.normalize(path).replace(/^\/|\/$/g, ''))))];
}

/** What Node would load for a path without an ending or of a folder; the path as it stands where nothing is there. */
function fileOf(rootDir: string, path: string): string {
  return ['', '.js', '.cjs', '.mjs', '.ts', '/index.js', '/index.cjs', '/index.mjs', '/index.ts'].map((ending) => path + ending).find((file) => isFile(join(rootDir, file))) ?? path;
}

/** Not meant to be installed by others, or started by an editor, by Electron, or as the folder itself (`node .`). */
function isApplication({ private: own, engines, dependencies, devDependencies }: Manifest, start: readonly string[]): boolean {
  return own === true || engines?.vscode !== undefined || (dependencies?.electron ?? devDependencies?.electron) !== undefined || start.includes('.');
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function readManifest(file: string): Manifest | null {
  if (!existsSync(file)) return null;
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    return typeof manifest === 'object' ? manifest : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
