// Recognises iterators that the examined code creates, and reads their first values.

import { sources } from '../createValue.ts';

/** Maximum number of values that are taken from an iterator. */
const MAX_YIELDED = 50;

/** True for an iterator that the code has created. False for one that was created as an argument. */
export function isOwnIterator(value: unknown): value is Iterator<unknown> | AsyncIterator<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { readonly next?: unknown }).next === 'function' &&
    (Symbol.iterator in value || Symbol.asyncIterator in value) &&
    !sources.has(value)
  );
}

/**
 * Reads at most `MAX_YIELDED` values of an iterator. Returns them as `yields`, with the final value or `goes on` as
 * `ends`. Returns a promise for an async iterator. Throws or rejects with the errors of the code.
 */
export function drainIterator(iterator: Iterator<unknown> | AsyncIterator<unknown>): unknown {
  const yielded: unknown[] = [];
  const end = (value: unknown) => ({ yields: yielded, ends: value });
  if (Symbol.asyncIterator in iterator) {
    return (async () => {
      while (yielded.length < MAX_YIELDED) {
        const step = await (iterator as AsyncIterator<unknown>).next();
        if (step.done) return end(step.value);
        yielded.push(step.value);
      }
      return end('goes on');
    })();
  }
  while (yielded.length < MAX_YIELDED) {
    const step = (iterator as Iterator<unknown>).next();
    if (step.done) return end(step.value);
    yielded.push(step.value);
  }
  return end('goes on');
}
