// The vector of a text from a table of terms.

import type { TermTable } from '../../indexPorts.ts';
import { COUNT_BITS, MAX_COUNT } from './postings.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface TextVectors {
  readonly dimensions: number;
  /** Of length 1, or null when the table knows none of the terms. */
  of(packed: Uint32Array): Float32Array | null;
  ofQuestion(terms: readonly string[]): Float32Array | null;
}

/** By how often a term occurs: what it counts. */
export const repeats = Float32Array.from({ length: MAX_COUNT + 1 }, (_, count) => 1 + Math.log(Math.max(1, count)));

/** Rows are looked up once per term of the vocabulary. */
export function createTextVectors(table: TermTable, vocabulary: Vocabulary): TextVectors {
  const rows: number[] = [];
  const rowOf = (number: number): number => {
    while (rows.length <= number) rows.push(table.row(vocabulary.term(rows.length)));
    return rows[number]!;
  };
  return {
    dimensions: table.dimensions,
    of(packed) {
      const known = new Uint32Array(packed.length);
      const weights = new Float32Array(packed.length);
      let count = 0;
      for (const entry of packed) {
        const row = rowOf(entry >>> COUNT_BITS);
        if (row < 0) continue;
        known[count] = row;
        weights[count++] = repeats[entry & MAX_COUNT]!;
      }
      return count === 0 ? null : toUnitLength(table.sum(known, weights, count));
    },
    ofQuestion(terms) {
      const known = terms.map((term) => table.row(term)).filter((row) => row >= 0);
      return known.length === 0 ? null : toUnitLength(table.sum(known, known.map(() => 1), known.length));
    },
  };
}

/** The vector itself, made to length 1; null for zeros. */
export function toUnitLength(vector: Float32Array): Float32Array | null {
  let square = 0;
  for (const value of vector) square += value * value;
  if (square === 0) return null;
  const scale = 1 / Math.sqrt(square);
  for (let index = 0; index < vector.length; index++) vector[index]! *= scale;
  return vector;
}
