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
      const vector = new Float32Array(table.dimensions);
      for (const entry of packed) {
        const row = rowOf(entry >>> COUNT_BITS);
        if (row >= 0) table.addTo(vector, row, 1 + Math.log(entry & MAX_COUNT));
      }
      return toUnitLength(vector);
    },
    ofQuestion(terms) {
      const vector = new Float32Array(table.dimensions);
      for (const term of terms) {
        const row = table.row(term);
        if (row >= 0) table.addTo(vector, row, 1);
      }
      return toUnitLength(vector);
    },
  };
}

function toUnitLength(vector: Float32Array): Float32Array | null {
  let square = 0;
  for (const value of vector) square += value * value;
  if (square === 0) return null;
  const scale = 1 / Math.sqrt(square);
  for (let index = 0; index < vector.length; index++) vector[index]! *= scale;
  return vector;
}
