// Reads the result of a repository's own benchmark: the points of each dimension, and the places that each is about.
// What lacks the most points comes first.

import { isWithin } from '../../util/within.ts';

/** Path in the repository. Selfware's own is written by `npm run bench -- rubric`. */
export const RUBRIC_PATH = '.selfware/rubric.json';

/** One dimension of a rubric. */
export interface RubricDimension {
  readonly name: string;
  /** The points that were measured and missed. 0 if nothing could be measured, because that shows no weakness. */
  readonly gap: number;
  /** Files and folders that the dimension is about. */
  readonly places: readonly string[];
}

/** The dimensions of a rubric; empty if the text is not one. Points that are null were not measured. */
export function readRubric(text: string): readonly RubricDimension[] {
  try {
    const { version, dimensions } = JSON.parse(text) as { readonly version?: unknown; readonly dimensions?: unknown };
    return version === 1 && Array.isArray(dimensions) ? dimensions.flatMap(dimensionOf) : [];
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return [];
    throw error;
  }
}

function dimensionOf(value: unknown): readonly RubricDimension[] {
  const { name, measured, score, places } = value as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || !Array.isArray(places)) return [];
  const isMeasured = typeof measured === 'number' && typeof score === 'number';
  const gap = isMeasured ? Math.max(0, measured - score) : 0;
  return [{ name, gap: Number.isFinite(gap) ? gap : 0, places: places.filter((place) => typeof place === 'string') }];
}

/** The dimension with the largest gap that is about the file; undefined if none has one. */
export function weakestAt(path: string, rubric: readonly RubricDimension[]): RubricDimension | undefined {
  return rubric
    .filter(({ gap, places }) => gap > 0 && isWithin(path, places))
    .reduce<RubricDimension | undefined>((most, one) => (most && most.gap >= one.gap ? most : one), undefined);
}
