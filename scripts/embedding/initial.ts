// Where training starts: at random, or from which terms are used together (latent semantic analysis of the pairs).

import { truncatedSvd } from '../../server/src/core/index/search/truncatedSvd.ts';
import type { Dataset, Vocabulary } from './dataset.ts';

/** Documents for the analysis; more change little. */
const MAX_DOCUMENTS = 60_000;
/** Length of a row of mean rarity, so that steps of training are neither tiny nor huge beside it. */
const MEAN_LENGTH = 0.5;

/** Rows as long as their terms are rare. */
export function initialRows(kind: string, data: Dataset, { terms, idf }: Vocabulary, dimensions: number, random: () => number): Float32Array {
  const rows = kind === 'latent' ? latent(data, idf, dimensions, random) : new Float32Array(terms.length * dimensions);
  const meanIdf = idf.reduce((sum, value) => sum + value, 0) / idf.length;
  for (let term = 0; term < terms.length; term++) {
    let square = 0;
    for (let at = term * dimensions; at < (term + 1) * dimensions; at++) {
      if (rows[at] === 0) rows[at] = gaussian(random) * (kind === 'latent' ? 1e-3 : 1);
      square += rows[at]! ** 2;
    }
    const factor = (MEAN_LENGTH * idf[term]!) / meanIdf / (Math.sqrt(square) || 1);
    for (let at = term * dimensions; at < (term + 1) * dimensions; at++) rows[at]! *= factor;
  }
  return rows;
}

function latent({ size, words, code }: Dataset, idf: Float32Array, dimensions: number, random: () => number): Float32Array {
  const share = Math.min(1, MAX_DOCUMENTS / size);
  const starts = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (let pair = 0; pair < size; pair++) {
    if (random() > share) continue;
    const first = columns.length;
    let square = 0;
    for (const bags of [words, code]) {
      for (let at = bags.starts[pair]!; at < bags.starts[pair + 1]!; at++) {
        const value = bags.weights[at]! * idf[bags.terms[at]!]!;
        columns.push(bags.terms[at]!);
        values.push(value);
        square += value * value;
      }
    }
    for (let at = first; at < values.length; at++) values[at]! /= Math.sqrt(square);
    starts.push(columns.length);
  }
  const found = truncatedSvd({ starts: Uint32Array.from(starts), columns: Uint32Array.from(columns), values: Float32Array.from(values), columnCount: idf.length }, dimensions);
  const rows = new Float32Array(idf.length * dimensions);
  for (let term = 0; term < idf.length; term++) rows.set(found.vectors.subarray(term * found.dimensions, (term + 1) * found.dimensions), term * dimensions);
  return rows;
}

/** Box and Muller. */
function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
