// From trained numbers to the file that ships.

import { writeFileSync } from 'node:fs';
import { serialiseModel, parseTermTable } from '../../server/src/adapters/embeddings/staticModel.ts';
import type { TermTable } from '../../server/src/core/ports/search.ts';

/** Writes the model and answers it as the product will read it. */
export function writeModel(
  file: string,
  terms: readonly string[],
  values: Float32Array,
  dimensions: number,
): { readonly table: TermTable; readonly bytes: number } {
  const rows = new Int8Array(values.length);
  const scales = new Float32Array(terms.length);
  for (let row = 0; row < terms.length; row++) {
    let largest = 0;
    for (let at = row * dimensions; at < (row + 1) * dimensions; at++)
      largest = Math.max(largest, Math.abs(values[at]!));
    scales[row] = largest / 127;
    if (largest > 0)
      for (let at = row * dimensions; at < (row + 1) * dimensions; at++)
        rows[at] = Math.round((values[at]! / largest) * 127);
  }
  const bytes = serialiseModel({ dimensions, terms, scales, rows });
  writeFileSync(file, bytes);
  return { table: parseTermTable(bytes, file), bytes: bytes.length };
}
