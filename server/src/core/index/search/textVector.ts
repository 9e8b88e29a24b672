// Computes the vector of a text from a table of term vectors.

import { COUNT_BITS, MAX_COUNT } from './postings.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { TermTable } from '../../ports/search.ts';

/** Computes vectors of texts. */
export interface TextVectors {
  readonly dimensions: number;
  /**
   * A vector of length 1 for terms packed as (term, count); null if the table has none of the terms. Valid until the
   * next call.
   */
  ofPacked(packed: Uint32Array): Float32Array | null;
  /** A vector of length 1 for the terms of a query; null if the table has none of them. */
  ofQuery(terms: readonly string[]): Float32Array | null;
}

/** The weight of a term by its number of occurrences: 1 + ln n. */
export const REPEAT_WEIGHTS = Float32Array.from(
  { length: MAX_COUNT + 1 },
  (_, count) => 1 + Math.log(Math.max(1, count)),
);

/**
 * A list of weighted rows that will be summed. It is reused, because an array per text would cost more than its
 * content.
 */
export interface WeightedRows {
  /** Empties the list and makes room for up to `capacity` rows. */
  begin(capacity: number): void;
  add(row: number, weight: number): void;
  count(): number;
  /** The weighted sum, in `into`; zeros if the list is empty. */
  sum(table: TermTable, into: Float32Array): Float32Array;
}

/** Creates an empty list. */
export function createWeightedRows(): WeightedRows {
  let rows = new Uint32Array(256);
  let weights = new Float32Array(256);
  let count = 0;
  return {
    begin(capacity) {
      count = 0;
      if (capacity > rows.length) [rows, weights] = [new Uint32Array(capacity * 2), new Float32Array(capacity * 2)];
    },
    add(row, weight) {
      rows[count] = row;
      weights[count++] = weight;
    },
    count: () => count,
    sum: (table, into) => table.sum(rows, weights, count, into),
  };
}

/** Creates the computation of vectors. The row of each term in the vocabulary is looked up once. */
export function createTextVectors(table: TermTable, vocabulary: Vocabulary): TextVectors {
  const rows: number[] = [];
  const rowOf = (number: number): number => {
    while (rows.length <= number) rows.push(table.row(vocabulary.term(rows.length)));
    return rows[number]!;
  };
  const weightedRows = createWeightedRows();
  const vector = new Float32Array(table.dimensions);
  return {
    dimensions: table.dimensions,
    ofPacked(packed) {
      weightedRows.begin(packed.length);
      for (let index = 0; index < packed.length; index++) {
        const entry = packed[index]!;
        const row = rowOf(entry >>> COUNT_BITS);
        if (row >= 0) weightedRows.add(row, REPEAT_WEIGHTS[entry & MAX_COUNT]!);
      }
      return weightedRows.count() === 0 ? null : toUnitLength(weightedRows.sum(table, vector));
    },
    ofQuery(terms) {
      const tableRows = terms.map((term) => table.row(term)).filter((row) => row >= 0);
      return tableRows.length === 0
        ? null
        : toUnitLength(
            table.sum(
              tableRows,
              tableRows.map(() => 1),
              tableRows.length,
            ),
          );
    },
  };
}

/** Scales a vector in place to length 1 and returns it; null for a zero vector. */
export function toUnitLength(vector: Float32Array): Float32Array | null {
  let square = 0;
  for (const value of vector) square += value * value;
  if (square === 0) return null;
  const scale = 1 / Math.sqrt(square);
  for (let index = 0; index < vector.length; index++) vector[index]! *= scale;
  return vector;
}
