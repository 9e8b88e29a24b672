// Adapts the shares of the context window that the layers of memory get to what the layers used in earlier packs.

import { allocations, type MemoryLayer, type Shares } from './allocations.ts';
import type { TaskType } from './contextPack.ts';

/** The tokens that a pack used of its layers, as recorded in the ledger. */
export interface Snapshot {
  readonly taskType: TaskType;
  /** Number of tokens of the window. */
  readonly budgetTokens: number;
  /** `wanted`: number of tokens that the layer would have used without a limit. */
  readonly layers: Readonly<Record<MemoryLayer, { readonly tokens: number; readonly wanted?: number }>>;
}

/** Minimum number of packs of a type of task; with fewer, the allocation is not adapted. */
const MIN_SNAPSHOTS = 5;
/** Maximum number of newest packs that count. */
const MAX_SNAPSHOTS = 10;
/** A share is changed only if its use differs from it by more than this part of it. */
const TOLERANCE = 0.3;
/** A share changes by at most this part of itself. */
const MAX_MOVE = 0.25;

/** Layers of the memory whose shares of a pack adapt to their use. */
const ADAPTABLE_LAYERS = ['working', 'episodic', 'semantic'] as const;
type AdaptableLayer = (typeof ADAPTABLE_LAYERS)[number];

/**
 * The shares for the next pack of a type of task. `snapshots`: oldest first. The use of a layer is the number of tokens
 * that it wanted (or, if unknown, used) divided by the tokens of its share in the table, averaged over the last ten
 * packs of this type. Use is compared with the table and not with adapted shares, so that shares do not oscillate. A
 * layer that uses less than 70 % of its share gives up to a quarter of it; a layer that wants more than 130 % gains up
 * to a quarter of its own share. The shares still sum to 100, and the reserve stays.
 */
export function adaptShares(taskType: TaskType, snapshots: readonly Snapshot[]): Shares {
  const baseShares = allocations[taskType];
  const recentPacks = snapshots.filter((snapshot) => snapshot.taskType === taskType).slice(-MAX_SNAPSHOTS);
  if (recentPacks.length < MIN_SNAPSHOTS) return baseShares;
  const moves = ADAPTABLE_LAYERS.map((layer) => ({
    layer,
    maxChange: Math.floor(baseShares[layer] * MAX_MOVE),
    use: computeMeanUse(recentPacks, layer, baseShares[layer]),
  }));
  const givers = moves
    .filter(({ use }) => use < 1 - TOLERANCE)
    .map(({ layer, maxChange, use }) => ({
      layer,
      most: Math.min(maxChange, Math.floor(baseShares[layer] * (1 - use))),
    }));
  const takers = moves
    .filter(({ use }) => use > 1 + TOLERANCE)
    .map(({ layer, maxChange, use }) => ({
      layer,
      most: Math.min(maxChange, Math.floor(baseShares[layer] * (use - 1))),
    }));
  const movedPercents = Math.min(sum(givers), sum(takers));
  const shares: Record<MemoryLayer, number> = { ...baseShares };
  for (const [layer, percent] of dividePercents(givers, movedPercents)) shares[layer] -= percent;
  for (const [layer, percent] of dividePercents(takers, movedPercents)) shares[layer] += percent;
  return shares;
}

/** The mean use of a layer in these packs, as a multiple of its share; 1 if there is no pack with a window. */
function computeMeanUse(snapshots: readonly Snapshot[], layer: AdaptableLayer, share: number): number {
  const uses = snapshots
    .filter(({ budgetTokens }) => budgetTokens > 0)
    .map(({ budgetTokens, layers }) => (layers[layer].wanted ?? layers[layer].tokens) / ((budgetTokens * share) / 100));
  return uses.length === 0 ? 1 : uses.reduce((total, use) => total + use, 0) / uses.length;
}

/**
 * Divides whole percents among layers in proportion to the maximum change of each. The percents left by rounding go to
 * the largest remainders first.
 */
function dividePercents(
  among: readonly { readonly layer: AdaptableLayer; readonly most: number }[],
  percents: number,
): [AdaptableLayer, number][] {
  const total = sum(among);
  if (total === 0) return [];
  const exactParts = among.map(({ layer, most }) => ({ layer, most, part: (percents * most) / total }));
  const result = new Map(exactParts.map(({ layer, part }) => [layer, Math.floor(part)]));
  let remainingPercents = percents - [...result.values()].reduce((a, b) => a + b, 0);
  for (const { layer, most } of exactParts.toSorted((a, b) => (b.part % 1) - (a.part % 1))) {
    if (remainingPercents > 0 && result.get(layer)! < most) {
      result.set(layer, result.get(layer)! + 1);
      remainingPercents--;
    }
  }
  return [...result];
}

function sum(among: readonly { readonly most: number }[]): number {
  return among.reduce((total, { most }) => total + most, 0);
}
