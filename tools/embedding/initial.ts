// Where training starts: rows in random directions, as long as their terms are rare.

import type { Vocabulary } from './dataset.ts';

/** Length of a row of mean rarity, so that steps of training are neither tiny nor huge beside it. */
const MEAN_LENGTH = 0.5;

export function initialRows({ terms, idf }: Vocabulary, dimensions: number, random: () => number): Float32Array {
  const rows = new Float32Array(terms.length * dimensions);
  const meanIdf = idf.reduce((sum, value) => sum + value, 0) / idf.length;
  for (let term = 0; term < terms.length; term++) {
    let square = 0;
    for (let at = term * dimensions; at < (term + 1) * dimensions; at++) {
      rows[at] = gaussian(random);
      square += rows[at]! ** 2;
    }
    const factor = (MEAN_LENGTH * idf[term]!) / meanIdf / (Math.sqrt(square) || 1);
    for (let at = term * dimensions; at < (term + 1) * dimensions; at++) rows[at]! *= factor;
  }
  return rows;
}

/** Box and Muller. */
function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
