// How good a ranked list is: NDCG as the open code-search benchmark computes it, recall within a token budget, reciprocal rank.

import { estimateTokens } from '../../../server/src/util/tokens.ts';
import type { Hit } from '../peers/system.ts';

/** A file, or lines of it. */
export interface Target {
  readonly path: string;
  readonly lines: readonly [start: number, end: number] | null;
}

/** Every target found counts once, at the rank where it is found first; the best order has all of them on top. */
export function ndcg(hits: readonly Hit[], targets: readonly Target[], depth: number): number {
  const ranks = new Set<number>();
  for (const target of targets) {
    const rank = hits.slice(0, depth).findIndex((hit) => meets(hit, target));
    if (rank >= 0) ranks.add(rank);
  }
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const best = Array.from({ length: Math.min(depth, targets.length) }, (_, rank) => gain(rank)).reduce((sum, value) => sum + value, 0);
  return best === 0 ? 0 : [...ranks].reduce((sum, rank) => sum + gain(rank), 0) / best;
}

/** Share of the targets that are met by what fits: results are read from the top until one no longer fits. */
export function recallWithin(tokens: number, hits: readonly Hit[], targets: readonly Target[], textOf: (path: string) => string | undefined): number {
  if (targets.length === 0) return 0;
  let left = tokens;
  const read: Hit[] = [];
  for (const hit of hits) {
    left -= tokensOf(hit, textOf(hit.path) ?? '');
    if (left < 0) break;
    read.push(hit);
  }
  return targets.filter((target) => read.some((hit) => meets(hit, target))).length / targets.length;
}

/** 1 ÷ rank of the first hit that meets the target; 0 for none. */
export function reciprocalRank(hits: readonly Hit[], target: Target): number {
  const rank = hits.findIndex((hit) => meets(hit, target));
  return rank < 0 ? 0 : 1 / (rank + 1);
}

/** Paths may be given from another folder: one may be the end of the other. */
export function meets(hit: Hit, { path, lines }: Target): boolean {
  if (hit.path !== path && !hit.path.endsWith(`/${path}`) && !path.endsWith(`/${hit.path}`)) return false;
  return lines === null || hit.lines === null || !(hit.lines[1] < lines[0] || hit.lines[0] > lines[1]);
}

function tokensOf({ lines }: Hit, text: string): number {
  return estimateTokens(lines === null ? text : text.split('\n').slice(lines[0] - 1, lines[1]).join('\n'));
}
