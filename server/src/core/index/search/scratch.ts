// Provides arrays for scores that are reused from query to query, because allocating them would take longer than
// answering the query.

import type { Scratch } from './measure.ts';
import type { Scores } from './postings.ts';

/** Creates the provider; an array is allocated at its first use. Callers clear scores after use (`clearScores`). */
export function createScratch(): Scratch {
  const arrays = new Map<string, Scores>();
  let numbers = new Float64Array();
  return {
    scores(name, documents) {
      const existingScores = arrays.get(name);
      if (existingScores && existingScores.values.length >= documents) return existingScores;
      const room = Math.ceil(documents * 1.25) + 64;
      const newScores: Scores = { values: new Float64Array(room), touched: new Uint32Array(room), count: 0 };
      arrays.set(name, newScores);
      return newScores;
    },
    numbers(count) {
      if (numbers.length < count) numbers = new Float64Array(Math.ceil(count * 1.25) + 64);
      return numbers.subarray(0, count);
    },
  };
}
