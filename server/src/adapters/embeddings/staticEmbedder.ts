// Computes vectors from a table of terms: the weighted sum of the rows of a text's terms. It needs neither a network
// nor the runtime of a model.

import { extractTerms } from '../../core/index/terms/terms.ts';
import { throwIfCancelled } from '../../util/typedError.ts';
import { normaliseVector } from './unitLength.ts';
import type { Embedder, TermTable } from '../../core/ports/search.ts';

/** Creates the embedder. Repeated terms count by their logarithm, as in the training of the table. */
export function createStaticEmbedder(table: TermTable): Embedder {
  return {
    profile: table.profile,
    source: 'terms',
    dimensions: table.dimensions,
    table,
    embedTerms: (chunks) => chunks.map((terms) => embedTerms(table, terms.split(' '))),
    async embed(texts, signal) {
      throwIfCancelled(signal);
      return texts.map((text) => embedTerms(table, extractTerms(text)));
    },
  };
}

/** The vector of these terms. Its length is 1, even if the table has none of them. */
export function embedTerms(table: TermTable, terms: readonly string[]): Float32Array {
  // After sorting, equal rows are adjacent, which is cheaper than a map from rows to counts.
  const rows = new Int32Array(terms.length);
  for (let index = 0; index < terms.length; index++) rows[index] = table.row(terms[index]!);
  rows.sort();
  const weights = new Float32Array(terms.length);
  let usedTokens = 0;
  for (let index = 0; index < rows.length; ) {
    const row = rows[index]!;
    let next = index + 1;
    while (next < rows.length && rows[next] === row) next++;
    if (row >= 0) {
      rows[usedTokens] = row;
      weights[usedTokens++] = 1 + Math.log(next - index);
    }
    index = next;
  }
  return normaliseVector(table.sum(rows, weights, usedTokens));
}
