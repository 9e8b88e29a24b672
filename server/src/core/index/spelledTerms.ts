// Terms of packed texts as words again, for who stores or embeds them as such.

import { COUNT_BITS, MAX_COUNT } from './search/postings.ts';
import type { PackedTerms } from './termPacker.ts';

const wordsOf = new WeakMap<PackedTerms, readonly string[]>();

/** The terms of a batch by their numbers. */
export function termsIn(batch: PackedTerms): readonly string[] {
  let words = wordsOf.get(batch);
  if (!words) wordsOf.set(batch, (words = batch.terms === '' ? [] : batch.terms.split(' ')));
  return words;
}

/**
 * Separated by blanks, each as often as it occurs, equal ones side by side: counted again they give the same entries and the same
 * length. What was beyond the largest count is added to one that had reached it.
 */
export function spelledTerms(batch: PackedTerms, text: number): string {
  const words = termsIn(batch);
  const to = batch.starts[text + 1]!;
  let uncounted = batch.lengths[text]!;
  for (let at = batch.starts[text]!; at < to; at++) uncounted -= batch.entries[at]! & MAX_COUNT;
  let spelled = '';
  for (let at = batch.starts[text]!; at < to; at++) {
    const entry = batch.entries[at]!;
    const word = words[entry >>> COUNT_BITS]!;
    let count = entry & MAX_COUNT;
    if (count === MAX_COUNT) [count, uncounted] = [count + uncounted, 0];
    for (; count > 0; count--) spelled += spelled === '' ? word : ` ${word}`;
  }
  return spelled;
}
