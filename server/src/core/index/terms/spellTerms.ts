// Turns the packed terms of texts back into words, for stores that store words.

import { COUNT_BITS, MAX_COUNT } from '../search/postings.ts';
import type { PackedTerms } from './termPacker.ts';

const SPACE = 0x20;
/** Size in bytes of an array that many texts share; a larger text gets an array of its own size. */
const SHARED_BYTES = 256 * 1024;

/** The terms of a batch as UTF-8, each followed by a space, and the offset after each term and its space. */
interface SpelledTerms {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/** By batch: its terms as UTF-8. */
const spellingsByBatch = new WeakMap<PackedTerms, SpelledTerms>();
/** Shared by many texts, because a separate array would cost more than its content. */
let sharedBytes = new Uint8Array();
let usedBytes = 0;

/**
 * The terms of a text as UTF-8, separated by spaces, each as often as it occurs, equal ones next to each other.
 * Packing the result again yields the same entries and the same length. Counts are capped at `MAX_COUNT`; occurrences
 * above the cap are attributed to the first capped term. `textIndex`: index of the text in the batch. The result is
 * bytes, because the store needs bytes and a string would take ten times as long.
 */
export function spellTerms(batch: PackedTerms, textIndex: number): Uint8Array {
  const { bytes, ends } = spellBatch(batch);
  const { entries } = batch;
  const [from, to] = [batch.starts[textIndex]!, batch.starts[textIndex + 1]!];
  let uncounted = batch.lengths[textIndex]!;
  let neededBytes = 0;
  /** Length in bytes of the first term that has reached the largest count; 0 if none has. */
  let cappedLength = 0;
  for (let current = from; current < to; current++) {
    const entry = entries[current]!;
    const term = entry >>> COUNT_BITS;
    const length = ends[term]! - (term === 0 ? 0 : ends[term - 1]!);
    const count = entry & MAX_COUNT;
    uncounted -= count;
    neededBytes += count * length;
    if (count === MAX_COUNT && cappedLength === 0) cappedLength = length;
  }
  neededBytes += uncounted * cappedLength;
  if (usedBytes + neededBytes > sharedBytes.length)
    [sharedBytes, usedBytes] = [new Uint8Array(Math.max(SHARED_BYTES, neededBytes)), 0];
  const start = usedBytes;
  for (let current = from; current < to; current++) {
    const entry = entries[current]!;
    const term = entry >>> COUNT_BITS;
    const begin = term === 0 ? 0 : ends[term - 1]!;
    const end = ends[term]!;
    let count = entry & MAX_COUNT;
    if (count === MAX_COUNT) [count, uncounted] = [count + uncounted, 0];
    for (; count > 0; count--) for (let byte = begin; byte < end; byte++) sharedBytes[usedBytes++] = bytes[byte]!;
  }
  return sharedBytes.subarray(start, Math.max(start, usedBytes - 1));
}

/** The spelled terms of a batch, computed once. */
function spellBatch(batch: PackedTerms): SpelledTerms {
  const cached = spellingsByBatch.get(batch);
  if (cached) return cached;
  const bytes = Buffer.from(batch.terms === '' ? '' : `${batch.terms} `);
  const ends: number[] = [];
  for (let index = bytes.indexOf(SPACE); index >= 0; index = bytes.indexOf(SPACE, index + 1)) ends.push(index + 1);
  const spelling = { bytes, ends: Uint32Array.from(ends) };
  spellingsByBatch.set(batch, spelling);
  return spelling;
}
