// Chooses in how much detail each unit (a definition, or the remaining lines of a file) is shown to a model, so that
// all fit into a number of tokens. This is a multiple-choice knapsack problem.

import { createFolderEntries, type FolderEntry } from './folders.ts';
import type { DetailOrder, OrderedFile, DetailStep } from './order.ts';
import { computeStepFactor } from './weights.ts';

/** The chosen detail of each unit. */
export interface DetailChoice {
  /** By file: the level of each unit; -1 if it is not shown. */
  readonly levels: ReadonlyMap<OrderedFile, Int8Array>;
  /**
   * The unit of which the last tokens show more than its level, but not the whole next level; null if there is none.
   */
  readonly partlyShown: { readonly file: OrderedFile; readonly unit: number; readonly tokens: number } | null;
  /** Folders that replace their files in a window too small to name all files. */
  readonly folders: readonly FolderEntry[];
  readonly tokens: number;
  /** The worth of the chosen levels. */
  readonly value: number;
  /** The upper bound of the worth of any choice (linear relaxation). */
  readonly bound: number;
}

/**
 * Maximum share of the budget for names. If all names fit into it, all are shown. The remaining tokens are for details
 * of the most important units.
 */
const NAMES_SHARE = 0.5;
/** Part of the names' share for folders, if not even every file can be named. */
const FOLDERS_SHARE = 1 / 3;
/** Maximum number of further steps that are searched for one that can be shown in part with the last tokens. */
const LOOK_AHEAD = 10_000;

/**
 * Chooses the details. It first names everything (or as much as fits into the names' share, the weightiest first). Then
 * it takes the steps in order of worth per token until one no longer fits. This is the greedy solution of the linear
 * relaxation on the convex hull (Sinha and Zoltners 1979, Dyer 1984, Zemel 1984), at most one step away from the
 * optimum. The last tokens show one more unit in part.
 *
 * If `includesNames` is false, nothing is named first, and a file has a heading only if a part of it is shown. The
 * result never exceeds `budget`. A larger budget never shows a unit in less detail, because it only follows the same
 * order further.
 */
export function chooseDetailLevels({ files, steps }: DetailOrder, budget: number, includesNames = true): DetailChoice {
  const levels = new Map<OrderedFile, Int8Array>(
    files.map((file) => [file, new Int8Array(file.units.length).fill(-1)]),
  );
  const nameLimit = includesNames ? Math.floor(budget * NAMES_SHARE) : 0;
  const nameTokens = files.reduce((sum, { coarsestTokens }) => sum + coarsestTokens, 0);
  let folders: readonly FolderEntry[] = [];
  let remaining: number;
  let tokens = 0;
  let value = 0;
  const show = (file: OrderedFile, unit: number): void => {
    levels.get(file)![unit] = 0;
    tokens += file.units[unit]!.levels[0]!.tokens;
    value += computeWorth(file, unit);
  };

  if (!includesNames) remaining = budget;
  else if (nameTokens <= nameLimit) {
    for (const file of files) for (let unit = 0; unit < file.units.length; unit++) show(file, unit);
    remaining = budget - nameTokens;
  } else {
    folders = nameWeightiestUnits(files, nameLimit, show);
    tokens += folders.reduce((sum, entry) => sum + entry.tokens, 0);
    remaining = budget - nameLimit;
  }

  const computeEntryCost = (step: DetailStep): number => {
    const shownLevels = levels.get(step.file)!;
    const unitCost = shownLevels[step.unitIndex]! < 0 ? step.file.units[step.unitIndex]!.levels[0]!.tokens : 0;
    return unitCost + (step.unitIndex > 0 && shownLevels[0]! < 0 ? step.file.units[0]!.levels[0]!.tokens : 0);
  };
  let index = 0;
  for (; index < steps.length; index++) {
    const step = steps[index]!;
    const shownLevels = levels.get(step.file)!;
    const price = step.cost + (shownLevels[step.unitIndex]! < 0 || shownLevels[0]! < 0 ? computeEntryCost(step) : 0);
    if (price > remaining) break;
    if (shownLevels[0]! < 0) show(step.file, 0);
    if (shownLevels[step.unitIndex]! < 0) show(step.file, step.unitIndex);
    shownLevels[step.unitIndex] = step.level;
    remaining -= price;
    tokens += step.cost;
    value += step.gain;
  }
  if (index === steps.length) remaining -= nameRemainingUnits(files, levels, remaining, show);
  const bound = value + (index < steps.length ? remaining * steps[index]!.density : 0);
  const extra = findPartlyShown(steps, index, levels, remaining);
  return { levels, partlyShown: extra, folders, tokens: tokens + (extra?.tokens ?? 0), value, bound };
}

