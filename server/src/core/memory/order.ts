// Computes the order in which the units of a repository (definitions, and the remaining lines of files) gain detail in
// a context pack, and updates it when files change.

import { createUnits, type Unit } from './packingUnits.ts';
import { createPlaceFactor, computeStepFactor, computeLogWeight, type Relevance } from './weights.ts';
import type { FileRecord } from '../ports/catalogue.ts';
import { compareStrings } from '../../util/values/compareStrings.ts';

/** A file with its units and their weights. */
export interface OrderedFile {
  readonly path: string;
  readonly hash: string;
  readonly tokens: number;
  readonly units: readonly Unit[];
  /** Weight of each unit, as a number of steps of 2^(1/4) (`computeStepFactor`). */
  readonly weights: Int16Array;
  /** Tokens of all units at their lowest level of detail. */
  readonly coarsestTokens: number;
}

/** A step that shows one unit at its next level of detail. */
export interface DetailStep {
  readonly file: OrderedFile;
  readonly unitIndex: number;
  /** The new level. */
  readonly level: number;
  readonly cost: number;
  readonly gain: number;
  /** Gain per token of cost. */
  readonly density: number;
}

/** The order in which units gain detail. */
export interface DetailOrder {
  /** The files, sorted by path. */
  readonly files: readonly OrderedFile[];
  /** Densest first; the steps of one unit are in the order of its levels. */
  readonly steps: readonly DetailStep[];
}

/** Computes orders, and reuses the parts of the last order that have not changed. */
export interface DetailOrderer {
  /** The order for this repository. It takes little time if few files have changed since the last call. */
  order(records: readonly FileRecord[], relevance: Relevance): DetailOrder;
}

/**
 * A weight is kept until the exact weight differs from it by at least this, in steps, so that weights near a boundary
 * do not alternate.
 */
const WEIGHT_SLACK = 0.75;

/**
 * Creates a packer, which keeps units, weights and sorted steps between calls, so that an update of a few files filters
 * and merges instead of sorting. The first order depends only on the arguments; later ones keep weights that have
 * hardly changed.
 */
export function createDetailOrderer(): DetailOrderer {
  let knownFiles = new Map<string, OrderedFile>();
  let lastOrder: DetailOrder = { files: [], steps: [] };

  return {
    order(records, relevance) {
      const placeFactorOf = createPlaceFactor(relevance, records.length);
      const nextFiles = new Map<string, OrderedFile>();
      const newFiles: OrderedFile[] = [];
      for (const record of records) {
        const previous = knownFiles.get(record.path);
        const unchanged =
          previous && previous.hash === record.hash && previous.tokens === record.tokens ? previous : null;
        const units = unchanged?.units ?? createUnits(record);
        const weights = weighUnits(units, placeFactorOf(record), previous);
        const hasSameWeights =
          unchanged !== null && weights.every((weight, index) => weight === unchanged.weights[index]);
        const file = hasSameWeights
          ? unchanged
          : {
              path: record.path,
              hash: record.hash,
              tokens: record.tokens,
              units,
              weights,
              coarsestTokens: units.reduce((sum, unit) => sum + unit.levels[0]!.tokens, 0),
            };
        nextFiles.set(file.path, file);
        if (!hasSameWeights) newFiles.push(file);
      }
      const staleFiles = new Set([...knownFiles.values()].filter((file) => nextFiles.get(file.path) !== file));
      lastOrder = {
        files: sortFiles(lastOrder.files, nextFiles),
        steps: mergeSteps(lastOrder.steps, staleFiles, newFiles),
      };
      knownFiles = nextFiles;
      return lastOrder;
    },
  };
}

/**
 * The weight of each unit of a file. `placeFactor`: the factor of the file. A weight of `previous` is kept if it
 * differs by less than `WEIGHT_SLACK`.
 */
function weighUnits(units: readonly Unit[], placeFactor: number, previous: OrderedFile | undefined): Int16Array {
  const previousWeights =
    previous && previous.units !== units
      ? new Map(previous.units.map(({ symbols }, index) => [symbols[0] ?? '', previous.weights[index]!]))
      : null;
  return Int16Array.from(units, (unit, index) => {
    const exact = computeLogWeight(unit, placeFactor);
    const keptWeight = previousWeights ? previousWeights.get(unit.symbols[0] ?? '') : previous?.weights[index];
    return keptWeight !== undefined && Math.abs(exact - keptWeight) < WEIGHT_SLACK ? keptWeight : Math.round(exact);
  });
}

/** The files sorted by path. If no path was added or removed, the earlier order is reused. */
function sortFiles(
  previous: readonly OrderedFile[],
  nextFiles: ReadonlyMap<string, OrderedFile>,
): readonly OrderedFile[] {
  if (previous.length === nextFiles.size && previous.every(({ path }) => nextFiles.has(path)))
    return previous.map(({ path }) => nextFiles.get(path)!);
  return [...nextFiles.values()].sort((a, b) => compareStrings(a.path, b.path));
}

/** The earlier steps without the steps of changed files, merged with the steps of the new files. */
function mergeSteps(
  earlierSteps: readonly DetailStep[],
  staleFiles: ReadonlySet<OrderedFile>,
  newFiles: readonly OrderedFile[],
): readonly DetailStep[] {
  if (staleFiles.size === 0 && newFiles.length === 0) return earlierSteps;
  const addedSteps = newFiles.flatMap(collectSteps).sort(compareSteps);
  const mergedSteps: DetailStep[] = [];
  let index = 0;
  for (const step of earlierSteps) {
    if (staleFiles.size > 0 && staleFiles.has(step.file)) continue;
    while (index < addedSteps.length && compareSteps(addedSteps[index]!, step) < 0)
      mergedSteps.push(addedSteps[index++]!);
    mergedSteps.push(step);
  }
  while (index < addedSteps.length) mergedSteps.push(addedSteps[index++]!);
  return mergedSteps;
}

/** The steps from each level of each unit of a file to the next one, with their costs and gains. */
function collectSteps(file: OrderedFile): DetailStep[] {
  const steps: DetailStep[] = [];
  file.units.forEach(({ levels }, unit) => {
    const factor = computeStepFactor(file.weights[unit]!);
    for (let level = 1; level < levels.length; level++) {
      const cost = levels[level]!.tokens - levels[level - 1]!.tokens;
      const gain = factor * (levels[level]!.worth - levels[level - 1]!.worth);
      steps.push({ file, unitIndex: unit, level, cost, gain, density: gain / cost });
    }
  });
  return steps;
}

/** A total order, so that the same repository always gives the same pack. */
function compareSteps(a: DetailStep, b: DetailStep): number {
  return (
    b.density - a.density || compareStrings(a.file.path, b.file.path) || a.unitIndex - b.unitIndex || a.level - b.level
  );
}
