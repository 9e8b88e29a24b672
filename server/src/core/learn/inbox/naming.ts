// Names the items of the inbox, and finds an item by its id or name.

import type { InboxItem } from '../../model/inbox.ts';

/** Maximum number of characters of a name. */
const MAX_NAME_CHARACTERS = 40;
/** Matches the form of ids, which no name may have. */
const ID_FORM = /^[a-z]-[0-9a-f]{8}$/;

/** The items with this id or, if there is none, with this name; empty if there is neither. */
export function findItems<T extends Pick<InboxItem, 'id' | 'name'>>(
  idOrName: string,
  items: readonly T[],
): readonly T[] {
  const itemsById = items.filter(({ id }) => id === idOrName);
  return itemsById.length > 0 ? itemsById : items.filter(({ name }) => name === idOrName);
}

/**
 * The unique name of an item. The end of its id is added if another item has the name, or if the name looks like an
 * id.
 */
export function createUniqueName(
  { id, name }: Pick<InboxItem, 'id' | 'name'>,
  otherItems: Iterable<InboxItem>,
): string {
  const isTaken =
    ID_FORM.test(name) || [...otherItems].some((candidate) => candidate.name === name && candidate.id !== id);
  const end = id.slice(1);
  return isTaken ? `${name.slice(0, MAX_NAME_CHARACTERS - end.length)}${end}` : name;
}