/**
 * Shows headings of files, then names of definitions, in order of weight, up to the first that does not fit. Returns
 * folders that represent all files if the headings do not fit; otherwise an empty list.
 */
function nameWeightiestUnits(
  files: readonly OrderedFile[],
  limit: number,
  show: (file: OrderedFile, unit: number) => void,
): readonly FolderEntry[] {
  const findLargestWeight = (file: OrderedFile) =>
    file.weights.reduce((largest, weight) => Math.max(largest, weight), -Infinity);
  const byWeight = files.map((file) => ({ file, weight: findLargestWeight(file) })).sort((a, b) => b.weight - a.weight);
  const headingTokens = files.reduce((sum, file) => sum + file.units[0]!.levels[0]!.tokens, 0);
  const folderTokens = headingTokens <= limit ? 0 : Math.floor(limit * FOLDERS_SHARE);
  let remaining = limit - folderTokens;
  for (const { file } of byWeight) {
    remaining -= file.units[0]!.levels[0]!.tokens;
    if (remaining < 0)
      return createFolderEntries(
        files.map(({ path }) => path),
        folderTokens,
      );
    show(file, 0);
  }
  const names = files.flatMap((file) =>
    Array.from(file.weights.subarray(1), (weight, index) => ({ file, unit: index + 1, weight })),
  );
  for (const { file, unit } of names.sort((a, b) => b.weight - a.weight)) {
    remaining -= file.units[unit]!.levels[0]!.tokens;
    if (remaining < 0) break;
    show(file, unit);
  }
  return [];
}

/**
 * Names the units without a step of their own, after all steps have been taken. Returns the number of tokens of these
 * names.
 */
function nameRemainingUnits(
  files: readonly OrderedFile[],
  levels: ReadonlyMap<OrderedFile, Int8Array>,
  budget: number,
  show: (file: OrderedFile, unit: number) => void,
): number {
  let remaining = budget;
  for (const file of files) {
    const shownLevels = levels.get(file)!;
    for (let unit = 0; unit < shownLevels.length; unit++) {
      if (shownLevels[unit]! >= 0) continue;
      const { tokens } = file.units[unit]!.levels[0]!;
      if (tokens > remaining) return budget - remaining;
      show(file, unit);
      remaining -= tokens;
    }
  }
  return budget - remaining;
}

/**
 * The next unit that is shown by a signature and whose next level takes more than the remaining tokens; null if there
 * is none.
 */
function findPartlyShown(
  steps: readonly DetailStep[],
  from: number,
  levels: ReadonlyMap<OrderedFile, Int8Array>,
  tokens: number,
): DetailChoice['partlyShown'] {
  if (tokens <= 0) return null;
  for (const { file, unitIndex, level, cost } of steps.slice(from, from + LOOK_AHEAD)) {
    const shownLevel = levels.get(file)![unitIndex]!;
    if (
      shownLevel === level - 1 &&
      file.units[unitIndex]!.levels[shownLevel]!.resolution === 'signature' &&
      cost > tokens
    )
      return { file, unit: unitIndex, tokens };
  }
  return null;
}

/** The worth of showing a unit at its lowest level. */
function computeWorth(file: OrderedFile, unit: number): number {
  return computeStepFactor(file.weights[unit]!) * file.units[unit]!.levels[0]!.worth;
}
