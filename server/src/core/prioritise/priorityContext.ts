// The data, in addition to the opportunities, that determine their order.

import type { Churn } from './churn.ts';
import type { Decisions } from './calibrate.ts';
import type { RubricDimension } from './rubric.ts';

/** The data that determine the order. Absent data have no effect. */
export interface PriorityContext {
  /** PageRank of each file in the import graph, with the sum 1; without it, the number of importers counts. */
  readonly pageRank?: ReadonlyMap<string, number>;
  /** Number of files that import a file, by path. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** Churn from the history, by path (see `computeChurn`). */
  readonly churn?: ReadonlyMap<string, Churn>;
  /** Sum of the cognitive complexity of a file's functions, by path (see `sumComplexity`). */
  readonly complexity?: ReadonlyMap<string, number>;
  /** Decisions in this repository, by rule. */
  readonly decisions?: ReadonlyMap<string, Decisions>;
  /** The measurements of the repository's own benchmark. */
  readonly rubric?: readonly RubricDimension[];
  /** Ids of refused opportunities; they come last and are not candidates. */
  readonly refused: KeySet;
  /** Rules whose last proposals all failed. They are paused for a while; their opportunities are not candidates. */
  readonly pausedRules?: KeySet;
  /**
   * How promising it is to try this recipe for this rule now: a score above 0, the higher the better. If absent, all
   * have the same score.
   */
  promising?(rule: string, recipe: string): number;
  /** True if a person does not want the changes of this recipe for this rule. Its opportunities are not candidates. */
  isResting?(rule: string, recipe: string): boolean;
  /** True if this recipe has failed for this rule whenever it was tried. Its opportunities come last. */
  isFailing?(rule: string, recipe: string): boolean;
}

/** A set or the keys of a map. */
export interface KeySet {
  has(key: string): boolean;
}
