// Computes vectors of texts with counted terms from a table of term vectors. Each term of a batch is looked up once.

import { COUNT_BITS, MAX_COUNT } from '../search/postings.ts';
import { createWeightedRows, REPEAT_WEIGHTS, toUnitLength } from '../search/textVector.ts';
import type { PackedTerms } from './termPacker.ts';
import type { TermTable } from '../../ports/search.ts';

/** By batch: the rows of its terms in a table, and that table. */
const rowsByBatch = new WeakMap<PackedTerms, { readonly table: TermTable; readonly rows: Int32Array }>();
const weightedRows = createWeightedRows();

/**
 * The vector of a text, of length 1; all zeros if the table has none of the terms. `text`: the index of the text in the
 * batch. `into`: the array to which the vector is written and that is returned.
 */
export function computePackedVector(
  table: TermTable,
  batch: PackedTerms,
  text: number,
  into: Float32Array = new Float32Array(table.dimensions),
): Float32Array {
  const rows = findRows(table, batch);
  const to = batch.starts[text + 1]!;
  weightedRows.begin(to - batch.starts[text]!);
  for (let index = batch.starts[text]!; index < to; index++) {
    const entry = batch.entries[index]!;
    const row = rows[entry >>> COUNT_BITS]!;
    if (row >= 0) weightedRows.add(row, REPEAT_WEIGHTS[entry & MAX_COUNT]!);
  }
  return toUnitLength(weightedRows.sum(table, into)) ?? into;
}

/** The row of each term of a batch; -1 for a term that the table does not have. */
function findRows(table: TermTable, batch: PackedTerms): Int32Array {
  const cached = rowsByBatch.get(batch);
  if (cached?.table === table) return cached.rows;
  const rows = table.rowsOf(batch.terms);
  rowsByBatch.set(batch, { table, rows });
  return rows;
}
