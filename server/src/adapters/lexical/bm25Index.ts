// BM25 over chunks, in memory. Robertson & Zaragoza, "The Probabilistic Relevance Framework", 2009.

const K1 = 2;
const B = 0.75;
/** Postings of removed documents are swept when they are more than this share. */
const SWEEP_SHARE = 0.3;

export interface Bm25Index {
  /** Adds a document, or replaces the one with the same id. `terms` are separated by blanks. */
  add(id: string, terms: string): void;
  remove(id: string): void;
  /** Documents that hold any of the terms, best first. */
  search(terms: readonly string[], limit: number): { readonly id: string; readonly score: number }[];
}

interface Posting {
  readonly slots: number[];
  readonly counts: number[];
}

export function createBm25Index(): Bm25Index {
  const postings = new Map<string, Posting>();
  const slotOf = new Map<string, number>();
  /** By slot: the id, or null once removed. */
  let ids: (string | null)[] = [];
  let lengths: number[] = [];
  let totalLength = 0;

  const remove = (id: string): void => {
    const slot = slotOf.get(id);
    if (slot === undefined) return;
    slotOf.delete(id);
    ids[slot] = null;
    totalLength -= lengths[slot]!;
    if (ids.length - slotOf.size > ids.length * SWEEP_SHARE && ids.length > 1000) sweep();
  };

  const sweep = (): void => {
    const moved = new Map<number, number>();
    const keptIds: (string | null)[] = [];
    const keptLengths: number[] = [];
    ids.forEach((id, slot) => {
      if (id === null) return;
      moved.set(slot, keptIds.length);
      slotOf.set(id, keptIds.length);
      keptIds.push(id);
      keptLengths.push(lengths[slot]!);
    });
    for (const [term, { slots, counts }] of postings) {
      const kept: Posting = { slots: [], counts: [] };
      slots.forEach((slot, at) => {
        const target = moved.get(slot);
        if (target === undefined) return;
        kept.slots.push(target);
        kept.counts.push(counts[at]!);
      });
      if (kept.slots.length > 0) postings.set(term, kept);
      else postings.delete(term);
    }
    ids = keptIds;
    lengths = keptLengths;
  };

  return {
    add(id, terms) {
      remove(id);
      const counts = new Map<string, number>();
      let length = 0;
      for (const term of terms.split(' ')) {
        if (term === '') continue;
        counts.set(term, (counts.get(term) ?? 0) + 1);
        length++;
      }
      const slot = ids.length;
      ids.push(id);
      lengths.push(length);
      slotOf.set(id, slot);
      totalLength += length;
      for (const [term, count] of counts) {
        let posting = postings.get(term);
        if (!posting) postings.set(term, (posting = { slots: [], counts: [] }));
        posting.slots.push(slot);
        posting.counts.push(count);
      }
    },
    remove,
    search(terms, limit) {
      const total = slotOf.size;
      if (total === 0) return [];
      const average = Math.max(1, totalLength / total);
      const scores = new Map<number, number>();
      for (const term of terms) {
        const posting = postings.get(term);
        if (!posting) continue;
        const live = posting.slots.reduce((count, slot) => count + (ids[slot] === null ? 0 : 1), 0);
        const rarity = Math.log(1 + (total - live + 0.5) / (live + 0.5));
        for (let at = 0; at < posting.slots.length; at++) {
          const slot = posting.slots[at]!;
          if (ids[slot] === null) continue;
          const count = posting.counts[at]!;
          const gain = (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * lengths[slot]!) / average));
          scores.set(slot, (scores.get(slot) ?? 0) + gain);
        }
      }
      return [...scores]
        .map(([slot, score]) => ({ id: ids[slot]!, score }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, limit);
    },
  };
}
