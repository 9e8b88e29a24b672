// The data that determine the order of opportunities, in addition to the opportunities themselves.

import type { Churn } from './churn.ts';
import type { Decisions } from './calibrate.ts';
import type { RubricDimension } from './rubric.ts';

/** The data that determine the order of opportunities. Absent data have no effect. */
export interface PriorityContext {
  /** PageRank of each file in the import graph, by path; the sum is 1. If absent, the number of importers counts. */
  readonly pageRank?: ReadonlyMap<string, number>;
  /** Number of files that import a file, by path. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** Churn from the history, by path (`computeChurn`). */
  readonly churn?: ReadonlyMap<string, Churn>;
  /** Sum of the cognitive complexity of a file's functions, by path (`sumComplexity`). */
  readonly complexity?: ReadonlyMap<string, number>;
  /** Decisions in this repository, by rule. */
  readonly decisions?: ReadonlyMap<string, Decisions>;
  /** The dimensions of the repository's own benchmark, with the points that they miss. */
  readonly rubric?: readonly RubricDimension[];
  /** Ids of refused opportunities; they come last and are not candidates. */
  readonly refused: KeySet;
  /** Rules whose last proposals all failed. They are paused for a while; their opportunities are not candidates. */
  readonly pausedRules?: KeySet;
  /**
   * How promising it is to try this recipe for this rule now: a factor above 0, higher if more promising. If the
   * function is absent, the factor is 1.
   */
  promising?(rule: string, recipe: string): number;
  /** True if a person does not want the changes of this recipe for this rule. Its opportunities are not candidates. */
  isResting?(rule: string, recipe: string): boolean;
  /** True if this recipe has failed for this rule whenever it was tried. Its opportunities come last. */
  isFailing?(rule: string, recipe: string): boolean;
}

/** A set of keys; a map can also be used. */
export interface KeySet {
  has(key: string): boolean;
}
