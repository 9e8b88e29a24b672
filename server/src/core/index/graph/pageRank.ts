// Computes PageRank, a measure of how much of a graph depends on each node: Page et al., "The PageRank Citation
// Ranking", 1999.

/** The share of its rank that a node passes on to its targets. */
const DAMPING_FACTOR = 0.85;
/** Number of iterations of the power method. */
const ITERATION_COUNT = 20;

/** Rank of each node, summing to 1. `targets[n]` are the targets of the outgoing edges of node n. */
export function computePageRank(targets: readonly (readonly number[])[]): Float64Array {
  const count = targets.length;
  let rank = new Float64Array(count).fill(1 / count);
  for (let round = 0; round < ITERATION_COUNT && count > 0; round++) {
    const nextRank = new Float64Array(count);
    let danglingRank = 0;
    for (let node = 0; node < count; node++) {
      const outgoing = targets[node]!;
      if (outgoing.length === 0) danglingRank += rank[node]!;
      const share = rank[node]! / outgoing.length;
      for (const target of outgoing) nextRank[target]! += share;
    }
    for (let node = 0; node < count; node++)
      nextRank[node] = (1 - DAMPING_FACTOR) / count + DAMPING_FACTOR * (nextRank[node]! + danglingRank / count);
    rank = nextRank;
  }
  return rank;
}
