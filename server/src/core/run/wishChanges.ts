// Changes of the queue of wishes, as events: for the command line and for editors.

import type { WishEvent } from '../model/nights.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { Wish } from './wishes.ts';

/** Maximum length of a wish, in characters. A longer text is a document, not a request. */
export const MAX_WISH_LENGTH = 4_000;

/** The id of a wish; `part` makes it unique. */
export const wishId = (part: string) => `w-${part}`;

/**
 * Events that add the trimmed texts that are not in the queue yet, each once. `newId` creates the part for `wishId`.
 * Throws `usage` for an empty text, and for a text longer than `MAX_WISH_LENGTH`.
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

/** Returns the id of the wish with this id or number (from 1). Throws `notFound`. */
export function resolveWishId(queue: readonly Wish[], name: string): string {
  const wish = queue.find(({ id }, index) => id === name || String(index + 1) === name);
  if (wish) return wish.id;
  throw new SelfwareError('notFound', `There is no wish ${name}.`, { action: 'Run `selfware tonight list`.' });
}
