// Computes the weight of a unit in a context pack: how important it is to show it in detail, by its place in the
// repository.

import { isTestFile } from '../paths/tests.ts';
import type { Unit } from './packingUnits.ts';
import type { Commit } from '../ports/git.ts';
import type { FileRecord } from '../ports/catalogue.ts';

/** The input of the weights in addition to the units. */
export interface Relevance {
  /** Number of files that import each file. */
  readonly inDegree: ReadonlyMap<string, number>;
  /** PageRank of files; sums to 1. */
  readonly rank?: ReadonlyMap<string, number>;
  /** Recent history, newest first. */
  readonly commits?: readonly Commit[];
}

/**
 * Number of steps to which weights are rounded per doubling: a step is a factor of 2^(1/4), so that tiny changes have
 * no effect.
 */
const STEPS_PER_OCTAVE = 4;

/** Factor for exported definitions, which are more important for understanding a file than others. */
const EXPORTED_FACTOR = 1.5;
/** Factor for generated code, which is of little importance for understanding a repository. */
const GENERATED_FACTOR = 0.1;
/** Factor for tests, which are less important than the code that they test. */
const TEST_FACTOR = 0.5;
/** Factor for files without a grammar, which are usually data. */
const UNKNOWN_LANGUAGE_FACTOR = 0.7;
/** Maximum number of newest commits that count: older ones do not show where people work now. */
const MAX_COMMITS = 1000;

/**
 * Returns a function that computes the factor of a file: higher if many files import it or commits touch it, lower for
 * generated files, tests and files without a grammar. `files`: the number of all files.
 */
export function createPlaceFactor(
  { inDegree, rank, commits }: Relevance,
  files: number,
): (record: FileRecord) => number {
  const commitCounts = countCommitsByPath(commits ?? []);
  return ({ path, generated, language }) => {
    const importFactor =
      1 + Math.log2(1 + (inDegree.get(path) ?? 0)) / 2 + Math.log2(1 + (rank?.get(path) ?? 0) * files) / 2;
    const churnFactor = 1 + Math.log2(1 + (commitCounts.get(path) ?? 0)) / 4;
    return (
      importFactor *
      churnFactor *
      (generated ? GENERATED_FACTOR : 1) *
      (isTestFile(path) ? TEST_FACTOR : 1) *
      (language === null ? UNKNOWN_LANGUAGE_FACTOR : 1)
    );
  };
}

/** A unit's weight in steps, not rounded yet. `placeFactor`: the factor of its file. */
export function computeLogWeight(unit: Unit, placeFactor: number): number {
  return STEPS_PER_OCTAVE * Math.log2(placeFactor * (unit.exported ? EXPORTED_FACTOR : 1));
}

/** The factor that a weight in steps stands for. */
export function computeStepFactor(step: number): number {
  return 2 ** (step / STEPS_PER_OCTAVE);
}

function countCommitsByPath(commits: readonly Commit[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { paths } of commits.slice(0, MAX_COMMITS))
    for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}
