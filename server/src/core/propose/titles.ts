// Makes titles of changes. The symbol comes first, so that a narrow list shows both the symbol and the change.

import { posix } from 'node:path';
import type { Opportunity } from '../model.ts';

/**
 * A title such as "grade: remove the else after return". For a name like `Shop.total`, the last part is used; without a
 * symbol, the name of the file.
 */
export function titleOf(
  { symbol, path }: Pick<Opportunity, 'symbol' | 'path'>,
  verbPhrase: string,
  about?: string,
): string {
  return `${about ?? symbol?.split('.').at(-1) ?? posix.basename(path)}: ${verbPhrase}`;
}

/** The titles of several changes in one line, in the order in which they were made; a repeated symbol is omitted. */
export function joinTitles(titles: readonly string[]): string {
  const distinctTitles = [...new Set(titles)];
  const shortTitles = distinctTitles.map((title, index) =>
    index > 0 && headOf(title) === headOf(distinctTitles[index - 1] ?? '') ? title.slice(headOf(title).length) : title,
  );
  return shortTitles.join('; ');
}

function headOf(title: string): string {
  return /^[^\s:]+: /.exec(title)?.[0] ?? '';
}
