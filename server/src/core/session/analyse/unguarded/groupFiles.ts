// Divides the files of a search into groups, each of which one run of the tests covers.

import { GO_FILE } from '../../../verify/guard/go/findMutants.ts';
import { folderOf } from './otherLanguages.ts';

/**
 * Groups of up to `maxFiles` files. The order is kept, except that Go files join the earlier group of their package,
 * because a package is built as a whole.
 */
export function groupFiles(paths: readonly string[], maxFiles: number): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const path of paths) {
    const fits = (group: readonly string[]) =>
      group.length < maxFiles &&
      (!GO_FILE.test(path) || (GO_FILE.test(group[0]!) && folderOf(group[0]!) === folderOf(path)));
    // Other files only fill the last group, so that the order is kept.
    const group = GO_FILE.test(path) ? groups.find(fits) : groups.slice(-1).find(fits);
    if (group) group.push(path);
    else groups.push([path]);
  }
  return groups;
}
