// Defines the dimensions of the rubric and the folders of Selfware's sources to which each belongs, sums up its points,
// and writes the result.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RUBRIC_PATH } from '../../../server/src/core/prioritise/rubric.ts';

/** The maximum of each dimension, and the folders whose code it runs. */
export const DIMENSIONS = {
  'edit success': {
    max: 24,
    places: ['server/src/core/propose', 'server/src/core/recipes', 'server/src/core/rules', 'server/src/core/syntax'],
  },
  'file discovery': {
    max: 12,
    places: ['server/src/core/index', 'server/src/core/session/search', 'server/src/core/session/index'],
  },
  'task completion': {
    max: 21,
    places: ['server/src/core/session', 'server/src/core/proposers', 'server/src/app', 'server/src/cli/commands'],
  },
  'self-healing': {
    max: 10,
    places: [
      'server/src/core/apply',
      'server/src/adapters/sqlite',
      'server/src/adapters/lancedb',
      'server/src/core/run',
    ],
  },
  speed: { max: 10, places: ['server/src/core/index', 'server/src/core/session/index', 'server/src/adapters/lexical'] },
} as const;

/** The name of a dimension. */
export type DimensionName = keyof typeof DIMENSIONS;

/** One fixed task of a dimension. */
export interface Item {
  readonly dimension: DimensionName;
  readonly name: string;
  readonly max: number;
  /** Null if it could not be measured. */
  readonly score: number | null;
  /** The observation behind the score, in a few words. */
  readonly seen: string;
}

/** The points of one dimension. `measured`: the maximum of the items that could be measured. */
export interface DimensionResult {
  readonly name: DimensionName;
  readonly max: number;
  readonly measured: number | null;
  readonly score: number | null;
  readonly places: readonly string[];
  readonly items: readonly Omit<Item, 'dimension'>[];
}

/** Sums the items of each dimension. A dimension without a measured item is null. */
export function summariseDimensions(items: readonly Item[]): readonly DimensionResult[] {
  return Object.entries(DIMENSIONS).map(([name, { max, places }]) => {
    const itemsOfDimension = items.filter(({ dimension }) => dimension === name);
    const measuredItems = itemsOfDimension.filter(({ score }) => score !== null);
    const sum = (values: readonly number[]) =>
      values.length === 0 ? null : Math.round(values.reduce((total, value) => total + value, 0) * 10) / 10;
    return {
      name: name as DimensionName,
      max,
      measured: sum(measuredItems.map((item) => item.max)),
      score: sum(measuredItems.map((item) => item.score!)),
      places,
      items: itemsOfDimension.map(({ dimension: _dimension, ...item }) => item),
    };
  });
}

/** Writes the result to the file from which Selfware reads it. Returns the path. */
export function writeRubric(root: string, commit: string, dimensions: readonly DimensionResult[]): string {
  const path = join(root, RUBRIC_PATH);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ version: 1, commit, dimensions }, null, 1)}\n`);
  return path;
}
