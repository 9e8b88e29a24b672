// Reads the result of a repository's own benchmark: the points of each dimension, and the files and folders that it is
// about. Opportunities there come first if their dimension misses the most points.

import { isWithin } from '../../util/pathWithin.ts';

/**
 * Path of the rubric in the repository. The file of Selfware's own repository is written by `npm run bench -- rubric`.
 */
export const RUBRIC_PATH = '.selfware/rubric.json';

/** Maximum length of a rubric, in characters. A longer text is not read. */
const MAX_CHARACTERS = 200_000;
/**
 * Maximum number of dimensions, maximum number of places of one dimension, and maximum length of a name. What exceeds
 * them is cut off, because each file is looked up in all dimensions.
 */
const [MAX_DIMENSIONS, MAX_PLACES, MAX_NAME_LENGTH] = [20, 30, 60];
/** Maximum gap that counts. A larger one would make the priority infinite. */
const MAX_GAP = 100;

/** One dimension of a rubric. */
export interface RubricDimension {
  readonly name: string;
  /**
   * The points that could be measured and were missed. 0 if nothing could be measured, because that shows no weakness.
   */
  readonly gap: number;
  /** Files and folders that the dimension is about. */
  readonly places: readonly string[];
}

/**
 * The dimensions of a rubric; empty if the text is not one. Points that are null count as not measured, so the
 * dimension has no gap.
 */
export function readRubric(text: string): readonly RubricDimension[] {
  if (text.length > MAX_CHARACTERS) return [];
  try {
    const { version, dimensions } = JSON.parse(text) as { readonly version?: unknown; readonly dimensions?: unknown };
    return version === 1 && Array.isArray(dimensions) ? dimensions.slice(0, MAX_DIMENSIONS).flatMap(readDimension) : [];
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return [];
    throw error;
  }
}

/** The dimension in a parsed value; empty if its name or its places are missing. */
function readDimension(value: unknown): readonly RubricDimension[] {
  const { name, measured, score, places } = value as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || !Array.isArray(places)) return [];
  const missedPoints = typeof measured === 'number' && typeof score === 'number' ? measured - score : 0;
  const gap = Number.isFinite(missedPoints) ? Math.min(MAX_GAP, Math.max(0, missedPoints)) : 0;
  return [
    {
      name: name.slice(0, MAX_NAME_LENGTH),
      gap,
      places: places.slice(0, MAX_PLACES).filter((place) => typeof place === 'string'),
    },
  ];
}

/** The dimension with the largest gap that is about the file; undefined if no dimension about it has a gap. */
export function findWeakestDimension(path: string, rubric: readonly RubricDimension[]): RubricDimension | undefined {
  return rubric
    .filter(({ gap, places }) => gap > 0 && isWithin(path, places))
    .reduce<RubricDimension | undefined>(
      (weakest, dimension) => (weakest && weakest.gap >= dimension.gap ? weakest : dimension),
      undefined,
    );
}
