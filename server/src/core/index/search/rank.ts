// Orders chunks by their signals: weights, penalties, and a decay for further chunks of the same file.

import type { MeasuredChunks } from './measure.ts';
import { findNthLargest } from './nthLargest.ts';
import { ABSOLUTE_SIGNALS, SIGNALS, type Weights } from './weights.ts';

/** A chunk with its final score. */
export interface RankedResult<C> {
  readonly chunk: C;
  readonly score: number;
}

/** The properties of a chunk that ranking needs. */
export interface RankedChunk {
  readonly file: { readonly record: { readonly path: string } };
  /** Index of the chunk in its file. */
  readonly position: number;
}

/**
 * Ranks the chunks, best first. Equal scores are ordered by path and position, so that a result does not depend on how
 * the index was built.
 */
export function rankChunks<C extends RankedChunk>(
  { chunks, signals, penalties }: MeasuredChunks<C>,
  { signals: weights, decay }: Weights,
  top: number,
): RankedResult<C>[] {
  const totals = new Float64Array(chunks.length);
  for (const signal of SIGNALS) {
    const values = signals[signal];
    let bestValue = ABSOLUTE_SIGNALS.has(signal) ? 1 : 0;
    for (const value of values) if (value > bestValue) bestValue = value;
    if (bestValue === 0 || weights[signal] === 0) continue;
    const factor = weights[signal] / bestValue;
    for (let index = 0; index < totals.length; index++) totals[index]! += factor * values[index]!;
  }
  for (let index = 0; index < totals.length; index++) totals[index]! *= penalties[index]!;
  const leastScore = findLeastScore(chunks, totals, top);
  const sortedIndexes = Array.from(totals.keys())
    .filter((index) => totals[index]! >= leastScore)
    .sort((a, b) => totals[b]! - totals[a]! || comparePlaces(chunks[a]!, chunks[b]!));
  const chunksBefore = new Map<string, number>();
  const decayedResults = sortedIndexes.map((index): RankedResult<C> => {
    const chunk = chunks[index]!;
    const earlierCount = chunksBefore.get(chunk.file.record.path) ?? 0;
    chunksBefore.set(chunk.file.record.path, earlierCount + 1);
    return { chunk, score: totals[index]! * decay ** earlierCount };
  });
  return decayedResults.sort((a, b) => b.score - a.score || comparePlaces(a.chunk, b.chunk)).slice(0, top);
}

/**
 * A score that each of the best `top` chunks must reach. The best chunk of a file keeps its score, and its other chunks
 * only lose. So the best chunks of the first `top` files already are `top` results of at least this score.
 */
function findLeastScore(chunks: readonly RankedChunk[], totals: Float64Array, top: number): number {
  const bestScoreByFile = new Map<object, number>();
  chunks.forEach(({ file }, index) => {
    if (totals[index]! > (bestScoreByFile.get(file) ?? 0)) bestScoreByFile.set(file, totals[index]!);
  });
  return findNthLargest(Float64Array.from(bestScoreByFile.values()), top);
}

function comparePlaces(a: RankedChunk, b: RankedChunk): number {
  const [left, right] = [a.file.record.path, b.file.record.path];
  return left < right ? -1 : left > right ? 1 : a.position - b.position;
}
