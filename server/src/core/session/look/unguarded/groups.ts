// Divides the files of a search into groups, each of which one run of the tests covers.

import { GO } from '../../../verify/guard/go/findMutants.ts';
import { folderOf } from './otherLanguages.ts';

/**
 * Groups of up to `maxFiles` files in this order. Files of Go are grouped by package, since a package is built as a
 * whole.
 */
export function groupsOf(open: readonly string[], maxFiles: number): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const path of open) {
    const fits = (group: readonly string[]) =>
      group.length < maxFiles && (!GO.test(path) || (GO.test(group[0]!) && folderOf(group[0]!) === folderOf(path)));
    const group = GO.test(path) ? groups.find(fits) : groups.slice(-1).find(fits);
    if (group) group.push(path);
    else groups.push([path]);
  }
  return groups;
}
