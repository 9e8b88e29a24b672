// Names proposals, and finds the one that a person or an agent means by an id or a name.

import type { InboxItem } from '../../model/inbox.ts';

const MAX_NAME_CHARACTERS = 40;
const ID_FORM = /^[a-z]-[0-9a-f]{8}$/;

/** The item with this id; if there is none, those with this name. */
export function meantBy<T extends Pick<InboxItem, 'id' | 'name'>>(word: string, items: readonly T[]): readonly T[] {
  const own = items.filter(({ id }) => id === word);
  return own.length > 0 ? own : items.filter(({ name }) => name === word);
}

/** The name that an item gets: with the end of its id if another item has the name, or if it looks like an id. */
export function freeName({ id, name }: Pick<InboxItem, 'id' | 'name'>, others: Iterable<InboxItem>): string {
  const taken = ID_FORM.test(name) || [...others].some((other) => other.name === name && other.id !== id);
  const end = id.slice(1);
  return taken ? `${name.slice(0, MAX_NAME_CHARACTERS - end.length)}${end}` : name;
}
