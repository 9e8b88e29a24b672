// Folds the measures of a tree into points on the ruler. Pure: equal sums give equal points, to the last bit.

import {
  CATEGORIES,
  type Category,
  type CategoryPoints,
  type InputPoints,
  type Measures,
  type Points,
} from '../model.ts';
import { INPUT_MAX, MAX_POINTS, NEEDS_BY_INPUT, ruler, type DensityInput, type ShareInput } from './ruler.ts';

/**
 * Scores a tree in unrounded points. An input that no file measured is unknown: it is named in the result, earns
 * nothing, and does not change the value of other inputs.
 */
export function scoreTree(measures: Iterable<Measures>): Points {
  return foldSums(sumMeasures(measures));
}

/**
 * Unrounded points of a tree from the sums of its measures. `reasons`: by input, the reason why it is unknown. Without
 * an entry, the requirements of the input are the reason. An input that `isCounted` rejects is treated as unmeasured.
 */
export function foldSums(
  sums: ReadonlyMap<string, number>,
  reasons: Readonly<Record<string, string>> = {},
  isCounted: (input: string) => boolean = () => true,
): Points {
  const categories = Object.fromEntries(
    CATEGORIES.map((category) => [category, scoreCategory(category, sums, isCounted)]),
  ) as unknown as Points['categories'];
  const unknownInputs = CATEGORIES.flatMap((category) => categories[category].unknown);
  return {
    ruler: { version: ruler.version, hash: ruler.hash },
    total: CATEGORIES.reduce((total, category) => total + (categories[category].points ?? 0), 0),
    max: MAX_POINTS,
    categories,
    why: Object.fromEntries(unknownInputs.map((input) => [input, reasons[input] ?? NEEDS_BY_INPUT[input] ?? ''])),
  };
}

/** The sum of each measure over all files. It is independent of their order, because measures are integers. */
export function sumMeasures(measures: Iterable<Measures>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const file of measures)
    for (const [name, value] of Object.entries(file)) sums.set(name, (sums.get(name) ?? 0) + value);
  return sums;
}

function scoreCategory(
  category: Category,
  sums: ReadonlyMap<string, number>,
  isCounted: (input: string) => boolean,
): CategoryPoints {
  const inputs = ruler.definition.inputs
    .filter((input) => input.category === category)
    .map((input): InputPoints => {
      const share = isCounted(input.name) ? computeShare(input, sums) : null;
      const max = INPUT_MAX[input.name] ?? 0;
      return { name: input.name, points: share === null ? null : max * share, max };
    });
  const measuredInputs = inputs.filter(({ points }) => points !== null);
  return {
    points: measuredInputs.length === 0 ? null : measuredInputs.reduce((sum, { points }) => sum + (points ?? 0), 0),
    max: ruler.definition.max[category],
    unknown: inputs.filter(({ points }) => points === null).map(({ name }) => name),
    inputs,
  };
}

/**
 * The share of its points that an input earns, 0–1; null if it was not measured, or if there was nothing to measure.
 */
export function computeShare(input: DensityInput | ShareInput, sums: ReadonlyMap<string, number>): number | null {
  const size = sums.get(input.per);
  if (size === undefined) return null;
  if (input.kind === 'share') return size === 0 ? null : (sums.get(input.of) ?? 0) / size;
  if (!Object.keys(input.of).some((name) => sums.has(name))) return null;
  const amount = computeWeightedSum(input, (name) => sums.get(name) ?? 0);
  if (size === 0 && amount === 0) return null;
  const density = (1000 * amount) / Math.max(ruler.definition.leastSize, size);
  return input.half / (input.half + density);
}

/** The weighted sum of the measures of an input. `measure` returns the value of a measure. */
export function computeWeightedSum(input: DensityInput, measure: (name: string) => number): number {
  return Object.entries(input.of).reduce((total, [name, weight]) => total + weight * measure(name), 0);
}
