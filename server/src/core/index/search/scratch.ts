// Working memory for scores, reused from question to question, because allocating it would cost more than answering.

import type { Scratch } from './measure.ts';
import type { Scores } from './postings.ts';

export function createScratch(): Scratch {
  const kept = new Map<string, Scores>();
  let numbers = new Float64Array();
  return {
    scores(name, documents) {
      const known = kept.get(name);
      if (known && known.values.length >= documents) return known;
      const room = Math.ceil(documents * 1.25) + 64;
      const made: Scores = { values: new Float64Array(room), touched: new Uint32Array(room), count: 0 };
      kept.set(name, made);
      return made;
    },
    numbers(count) {
      if (numbers.length < count) numbers = new Float64Array(Math.ceil(count * 1.25) + 64);
      return numbers.subarray(0, count);
    },
  };
}
