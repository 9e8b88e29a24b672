// Recognises iterators that the examined code creates, and reads their first values.

import { sources } from '../createValue.ts';

/** Maximum number of values that are taken from an iterator. */
const MAX_YIELDED = 50;

/** True for an iterator that the code has created. False for one that was created as an argument. */
export function isIteratorOfCode(value: unknown): value is Iterator<unknown> | AsyncIterator<unknown> {
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
  const yieldedValues: unknown[] = [];
  const createResult = (value: unknown) => ({ yields: yieldedValues, ends: value });
  if (Symbol.asyncIterator in iterator) {
    return (async () => {
      while (yieldedValues.length < MAX_YIELDED) {
        const step = await (iterator as AsyncIterator<unknown>).next();
        if (step.done) return createResult(step.value);
        yieldedValues.push(step.value);
      }
      return createResult('goes on');
    })();
  }
  while (yieldedValues.length < MAX_YIELDED) {
    const step = (iterator as Iterator<unknown>).next();
    if (step.done) return createResult(step.value);
    yieldedValues.push(step.value);
  }
  return createResult('goes on');
}
