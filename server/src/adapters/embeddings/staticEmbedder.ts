// Vectors from a table of terms: the weighted sum of the rows of a text's terms. No network, no model runtime.

import type { Embedder, TermTable } from '../../core/indexPorts.ts';
import { termsOf } from '../../core/index/terms.ts';
import { throwIfCancelled } from '../../util/typedError.ts';
import { toUnitLength } from './unitLength.ts';

/** Repeats of a term count by their logarithm, as in the training of the table. */
export function createStaticEmbedder(table: TermTable): Embedder {
  return {
    profile: table.profile,
    dimensions: table.dimensions,
    async embed(texts, signal) {
      throwIfCancelled(signal);
      return texts.map((text) => embedTerms(table, termsOf(text)));
    },
  };
}

/** Of length 1, also where the table knows none of the terms. */
export function embedTerms(table: TermTable, terms: readonly string[]): Float32Array {
  const counts = new Map<number, number>();
  for (const term of terms) {
    const row = table.row(term);
    if (row >= 0) counts.set(row, (counts.get(row) ?? 0) + 1);
  }
  const vector = new Float32Array(table.dimensions);
  for (const [row, count] of counts) table.addTo(vector, row, 1 + Math.log(count));
  return toUnitLength(vector);
}
