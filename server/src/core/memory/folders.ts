// Lists folders in place of their files, for context windows that are too small to name every file.

import { estimateTokens } from '../../util/tokens.ts';

/** A folder that represents the files below it. */
export interface FolderEntry {
  /** Path of the folder, which ends with `/`; `./` is the root. */
  readonly path: string;
  readonly files: number;
  readonly tokens: number;
}

/** The deepest level of folders that is tried; levels above follow until the list fits the budget. */
const MAX_DEPTH = 8;

/**
 * The folders of the deepest level whose lines fit the budget, in tokens. Every file is below one of them. Empty if not
 * even the line of the root fits.
 */
export function createFolderEntries(paths: readonly string[], budget: number): readonly FolderEntry[] {
  for (let depth = MAX_DEPTH; depth >= 0; depth--) {
    const counts = new Map<string, number>();
    for (const path of paths) {
      const folder = findAncestor(path, depth);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const entries = [...counts]
      .map(([path, files]): FolderEntry => ({ path, files, tokens: estimateTokens(formatFolderLine(path, files)) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    if (entries.reduce((sum, { tokens }) => sum + tokens, 0) <= budget) return entries;
  }
  return [];
}

/** The line that represents a folder. */
export function formatFolderLine(path: string, files: number): string {
  return `${path} ${files === 1 ? '1 file' : `${files} files`}\n`;
}

function findAncestor(path: string, depth: number): string {
  const folders = path.split('/').slice(0, -1).slice(0, depth);
  return folders.length === 0 ? './' : `${folders.join('/')}/`;
}
