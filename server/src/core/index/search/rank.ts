// From signals to an order: weighed, penalised, and no file first twice without reason.

import type { IndexedChunk } from './rankingIndex.ts';
import type { Measured } from './measure.ts';
import { SIGNALS, type Weights } from './weights.ts';

export interface Ranked {
  readonly chunk: IndexedChunk;
  readonly score: number;
}

export function rank({ chunks, signals, penalties }: Measured, { signals: weights, decay }: Weights, top: number): Ranked[] {
  const totals = new Float64Array(chunks.length);
  for (const signal of SIGNALS) {
    const values = signals[signal];
    let best = 0;
    for (const value of values) if (value > best) best = value;
    if (best === 0 || weights[signal] === 0) continue;
    const factor = weights[signal] / best;
    for (let at = 0; at < totals.length; at++) totals[at]! += factor * values[at]!;
  }
  for (let at = 0; at < totals.length; at++) totals[at]! *= penalties[at]!;
  const order = Array.from(totals, (_, at) => at).sort((a, b) => totals[b]! - totals[a]! || before(chunks[a]!, chunks[b]!));
  const seen = new Map<number, number>();
  const decayed = order.map((at): Ranked => {
    const chunk = chunks[at]!;
    const earlier = seen.get(chunk.file.slot) ?? 0;
    seen.set(chunk.file.slot, earlier + 1);
    return { chunk, score: totals[at]! * decay ** earlier };
  });
  return decayed.sort((a, b) => b.score - a.score || before(a.chunk, b.chunk)).slice(0, top);
}

function before(a: IndexedChunk, b: IndexedChunk): number {
  const [left, right] = [a.file.record.path, b.file.record.path];
  return left < right ? -1 : left > right ? 1 : a.at - b.at;
}
