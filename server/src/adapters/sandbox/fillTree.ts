// Fills a sandbox's tree with the repository's content, and later updates it by changing only the differences. Files
// that cannot be read are skipped.

import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { copyTree } from './copyTree.ts';
import { sharePackages, type PackageSharing, type SharedPackages } from './sharePackages.ts';
import { createPrivateRepository } from './privateRepository.ts';
import { removeTree } from './removeTree.ts';
import type { RepositoryContent } from './repositoryContent.ts';
import { shareVersionFiles } from './versionFiles.ts';
import { collectStamps, readStamps, type Stamps } from './fileStamps.ts';
import type { Log } from '../../core/ports/system.ts';
import { isInside } from './isInside.ts';

/** The content of a filled tree, and the state of its entries right after filling. */
export interface FilledTree {
  readonly content: RepositoryContent;
  /** Stamps of the files in the user's tree, read before they were copied. */
  readonly sourceStamps: Stamps;
  readonly sharedPackages: SharedPackages;
  readonly sharing: PackageSharing;
  /** Stamps of all entries of the sandbox's tree after it was filled. */
  readonly treeStamps: Stamps;
}

/** The place and the packages for filling a sandbox's tree. */
export interface FillParts {
  readonly tree: string;
  /** Absolute path of a folder that is not copied. */
  readonly excludedDir: string;
  readonly sharing: PackageSharing;
  readonly log: Log;
}

/** Fills `tree`, which must exist and be empty: a private repository, the files, and the shared packages. */
export async function fillTree(
  content: RepositoryContent,
  { tree, excludedDir, sharing, log }: FillParts,
  signal: AbortSignal,
): Promise<FilledTree> {
  const files = selectFilesToCopy(content, excludedDir);
  await createPrivateRepository(tree, content, signal);
  const sources = await readStamps(content.top, files);
  await copyTree(content, files, tree, log, signal);
  const sharedPackages = await sharePackages(content, tree, sharing, log);
  await shareVersionFiles(content, sharing.packagesOf ?? content.top, tree);
  mkdirSync(join(tree, content.prefix), { recursive: true });
  return { content, sourceStamps: sources, sharedPackages, sharing, treeStamps: await collectStamps(tree) };
}

/** Leaves the tree without files of the repository and without shared packages, for commands that need neither. */
export async function fillEmptyTree(
  content: RepositoryContent,
  { tree, sharing, log }: FillParts,
): Promise<FilledTree> {
  const noPackages: PackageSharing = {
    ...sharing,
    storedTrees: [],
    sharesInstalled: false,
    programs: [],
    shownFolders: [],
  };
  const sharedPackages = await sharePackages(content, tree, noPackages, log);
  return {
    content,
    sourceStamps: new Map(),
    sharedPackages,
    sharing: noPackages,
    treeStamps: await collectStamps(tree),
  };
}

/**
 * Undoes everything that was written, created, removed or linked in the tree since it was filled, and copies changes of
 * the user's tree. Nothing in the tree is executed or trusted, least of all its private repository.
 */
