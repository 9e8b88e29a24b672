// Divides a repository into modules: its folders, split according to the size of their code.

import type { FileRecord } from '../../ports/catalogue.ts';

/** A folder with the files of its module. */
export interface Folder {
  /** Without a trailing `/`; `.` is the root. */
  readonly path: string;
  readonly files: readonly FileRecord[];
}

/** Maximum number of modules, so that a reader can keep an overview of them. */
const MAX_MODULES = 50;
/** A folder with more than this share of the code is split into its subfolders. */
const LARGE_SHARE = 0.04;

/**
 * Divides the files into modules, sorted by path. Every file belongs to exactly one module: the deepest one that
 * contains it.
 */
export function divideIntoModules(records: readonly FileRecord[]): Folder[] {
  const total = countCodeTokens(records);
  let folders: Folder[] = [{ path: '.', files: records }];
  const unsplitFolders = new Set<Folder>();
  for (;;) {
    const [largest] = folders
      .filter((folder) => !unsplitFolders.has(folder))
      .sort((a, b) => countCodeTokens(b.files) - countCodeTokens(a.files));
    if (!largest || (largest.path !== '.' && countCodeTokens(largest.files) <= total * LARGE_SHARE)) break;
    const parts = splitByChild(largest).map(skipWrapperFolders);
    if (parts.length <= 1 || folders.length - 1 + parts.length > MAX_MODULES) unsplitFolders.add(largest);
    else folders = [...folders.filter((folder) => folder !== largest), ...parts];
  }
  return folders.filter(({ files }) => files.length > 0).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Replaces a folder that only contains another folder by the inner one. */
function skipWrapperFolders(folder: Folder): Folder {
  const parts = splitByChild(folder);
  return parts.length === 1 && parts[0]!.path !== folder.path ? skipWrapperFolders(parts[0]!) : folder;
}

/**
 * The folder's own files as one folder, and each direct subfolder as another folder. Folders without files are omitted.
 */
function splitByChild({ path, files }: Folder): Folder[] {
  const prefix = path === '.' ? '' : `${path}/`;
  const parts = new Map<string, FileRecord[]>();
  for (const record of files) {
    const relativePath = record.path.slice(prefix.length);
    const slash = relativePath.indexOf('/');
    const part = slash < 0 ? path : prefix + relativePath.slice(0, slash);
    const records = parts.get(part);
    if (records) records.push(record);
    else parts.set(part, [record]);
  }
  return [...parts].map(([part, records]) => ({ path: part, files: records }));
}

/** Number of tokens in source files that are not generated. */
function countCodeTokens(records: readonly FileRecord[]): number {
  return records.reduce(
    (sum, { language, generated, tokens }) => sum + (language !== null && !generated ? tokens : 0),
    0,
  );
}
