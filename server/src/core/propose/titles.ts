// Creates titles of changes: imperative sentences, as in commit messages.

import { posix } from 'node:path';
import { capitalise } from '../../util/visible.ts';
import type { Opportunity } from '../model.ts';

/**
 * Creates a title such as “Remove an unneeded else in grade”. The name of the place is added unless the phrase contains
 * it: the last part of a symbol like `Shop.total` or, without a symbol, the name of the file.
 */
export function createTitle(
  { symbol, path }: Pick<Opportunity, 'symbol' | 'path'>,
  { title, namesPlace = false }: { readonly title: string; readonly namesPlace?: boolean },
): string {
  return capitalise(namesPlace ? title : `${title} in ${symbol?.split('.').at(-1) ?? posix.basename(path)}`);
}

/**
 * Joins the titles of several changes in one line, in the order in which the changes were made. If consecutive titles
 * name the same place, only the last of them names it.
 */
export function joinTitles(titles: readonly string[]): string {
  const distinctTitles = [...new Set(titles)];
  return distinctTitles
    .map((title, index) => {
      const place = readPlace(title);
      const nextTitle = distinctTitles[index + 1];
      const shortTitle =
        nextTitle !== undefined && place === readPlace(nextTitle) ? title.slice(0, title.length - place.length) : title;
      return index === 0 ? shortTitle : shortTitle.charAt(0).toLowerCase() + shortTitle.slice(1);
    })
    .join('; ');
}

/** The end of a title that names its place, such as “ in grade”; empty if there is none. */
function readPlace(title: string): string {
  return / in \S+$/.exec(title)?.[0] ?? '';
}