export async function refillTree(
  filled: FilledTree,
  content: RepositoryContent,
  { tree, excludedDir, sharing, log }: FillParts,
  signal: AbortSignal,
): Promise<FilledTree> {
  const files = selectFilesToCopy(content, excludedDir);
  const [sources, currentEntries] = [await readStamps(content.top, files), await collectStamps(tree)];
  const isUntouched = (path: string) =>
    currentEntries.get(path) !== undefined && currentEntries.get(path) === filled.treeStamps.get(path);
  const changedPaths = [...new Set([...currentEntries.keys(), ...filled.treeStamps.keys()])]
    .filter((path) => !isUntouched(path))
    // A folder comes before its contents, so that a link in place of the folder is removed before anything behind it is
    // looked up.
    .sort();

  const storedTreePaths = new Set(filled.sharing.storedTrees.map(({ path }) => path));
  const isManagedBySharing = (path: string) =>
    isInNodeModules(path) || [...storedTreePaths].some((folder) => isInsideRelative(folder, path));
  const isRepositoryCurrent =
    isDeepStrictEqual(collectGitState(filled.content), collectGitState(content)) &&
    !changedPaths.some((path) => isInsideRelative('.git', path));
  const arePackagesCurrent =
    (await filled.sharedPackages.isCurrent()) &&
    isDeepStrictEqual(filled.sharing, sharing) &&
    isDeepStrictEqual(listManifests(filled.content), listManifests(content)) &&
    !changedPaths.some(isManagedBySharing);
  for (const path of changedPaths)
    if (!isInsideRelative('.git', path) && !isManagedBySharing(path)) await removeAny(tree, path);
  // Files that are no longer part of the repository, and folders that only contained such files.
  const obsoletePaths = [...filled.sourceStamps.keys()].filter((path) => !sources.has(path));
  for (const path of obsoletePaths) await removeAny(tree, path);
  if (!arePackagesCurrent)
    for (const path of currentEntries.keys())
      if (/(^|\/)node_modules$/.test(path) || storedTreePaths.has(path)) await removeAny(tree, path);
  if (!isRepositoryCurrent) {
    await removeAny(tree, '.git');
    await createPrivateRepository(tree, content, signal);
  }
  const changedPathSet = new Set(changedPaths);
  const pathsToCopy = files.filter(
    (path) =>
      sources.get(path) !== filled.sourceStamps.get(path) ||
      !isUntouched(path) ||
      listFoldersAbove(path).some((folder) => changedPathSet.has(folder)) ||
      (!arePackagesCurrent && isManagedBySharing(path)),
  );
  for (const path of pathsToCopy) await removeAny(tree, path);
  await copyTree(content, pathsToCopy, tree, log, signal);
  const sharedPackages = arePackagesCurrent ? filled.sharedPackages : await sharePackages(content, tree, sharing, log);
  await removeEmptyFolders(tree, content, obsoletePaths);
  await shareVersionFiles(content, sharing.packagesOf ?? content.top, tree);
  mkdirSync(join(tree, content.prefix), { recursive: true });
  return { content, sourceStamps: sources, sharedPackages, sharing, treeStamps: await collectStamps(tree) };
}

/** The files to copy: all files of the content, except those below the excluded folder. */
function selectFilesToCopy(content: RepositoryContent, excludedDir: string): string[] {
  return content.files.filter((path) => !isInside(excludedDir, join(content.top, path)));
}

function collectGitState({ head, objectFormat, objects, shallow, refs }: RepositoryContent): unknown {
  return [head, objectFormat, objects, shallow, refs];
}

function listManifests({ files, prefix, top }: RepositoryContent): unknown {
  return [top, prefix, files.filter((path) => /(^|\/)package\.json$/.test(path))];
}

function isInsideRelative(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function isInNodeModules(path: string): boolean {
  return path.split('/').includes('node_modules');
}

/** Removes a file, a link, or a folder with its contents. */
async function removeAny(tree: string, path: string): Promise<void> {
  try {
    rmSync(join(tree, path), { force: true });
  } catch {
    // The entry is a folder, or is not writable.
    await removeTree(join(tree, path));
  }
}

/**
 * Removes the folders above removed files, except those that contain a file or a submodule of the content, or are one.
 */
async function removeEmptyFolders(
  tree: string,
  content: RepositoryContent,
  obsoletePaths: readonly string[],
): Promise<void> {
  const neededFolders = new Set(content.submodules.flatMap(listFoldersAbove).concat(content.submodules));
  for (const path of content.files) for (const folder of listFoldersAbove(path)) neededFolders.add(folder);
  for (const folder of new Set(obsoletePaths.flatMap(listFoldersAbove)))
    if (!neededFolders.has(folder)) await removeAny(tree, folder);
}

function listFoldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.push(folder);
  return folders;
}
