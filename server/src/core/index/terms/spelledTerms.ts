// Turns the packed terms of texts back into words, for stores that keep words.

import { COUNT_BITS, MAX_COUNT } from '../search/postings.ts';
import type { PackedTerms } from './termPacker.ts';

const BLANK = 0x20;
/** Size in bytes of an array that many texts share; a larger text gets an array of its own size. */
const SHARED_BYTES = 256 * 1024;

/** The terms of a batch as UTF-8, each followed by a blank, and the end of each, its blank included. */
interface Spelling {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

const spellings = new WeakMap<PackedTerms, Spelling>();
/** Shared by many texts, because an array of its own would cost more than its content. */
let shared = new Uint8Array();
let usedBytes = 0;

/**
 * The terms of a text as UTF-8, separated by blanks, each as often as it occurs, equal ones side by side. Counting them
 * again gives the same entries and the same length. An entry counts up to `MAX_COUNT` only; the occurrences beyond it
 * are written as occurrences of the first term with that count. `text`: number of the text in the batch. Bytes instead
 * of a string, because strings cost ten times as much and the store needs bytes.
 */
export function spelledTerms(batch: PackedTerms, text: number): Uint8Array {
  const { bytes, ends } = spellingOf(batch);
  const { entries } = batch;
  const [from, to] = [batch.starts[text]!, batch.starts[text + 1]!];
  let uncounted = batch.lengths[text]!;
  let neededBytes = 0;
  /** Length in bytes of the first term that has reached the largest count; 0 if none has. */
  let cappedLength = 0;
  for (let at = from; at < to; at++) {
    const entry = entries[at]!;
    const number = entry >>> COUNT_BITS;
    const length = ends[number]! - (number === 0 ? 0 : ends[number - 1]!);
    const count = entry & MAX_COUNT;
    uncounted -= count;
    neededBytes += count * length;
    if (count === MAX_COUNT && cappedLength === 0) cappedLength = length;
  }
  neededBytes += uncounted * cappedLength;
  if (usedBytes + neededBytes > shared.length)
    [shared, usedBytes] = [new Uint8Array(Math.max(SHARED_BYTES, neededBytes)), 0];
  const start = usedBytes;
  for (let at = from; at < to; at++) {
    const entry = entries[at]!;
    const number = entry >>> COUNT_BITS;
    const begin = number === 0 ? 0 : ends[number - 1]!;
    const end = ends[number]!;
    let count = entry & MAX_COUNT;
    if (count === MAX_COUNT) [count, uncounted] = [count + uncounted, 0];
    for (; count > 0; count--) for (let byte = begin; byte < end; byte++) shared[usedBytes++] = bytes[byte]!;
  }
  return shared.subarray(start, Math.max(start, usedBytes - 1));
}

function spellingOf(batch: PackedTerms): Spelling {
  const cached = spellings.get(batch);
  if (cached) return cached;
  const bytes = Buffer.from(batch.terms === '' ? '' : `${batch.terms} `);
  const ends: number[] = [];
  for (let at = bytes.indexOf(BLANK); at >= 0; at = bytes.indexOf(BLANK, at + 1)) ends.push(at + 1);
  const spelling = { bytes, ends: Uint32Array.from(ends) };
  spellings.set(batch, spelling);
  return spelling;
}
