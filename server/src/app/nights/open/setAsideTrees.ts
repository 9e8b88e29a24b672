// Names and lists the trees of runs that were moved aside because git could not read them. They are not removed,
// because they may contain the only copy of a file or a commit.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { measureBytes } from '../../../adapters/files/folderSize.ts';
import type { SetAsideTree } from '../../../core/run/nightTypes.ts';

/** The name of a tree that was moved aside, with the parts of its time. */
const NAME = /^tree-unreadable-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/;

/** The folder for a tree that is moved aside at this time. */
export function createSetAsideFolder(tree: string, at: Date): string {
  return `${tree}-unreadable-${at.toISOString().replaceAll(/[:.]/g, '-')}`;
}

/** The trees that were moved aside, oldest first. `folder`: the folder of a repository's runs. */
export async function listSetAsideTrees(folder: string): Promise<readonly SetAsideTree[]> {
  const names = await readdir(folder).catch(() => []);
  const trees = await Promise.all(
    names.map(async (name) => {
      const [, hour, minute, second, millis] = NAME.exec(name) ?? [];
      if (hour === undefined) return [];
      const tree = join(folder, name);
      const at = Date.parse(`${hour}:${minute}:${second}.${millis}Z`);
      return [{ folder: tree, at, bytes: await measureBytes(tree) }];
    }),
  );
  return trees.flat().toSorted((a, b) => a.at - b.at);
}
