// Terms of packed texts as words again, for who stores them as such.

import { COUNT_BITS, MAX_COUNT } from './search/postings.ts';
import type { PackedTerms } from './termPacker.ts';

const BLANK = 0x20;

/** The terms of a batch as UTF-8, one after the other with a blank behind each; the end of each, its blank included. */
interface Spelling {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

const spellings = new WeakMap<PackedTerms, Spelling>();
let room = new Uint8Array(16_384);

/**
 * As UTF-8, separated by blanks, each as often as it occurs, equal ones side by side: counted again they give the same entries and the
 * same length. What was beyond the largest count is added to one that had reached it. Bytes, because a string for every text costs ten
 * times as much, and who stores it makes bytes of it.
 */
export function spelledTerms(batch: PackedTerms, text: number): Uint8Array {
  const { bytes, ends } = spellingOf(batch);
  const [from, to] = [batch.starts[text]!, batch.starts[text + 1]!];
  let uncounted = batch.lengths[text]!;
  for (let at = from; at < to; at++) uncounted -= batch.entries[at]! & MAX_COUNT;
  let used = 0;
  for (let at = from; at < to; at++) {
    const entry = batch.entries[at]!;
    const number = entry >>> COUNT_BITS;
    const begin = number === 0 ? 0 : ends[number - 1]!;
    const end = ends[number]!;
    let count = entry & MAX_COUNT;
    if (count === MAX_COUNT) [count, uncounted] = [count + uncounted, 0];
    const needed = used + count * (end - begin);
    if (needed > room.length) room = grown(room, needed);
    for (; count > 0; count--) for (let byte = begin; byte < end; byte++) room[used++] = bytes[byte]!;
  }
  return room.slice(0, Math.max(0, used - 1));
}

function spellingOf(batch: PackedTerms): Spelling {
  const known = spellings.get(batch);
  if (known) return known;
  const bytes = Buffer.from(batch.terms === '' ? '' : `${batch.terms} `);
  const ends: number[] = [];
  for (let at = bytes.indexOf(BLANK); at >= 0; at = bytes.indexOf(BLANK, at + 1)) ends.push(at + 1);
  const spelling = { bytes, ends: Uint32Array.from(ends) };
  spellings.set(batch, spelling);
  return spelling;
}

/** At least twice as large. */
function grown(bytes: Uint8Array<ArrayBuffer>, least: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(least, bytes.length * 2));
  larger.set(bytes);
  return larger;
}
