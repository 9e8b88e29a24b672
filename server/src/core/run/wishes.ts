// Folds events into the queue of wishes: what a person wants done in unattended runs, in the order in which it is
// tried.

import type { AcceptanceFile } from '../model/acceptance.ts';
import type { NightEvent, WishEvent } from '../model/nights.ts';
import type { Millis } from '../model.ts';

/** The types of events that make up the queue. */
export const WISH_EVENTS = ['wishAdded', 'wishTested', 'wishDropped', 'wishFirst', 'nightWish'] as const;

export interface Wish {
  readonly id: string;
  readonly text: string;
  readonly at: Millis;
  /** The acceptance test that a person has accepted; empty = the person wants none; null = none was made yet. */
  readonly tests: readonly AcceptanceFile[] | null;
  /** The outcome of each try, oldest first. */
  readonly tries: readonly {
    readonly run: string;
    readonly reason: string | null;
    /** What was proposed, if anything was. */
    readonly proposal: string | null;
  }[];
}

type QueueEvent = (WishEvent | Extract<NightEvent, { readonly type: 'nightWish' }>) & { readonly at: Millis };

/** The wishes that are neither done nor dropped. */
export function openWishes(events: readonly QueueEvent[]): readonly Wish[] {
  let queue: readonly Wish[] = [];
  for (const { type, data, at } of events) {
    const known = queue.find(({ id }) => id === data.wish);
    const others = queue.filter(({ id }) => id !== data.wish);
    if (type === 'wishAdded') queue = [...others, { id: data.wish, text: data.text, at, tests: null, tries: [] }];
    else if (!known) continue;
    else if (type === 'wishFirst') queue = [known, ...others];
    else if (type === 'wishTested')
      queue = queue.map((wish) => (wish.id === known.id ? { ...wish, tests: data.tests } : wish));
    else if (type === 'wishDropped' || data.outcome === 'committed') queue = others;
    else {
      const tried = {
        ...known,
        tries: [...known.tries, { run: data.run, reason: data.reason, proposal: data.proposal }],
      };
      queue = queue.map((wish) => (wish.id === known.id ? tried : wish));
    }
  }
  return queue;
}
