// A peer for search: plain BM25 over the same chunks and terms as Selfware, which isolates the effect of our ranking.
// Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.

import { extractQueryTerms } from '../../../server/src/core/index/terms/terms.ts';
import type { System } from './system.ts';

const K1 = 2;
const B = 0.75;

/** The peer. */
export const chunkBm25: System = {
  name: 'BM25 alone, our chunks',
  absent: null,
  async build({ chunks: byPath }) {
    const chunks = [...byPath.values()].flat();
    const lengths = new Float64Array(chunks.length);
    /** For each term, its number of occurrences in each chunk that contains it. */
    const postings = new Map<string, Map<number, number>>();
    for (const [index, { terms }] of chunks.entries()) {
      for (const term of terms.split(' ')) {
        let counts = postings.get(term);
        if (!counts) postings.set(term, (counts = new Map()));
        counts.set(index, (counts.get(index) ?? 0) + 1);
        lengths[index]!++;
      }
    }
    const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, chunks.length);
    return {
      search(query, top) {
        const scores = new Map<number, number>();
        for (const term of extractQueryTerms(query)) {
          const counts = postings.get(term);
          if (!counts) continue;
          const rarity = Math.log(1 + (chunks.length - counts.size + 0.5) / (counts.size + 0.5));
          for (const [index, count] of counts)
            scores.set(
              index,
              (scores.get(index) ?? 0) +
                (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * lengths[index]!) / average)),
            );
        }
        return [...scores]
          .sort((a, b) => b[1] - a[1] || a[0] - b[0])
          .slice(0, top)
          .map(([index]) => chunks[index]!);
      },
    };
  },
};
