// Learns vectors of terms from which terms a repository uses together: latent semantic analysis.
// Deerwester et al., "Indexing by latent semantic analysis", JASIS 41(6), 1990.

import type { JobTable } from '../../indexPorts.ts';
import { rightSubspace } from './rightSubspace.ts';
import { repeats } from './textVector.ts';

type Input = JobTable['learnTerms']['input'];
type Output = JobTable['learnTerms']['output'];

const LARGEST_BYTE = 127;

/** Row by row: the vector of a term times its rarity, as bytes with one scale for all. */
export function learnTerms({ starts, terms, counts, termCount, dimensions }: Input): Output {
  const documents = starts.length - 1;
  const frequency = new Uint32Array(termCount);
  for (let at = 0; at < terms.length; at++) frequency[terms[at]!]!++;
  const rarity = Float32Array.from(frequency, (count) => Math.log(1 + documents / Math.max(1, count)));
  const values = new Float32Array(terms.length);
  for (let document = 0; document < documents; document++) {
    let square = 0;
    for (let at = starts[document]!; at < starts[document + 1]!; at++) {
      const value = repeats[counts[at]!]! * rarity[terms[at]!]!;
      values[at] = value;
      square += value * value;
    }
    const scale = square === 0 ? 0 : 1 / Math.sqrt(square);
    for (let at = starts[document]!; at < starts[document + 1]!; at++) values[at]! *= scale;
  }
  const found = rightSubspace({ starts, columns: terms, values, columnCount: termCount }, dimensions);
  const { vectors } = found;
  const rows = new Int8Array(termCount * found.dimensions);
  const scales = new Float32Array(termCount);
  for (let term = 0; term < termCount; term++) {
    const from = term * found.dimensions;
    const to = from + found.dimensions;
    let largest = 0;
    for (let at = from; at < to; at++) {
      const size = Math.abs(vectors[at]!);
      if (size > largest) largest = size;
    }
    if (largest === 0) continue;
    scales[term] = (largest * rarity[term]!) / LARGEST_BYTE;
    const factor = LARGEST_BYTE / largest;
    for (let at = from; at < to; at++) rows[at] = Math.floor(vectors[at]! * factor + 0.5);
  }
  return { dimensions: found.dimensions, rows, scales };
}
