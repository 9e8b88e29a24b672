// Vectors of texts whose terms are counted, from a table of terms: each term of a batch is looked up once.

import type { TermTable } from '../indexPorts.ts';
import { COUNT_BITS, MAX_COUNT } from './search/postings.ts';
import { repeats, toUnitLength } from './search/textVector.ts';
import { termsIn } from './spelledTerms.ts';
import type { PackedTerms } from './termPacker.ts';

const rowsOf = new WeakMap<PackedTerms, { readonly table: TermTable; readonly rows: Int32Array }>();

/** Of length 1; all zeros where the table knows none of the terms. */
export function packedVector(table: TermTable, batch: PackedTerms, text: number): Float32Array {
  const rows = rowsIn(table, batch);
  const from = batch.starts[text]!;
  const size = batch.starts[text + 1]! - from;
  const known = new Uint32Array(size);
  const weights = new Float32Array(size);
  let count = 0;
  for (let at = from; at < from + size; at++) {
    const entry = batch.entries[at]!;
    const row = rows[entry >>> COUNT_BITS]!;
    if (row < 0) continue;
    known[count] = row;
    weights[count++] = repeats[entry & MAX_COUNT]!;
  }
  return (count === 0 ? null : toUnitLength(table.sum(known, weights, count))) ?? new Float32Array(table.dimensions);
}

function rowsIn(table: TermTable, batch: PackedTerms): Int32Array {
  const known = rowsOf.get(batch);
  if (known?.table === table) return known.rows;
  const rows = Int32Array.from(termsIn(batch), (term) => table.row(term));
  rowsOf.set(batch, { table, rows });
  return rows;
}
