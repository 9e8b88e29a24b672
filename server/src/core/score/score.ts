// Folds the measures of a tree into points on the ruler. Pure: equal sums give equal points, to the last bit.

import { CATEGORIES, type Category, type Measures, type Points } from '../model.ts';
import { NEEDS, ruler, type DensityInput, type ShareInput } from './ruler.ts';

/**
 * Unrounded points. An input that no file measured is unknown: it is named, and its share goes to the category's known inputs.
 * `reasons` says why, by input, where more is known than what it needs.
 */
export function scoreTree(measures: Iterable<Measures>, reasons: Readonly<Record<string, string>> = {}): Points {
  return foldSums(sumOf(measures), reasons);
}

/** Points of a tree whose measures are summed already. */
export function foldSums(sums: ReadonlyMap<string, number>, reasons: Readonly<Record<string, string>> = {}): Points {
  const categories = Object.fromEntries(CATEGORIES.map((category) => [category, scoreCategory(category, sums)])) as unknown as Points['categories'];
  const known = CATEGORIES.filter((category) => categories[category].points !== null);
  return {
    ruler: { version: ruler.version, hash: ruler.hash },
    total: known.reduce((total, category) => total + (categories[category].points ?? 0), 0),
    max: known.reduce((total, category) => total + categories[category].max, 0),
    categories,
    why: Object.fromEntries(CATEGORIES.flatMap((category) => categories[category].unknown).map((input) => [input, reasons[input] ?? NEEDS[input] ?? ''])),
  };
}

/** Measures are integers, so the order of the files does not matter. */
export function sumOf(measures: Iterable<Measures>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const file of measures) for (const [name, value] of Object.entries(file)) sums.set(name, (sums.get(name) ?? 0) + value);
  return sums;
}

function scoreCategory(category: Category, sums: ReadonlyMap<string, number>): Points['categories'][Category] {
  const max = ruler.definition.max[category];
  const unknown: string[] = [];
  let earned = 0;
  let weights = 0;
  for (const input of ruler.definition.inputs) {
    if (input.category !== category) continue;
    const share = shareOf(input, sums);
    if (share === null) unknown.push(input.name);
    else {
      earned += input.weight * share;
      weights += input.weight;
    }
  }
  return { points: weights === 0 ? null : (max * earned) / weights, max, unknown };
}

/** 0–1, or null when it was not measured. */
export function shareOf(input: DensityInput | ShareInput, sums: ReadonlyMap<string, number>): number | null {
  const per = sums.get(input.per);
  if (per === undefined) return null;
  if (input.kind === 'share') return per === 0 ? null : (sums.get(input.of) ?? 0) / per;
  const counted = Object.keys(input.of).filter((name) => sums.has(name));
  if (counted.length === 0) return null;
  const amount = counted.reduce((total, name) => total + (input.of[name] ?? 0) * (sums.get(name) ?? 0), 0);
  if (per === 0 && amount === 0) return null;
  const density = (1000 * amount) / Math.max(1, per);
  return input.half / (input.half + density);
}
