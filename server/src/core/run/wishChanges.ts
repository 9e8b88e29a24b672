// Changes of the queue of wishes as events, for the command line and for editors: adds and moves wishes.

import type { WishEvent } from '../model/nights.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { Wish } from './wishes.ts';

/** The places that a wish can be moved to, in addition to a number. */
const WISH_PLACES = ['up', 'down', 'first', 'last'] as const;

/** Maximum length of a wish, in characters. A longer text is a document, not a request. */
export const MAX_WISH_LENGTH = 4_000;

/** The id of a wish. `part` must be unique among the wishes of the repository. */
export const wishId = (part: string) => `w-${part}`;

/**
 * Events that add the trimmed texts, each once. Texts that are already in the queue are skipped. `newId` creates the
 * unique part of an id. Throws `usage` for an empty text, and for a text longer than `MAX_WISH_LENGTH`.
 */
export function addWishes(queue: readonly Wish[], texts: readonly string[], newId: () => string): readonly WishEvent[] {
  const inQueue = new Set(queue.map(({ text }) => text));
  return [...new Set(texts.map((text) => text.trim()))]
    .filter((text) => !inQueue.has(text))
    .map((text) => {
      if (text === '' || text.length > MAX_WISH_LENGTH)
        throw new SelfwareError(
          'usage',
          `A wish has 1 to ${MAX_WISH_LENGTH} characters, and this one has ${text.length}.`,
        );
      return { type: 'wishAdded', data: { wish: wishId(newId()), text } };
    });
}

/** Returns the id of the wish with this id or number in the queue (from 1). Throws `notFound` if there is none. */
export function resolveWishId(queue: readonly Wish[], name: string): string {
  const wish = queue.find(({ id }, index) => id === name || String(index + 1) === name);
  if (wish) return wish.id;
  throw new SelfwareError('notFound', `There is no wish ${name}.`, { action: 'Run `selfware tonight list`.' });
}

/**
 * The event that moves the wish with this id or number to a place: one of `WISH_PLACES`, or a number from 1. Empty if
 * the wish is already there. Throws `notFound` if there is no such wish, and `usage` if `place` is neither.
 */
export function moveWish(queue: readonly Wish[], name: string, place: string): readonly WishEvent[] {
  const movedWishId = resolveWishId(queue, name);
  const currentIndex = queue.findIndex(({ id }) => id === movedWishId);
  const newIndex = Math.min(Math.max(0, findIndexOfPlace(place, currentIndex, queue.length)), queue.length - 1);
  if (newIndex === currentIndex) return [];
  const nextWishId = queue.filter(({ id }) => id !== movedWishId)[newIndex]?.id ?? null;
  return [{ type: 'wishMoved', data: { wish: movedWishId, before: nextWishId } }];
}

/**
 * The index of a place, which may lie outside of the queue. Throws `usage` if `place` is neither a word nor a number.
 */
function findIndexOfPlace(place: string, from: number, length: number): number {
  const indexes: Readonly<Record<(typeof WISH_PLACES)[number], number>> = {
    up: from - 1,
    down: from + 1,
    first: 0,
    last: length - 1,
  };
  const wishPlace = WISH_PLACES.find((word) => word === place);
  if (wishPlace) return indexes[wishPlace];
  if (/^[1-9]\d{0,8}$/.test(place)) return Number(place) - 1;
  throw new SelfwareError('usage', `A wish cannot be moved to ${place}.`, {
    action: `Say ${WISH_PLACES.join(', ')}, or its new number.`,
  });
}
