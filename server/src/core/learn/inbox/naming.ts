// Gives items of the inbox their names, and finds an item by its id or name.

import type { InboxItem } from '../../model/inbox.ts';

const MAX_NAME_CHARACTERS = 40;
/** The form of ids, which no name may have. */
const ID_FORM = /^[a-z]-[0-9a-f]{8}$/;

/** The items with this id or, if there is none, with this name; empty if there is neither. */
export function itemsNamed<T extends Pick<InboxItem, 'id' | 'name'>>(word: string, items: readonly T[]): readonly T[] {
  const itemsById = items.filter(({ id }) => id === word);
  return itemsById.length > 0 ? itemsById : items.filter(({ name }) => name === word);
}

/** The unique name of an item: with the end of its id if another item has the name, or if the name looks like an id. */
export function freeName({ id, name }: Pick<InboxItem, 'id' | 'name'>, others: Iterable<InboxItem>): string {
  const taken = ID_FORM.test(name) || [...others].some((other) => other.name === name && other.id !== id);
  const end = id.slice(1);
  return taken ? `${name.slice(0, MAX_NAME_CHARACTERS - end.length)}${end}` : name;
}
