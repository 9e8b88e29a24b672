// Finds the installed copies of a removed dependency that nothing else needs, so that checks run without them.

import { posix } from 'node:path';
import { listAncestors } from '../../model/lockFiles.ts';
import { findRemovedDependency, parseManifestTable, type RemovedDependency } from '../../model/removedDependency.ts';
import type { FileEdit } from '../../model.ts';
import { PACKAGE_LISTS, readNeededNames } from '../../verify/packageDependents.ts';
import type { SessionContext } from '../context.ts';
import { readTextOrNull } from '../search/packing.ts';
import { isWithin } from '../../../util/pathWithin.ts';

/** Tables of a manifest that install a package or require it. */
const DECLARING_TABLES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
/** Maximum size of a package.json. A larger one was not written by a person. */
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;

/**
 * The copies of a removed dependency that are superfluous with the edits, as paths from the root; none if the edits
 * remove no dependency. Omits copies that another manifest declares, or that another installed package may need.
 * Without a complete and readable list of installed packages, all copies may be needed.
 */
export async function findAbsentPackages(
  context: SessionContext,
  edits: readonly FileEdit[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const removedDependency = findRemovedDependency(edits);
  if (removedDependency === null || (await canBeNeeded(context, removedDependency))) return [];
  const declaringFolders = await findDeclaringFolders(context, edits, removedDependency.name, signal);
  return listAncestors(removedDependency.dir)
    .filter((folder) => !declaringFolders.some((declaringFolder) => isWithin(declaringFolder, [folder])))
    .map((folder) => posix.join(folder, 'node_modules', removedDependency.name));
}

/** True if an installed package requires the removed package, or if that is unknown. */
async function canBeNeeded(context: SessionContext, { dir, name }: RemovedDependency): Promise<boolean> {
  let isKnown = false;
  for (const path of listAncestors(dir).flatMap((folder) =>
    PACKAGE_LISTS.map((listName) => posix.join(folder, listName)),
  )) {
    if ((await context.ports.files.stat(path)) === null) continue;
    const text = await readTextOrNull(context, path);
    const neededNames = text === null ? null : readNeededNames(path, text);
    if (neededNames === null || neededNames.has(name)) return true;
    isKnown = true;
  }
  return !isKnown;
}

/** Folders of the manifests that require the package once the edits are made. */
async function findDeclaringFolders(
  context: SessionContext,
  edits: readonly FileEdit[],
  name: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { files } = await context.ports.files.walk({ maxBytes: MAX_MANIFEST_BYTES, exclude: [] }, signal);
  const manifests: string[] = [];
  for (const { path } of files) {
    const parts = path.split('/');
    if (parts.at(-1) !== 'package.json' || parts.includes('node_modules')) continue;
    const edit = edits.find((candidate) => candidate.path === path);
    const text = edit ? edit.after : await readTextOrNull(context, path);
    const folder = posix.dirname(path);
    if (text !== null && declaresPackage(text, name)) manifests.push(folder === '.' ? '' : folder);
  }
  return manifests;
}

/** True if the manifest requires the package, or cannot be parsed. */
function declaresPackage(text: string, name: string): boolean {
  const manifest = parseManifestTable(text);
  return manifest === null || DECLARING_TABLES.some((table) => Object.hasOwn(Object(manifest[table]) as object, name));
}
