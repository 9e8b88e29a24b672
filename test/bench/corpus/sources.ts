// Reads real source files for measurements: those of the packages in node_modules, or of named folders.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { looksMinified } from '../../../server/src/core/paths/generated.ts';
import { shuffle } from '../support/random.ts';

/** A source file. */
export interface Source {
  /** The path in its package or folder, with the name of that in front. */
  readonly path: string;
  readonly text: string;
}

const extensions =
  /\.(ts|tsx|mts|js|jsx|mjs|py|rs|go|java|c|h|cc|cpp|hpp|rb|php|cs|kt|swift|scala|lua|ex|sh|hs|zig|md)$/;
/** Files that are skipped: declarations repeat the sources, and tables of locales are data. */
const excludedPattern = /\.d\.[cm]?ts$|\.min\.[cm]?js$|(^|\/)(locales?|i18n)\//;
/** Limits of the size of a file in bytes. */
const SMALLEST = 300;
const LARGEST = 100_000;
/** Maximum number of files of one package, so that a large package does not dominate. */
const FILES_PER_PACKAGE = 200;

/** At most `limit` files with different texts. The seed determines the order of packages and files. */
export function collectSources(folders: readonly string[], seed: number, limit: number): Source[] {
  const packages =
    folders.length > 0 ? [...folders] : shuffle(listInstalledPackages(), seed, (folder) => relative(modules, folder));
  const usedKeys = new Set<string>();
  const sources: Source[] = [];
  for (const folder of packages) {
    if (sources.length >= limit) break;
    const name = folders.length > 0 ? basename(folder) : relative(modules, folder).replace('/', '-').replace('@', '');
    const paths = shuffle(listSources(folder), seed, (path) => path);
    let takenCount = 0;
    for (const path of paths) {
      if (sources.length >= limit || (folders.length === 0 && takenCount >= FILES_PER_PACKAGE)) break;
      const text = readSource(join(folder, path));
      if (text === null) continue;
      const digest = createHash('sha256').update(text).digest('base64');
      const newPath = `${name}/${renameBuildFolders(path)}`;
      if (usedKeys.has(digest) || usedKeys.has(newPath)) continue;
      usedKeys.add(digest).add(newPath);
      takenCount++;
      sources.push({ path: newPath, text });
    }
  }
  return sources;
}

const modules = join(import.meta.dirname, '..', '..', '..', 'node_modules');

function listInstalledPackages(): string[] {
  return readdirSync(modules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) =>
      name.startsWith('@')
        ? readdirSync(join(modules, name)).map((inner) => join(modules, name, inner))
        : [join(modules, name)],
    );
}

function listSources(folder: string): string[] {
  const paths: string[] = [];
  const openFolders = [''];
  for (let folderPath = openFolders.pop(); folderPath !== undefined; folderPath = openFolders.pop()) {
    for (const entry of readdirSync(join(folder, folderPath), { withFileTypes: true })) {
      const path = folderPath === '' ? entry.name : `${folderPath}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git') openFolders.push(path);
      else if (entry.isFile() && extensions.test(entry.name) && !excludedPattern.test(path)) paths.push(path);
    }
  }
  return paths.sort();
}

function readSource(file: string): string | null {
  const { size } = statSync(file);
  if (size < SMALLEST || size > LARGEST) return null;
  const text = readFileSync(file, 'utf8');
  return text.includes('\uFFFD') || text.includes('\0') || looksMinified(text) ? null : text;
}

/** Renames folders of built files to `src`, because in a synthetic repository these files stand for sources. */
function renameBuildFolders(path: string): string {
  return path.replace(/(^|\/)(dist|build|out|target|coverage|vendor|vendored|generated)(?=\/)/gi, '$1src');
}
