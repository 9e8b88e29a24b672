// Shares with sandboxes the version files of Python packages: a build writes such a file, git ignores it, and the
// package imports it.

import { lstat, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { readInside } from '../files/safeRead.ts';
import { isInside } from './isInside.ts';
import type { RepositoryContent } from './repositoryContent.ts';

/** Matches the paths of manifests of Python packages. */
const MANIFEST_PATTERN = /(?:^|\/)(?:pyproject\.toml|setup\.cfg|setup\.py)$/;
/**
 * Matches a setting of hatch-vcs, setuptools-scm, PDM or the like that names the file, with its path as the first
 * group.
 */
const VERSION_FILE_PATTERN = /\b(?:version[-_]file|write[-_]to)["']?[ \t]*[=:][ \t]*["']?([\w./-]{1,200}\.py)\b/g;
/**
 * Matches the names of version files. A file with another name might contain something that must not leave the user's
 * tree.
 */
const VERSION_NAME_PATTERN = /^_{0,2}version(?:_info)?_{0,2}\.py$/i;
/** Maximum number of bytes of a manifest or a version file that is read. */
const MAX_BYTES = 1024 * 1024;

/**
 * Copies the version files that the manifests in `content` name, and that are not part of it, from `source` to `tree`.
 * `source`: the top of the user's tree. Skips files that are missing there, lead out of it or have another name than
 * version files.
 */
export async function shareVersionFiles(content: RepositoryContent, source: string, tree: string): Promise<void> {
  const contentFiles = new Set(content.files);
  for (const manifest of content.files.filter((path) => MANIFEST_PATTERN.test(path))) {
    for (const namedPath of await findNamedFiles(content.top, manifest)) {
      const path = posix.join(posix.dirname(manifest), namedPath);
      if (!contentFiles.has(path) && VERSION_NAME_PATTERN.test(posix.basename(path)))
        await copyInto(tree, path, source);
    }
  }
}

async function findNamedFiles(top: string, manifest: string): Promise<readonly string[]> {
  const bytes = await readInside(top, manifest, MAX_BYTES).catch(() => null);
  return bytes === null
    ? []
    : [...new TextDecoder().decode(bytes).matchAll(VERSION_FILE_PATTERN)].map(([, path = '']) => path);
}

/**
 * Copies the file at `path` from `source` to the tree, if its folder exists in the tree and its path there contains no
 * links. If the file is missing or cannot be read in `source`, a copy in the tree is removed.
 */
async function copyInto(tree: string, path: string, source: string): Promise<void> {
  const top = await realpath(tree);
  const target = join(top, path);
  const folder = await realpath(dirname(target)).catch(() => null);
  if (!isInside(top, dirname(target)) || folder !== dirname(target)) return;
  const bytes = await readInside(source, path, MAX_BYTES).catch(() => null);
  const isFolder = (await lstat(target).catch(() => null))?.isDirectory() ?? false;
  if (isFolder) return;
  await rm(target, { force: true });
  if (bytes !== null) await writeFile(target, bytes);
}
