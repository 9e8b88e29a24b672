// Folds the ledger into the decisions on the items of the inbox: proposed tools, commands and skills.

import type { ChangedRules, InboxEvent, InboxItem, InboxVerdict } from '../../model/inbox.ts';
import type { Millis } from '../../model.ts';

/** An item with the newest decision on it. `rules`: the rules that were changed by applying a skill. */
export interface DecidedItem {
  readonly item: InboxItem;
  readonly verdict: InboxVerdict;
  readonly reason: string | null;
  readonly at: Millis;
  readonly rules?: ChangedRules;
}

/** The newest decision on each item, by id. */
export function foldDecisions(
  events: readonly (InboxEvent & { readonly at: Millis })[],
): ReadonlyMap<string, DecidedItem> {
  const decisions = new Map<string, DecidedItem>();
  for (const { type, data, at } of events) if (type === 'inboxDecided') decisions.set(data.item.id, { ...data, at });
  return decisions;
}

/** Every item that was ever filed or decided, by id, in its last recorded form. */
export function foldItems(events: readonly InboxEvent[]): ReadonlyMap<string, InboxItem> {
  return new Map(events.map(({ data }) => [data.item.id, data.item]));
}
