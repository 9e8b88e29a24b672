// Folds the ledger into the decisions about the items of the inbox: proposed tools, commands and skills.

import type { ChangedRules, InboxEvent, InboxItem, InboxVerdict } from '../../model/inbox.ts';
import type { Millis } from '../../model.ts';

/** An item with the newest decision about it. `rules`: those that applying a skill has changed. */
export interface DecidedItem {
  readonly item: InboxItem;
  readonly verdict: InboxVerdict;
  readonly reason: string | null;
  readonly at: Millis;
  readonly rules?: ChangedRules;
}

/** The newest decision about each item, by id. */
export function decidedItems(
  events: readonly (InboxEvent & { readonly at: Millis })[],
): ReadonlyMap<string, DecidedItem> {
  const decided = new Map<string, DecidedItem>();
  for (const { type, data, at } of events) if (type === 'inboxDecided') decided.set(data.item.id, { ...data, at });
  return decided;
}

/** Every item that was ever filed or decided, by id, as it was last recorded. */
export function knownItems(events: readonly InboxEvent[]): ReadonlyMap<string, InboxItem> {
  return new Map(events.map(({ data }) => [data.item.id, data.item]));
}
