// Selects the files of a linked package that a sandbox may see: those that the package would publish, except hidden
// files, very large files, installed packages, and files that are named like a secret.

import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextInside } from '../files/safeRead.ts';

/** Maximum number of files of one package. Once it is reached, no further folder is read. */
const MAX_FILES = 5_000;
/** Maximum number of bytes of a file. Larger ones are skipped. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Matches the names of keys, databases and other secrets, which a package contains only by mistake. */
const SECRET_NAME_PATTERN =
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|sqlite|db)$|^id_(?:rsa|dsa|ecdsa|ed25519)|(?:secret|credential|password)/i;
/** Matches the paths of files that are shared even if `files` of the package does not list them. */
const ALWAYS_PUBLISHED_PATTERN = /^(?:package\.json|index\.[^/]+|readme[^/]*|licen[cs]e[^/]*)$/i;

/** The files of a package that a sandbox may see. */
export interface PublishedFiles {
  /** Relative paths of regular files. */
  readonly files: readonly string[];
  /** True if folders were left unread because `MAX_FILES` was reached. */
  readonly isIncomplete: boolean;
  /** The files, and the folders that were listed for them. If one of them changes, the answer may change. */
  readonly inspectedPaths: readonly string[];
}

/** The files below `folder`, which is absolute and free of links. Links in it are not followed. */
export async function readPublishedFiles(folder: string): Promise<PublishedFiles> {
  const isPublished = createPublishedTest(readTextInside(folder, 'package.json'));
  const [files, folders]: [string[], string[]] = [[], []];
  const queue = [''];
  for (
    let relativeFolder = queue.pop();
    relativeFolder !== undefined && files.length < MAX_FILES;
    relativeFolder = queue.pop()
  ) {
    folders.push(relativeFolder);
    for (const entry of await readdir(join(folder, relativeFolder), { withFileTypes: true })) {
      const path = relativeFolder === '' ? entry.name : `${relativeFolder}/${entry.name}`;
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || SECRET_NAME_PATTERN.test(entry.name)) continue;
      if (entry.isDirectory()) queue.push(path);
      else if (entry.isFile() && isPublished(path) && (await lstat(join(folder, path))).size <= MAX_FILE_BYTES)
        files.push(path);
    }
  }
  return { files, isIncomplete: queue.length > 0 && files.length >= MAX_FILES, inspectedPaths: [...folders, ...files] };
}

/**
 * Returns a function that is true for the paths that the package with this manifest publishes: by its `files`, its
 * entry points and its programs. Without `files`, it publishes everything.
 */
function createPublishedTest(text: string | null): (path: string) => boolean {
  const manifest = parseManifest(text);
  const patterns = manifest['files'];
  if (!Array.isArray(patterns)) return () => true;
  // A pattern counts as the folder before its first wildcard, which is wider than the pattern, and never wider than the
  // package.
  const folders = patterns
    .filter((pattern) => typeof pattern === 'string' && !pattern.startsWith('!'))
    .map((pattern: string) => pattern.split('/').filter((part) => part !== '' && part !== '.'))
    .map((parts) => parts.slice(0, findFirstWildcard(parts)).join('/'));
  const namedPaths = new Set(
    collectPaths([manifest['main'], manifest['module'], manifest['types'], manifest['bin'], manifest['exports']]),
  );
  return (path) =>
    ALWAYS_PUBLISHED_PATTERN.test(path) ||
    namedPaths.has(path) ||
    folders.some((folder) => folder === '' || path === folder || path.startsWith(`${folder}/`));
}

function findFirstWildcard(parts: readonly string[]): number {
  const index = parts.findIndex((part) => /[*?[{]/.test(part));
  return index < 0 ? parts.length : index;
}

/** All texts in a part of a manifest, at any depth, without `./` at their start. */
function collectPaths(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value.replace(/^\.\//, '')];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectPaths) : [];
}

function parseManifest(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // The text is not JSON, so it cannot name files to publish.
    return {};
  }
}
