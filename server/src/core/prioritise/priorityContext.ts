// The data besides the opportunities on which their order depends.

import type { Churn } from './churn.ts';
import type { Decisions } from './calibrate.ts';

export interface PriorityContext {
  /** PageRank of each file in the graph of imports, summing to 1; without it, who imports a file counts. */
  readonly pageRank?: ReadonlyMap<string, number>;
  /** Files that import a file, by path. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** What history says, by path (see `churnOf`). */
  readonly churn?: ReadonlyMap<string, Churn>;
  /** Sum of the cognitive complexity of a file's functions, by path (see `complexityOf`). */
  readonly complexity?: ReadonlyMap<string, number>;
  /** What was decided in this repository, by rule. */
  readonly decisions?: ReadonlyMap<string, Decisions>;
  /** Ids of opportunities that were refused; they come last and are no candidates. */
  readonly refused: Known;
  /** Rules whose last proposals all failed, and that rest until it is worth another try; no candidates. */
  readonly cooling?: Known;
}

/** A set or the keys of a map. */
export interface Known {
  has(key: string): boolean;
}
