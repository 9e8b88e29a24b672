// Translates the term numbers of a batch of parsed files to the term numbers of the index in memory.

import type { PackedTerms } from '../terms/termPacker.ts';
import { COUNT_BITS, MAX_COUNT } from './postings.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Gives the terms of the texts of a batch, by their numbers in the index. */
export interface BatchNumbers {
  /**
   * The terms of one text of a batch, each packed with its count. `text`: its index in the batch. `length`: the number
   * of occurrences of all terms. `terms` is valid until the next call.
   */
  termsOf(batch: PackedTerms, text: number): { readonly terms: Uint32Array; readonly length: number };
}

/** Creates the translation. Each term of a batch is looked up once, however many texts have it. */
export function createBatchNumbers(vocabulary: Vocabulary): BatchNumbers {
  const cache = new WeakMap<PackedTerms, Int32Array>();
  const numbersOf = (batch: PackedTerms): Int32Array => {
    let numbers = cache.get(batch);
    if (!numbers) cache.set(batch, (numbers = vocabulary.numbers(batch.terms)));
    return numbers;
  };
  let termBuffer = new Uint32Array(256);
  return {
    termsOf(batch, text) {
      const numbers = numbersOf(batch);
      const from = batch.starts[text]!;
      const count = batch.starts[text + 1]! - from;
      if (count > termBuffer.length) termBuffer = new Uint32Array(count * 2);
      for (let index = 0; index < count; index++)
        termBuffer[index] =
          ((numbers[batch.entries[from + index]! >>> COUNT_BITS]! << COUNT_BITS) |
            (batch.entries[from + index]! & MAX_COUNT)) >>>
          0;
      const terms = termBuffer.subarray(0, count);
      return { terms, length: batch.lengths[text]! };
    },
  };
}
