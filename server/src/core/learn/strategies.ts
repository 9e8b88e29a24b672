// Estimates from earlier trials which recipe or proposer succeeds for which rule (a strategy), and orders the
// strategies by Thompson sampling (Thompson, "On the Likelihood That One Unknown Probability Exceeds Another", 1933).
// The draws are computed from the trials, so they are deterministic.

import { canonicalJson } from '../../util/canonicalJson.ts';
import { sha256 } from '../../util/hash.ts';
import { computeBetaQuantile } from './betaDistribution.ts';

/** One finished trial of a recipe or a proposer. */
export interface Trial {
  /** Id of the proposal, or of the question that led to none. */
  readonly id: string;
  readonly rule: string;
  /** The recipe, or the proposer by the name that the person gave it. */
  readonly by: string;
  /** True if the change was kept, or committed to the branch of a night. */
  readonly kept: boolean;
  /** True if a person rejected the change. */
  readonly unwanted: boolean;
  /** Seconds of the gates and the proposer; null if unknown. */
  readonly seconds: number | null;
  readonly tokens: number;
}

/** The results of one recipe or proposer for one rule. */
export interface Strategy {
  readonly rule: string;
  readonly by: string;
  readonly tries: number;
  readonly kept: number;
  /** Number of changes that a person rejected. */
  readonly unwanted: number;
  /** True if it is no longer tried unasked, because a person rejected its changes. */
  readonly resting: boolean;
  /** Mean of the success rate, from 0 to 1. */
  readonly rate: number;
  /** Lower end of the 95 % interval of the success rate. */
  readonly low: number;
  /** Upper end of the 95 % interval of the success rate. */
  readonly high: number;
  /** Mean seconds of the trials whose duration is known; null if there are none. */
  readonly seconds: number | null;
  /** Mean tokens of a trial. */
  readonly tokens: number;
}

/**
 * Returns the score of a strategy: the higher it is, the better it is to try this rule with this recipe or proposer
 * now. Always greater than 0.
 */
export type PromiseScore = (rule: string, maker: string) => number;

/** The overall success rate weighs as much as this many trials of one strategy. */
const PRIOR_WEIGHT = 2;
/**
 * Minimum number of changes of a strategy that a person has to reject before it rests. It does not rest while as many
 * were kept.
 */
const UNWANTED_BEFORE_REST = 2;
/** Minimum number of trials of a strategy that counts as failing because none of its changes was kept. */
const TRIES_BEFORE_FAILED = 2;
/** Limit of the relative cost: a strategy counts as at most this many times cheaper or costlier than the average. */
const MAX_COST_RATIO = 3;

/** The strategies, those with most trials first. */
export function collectStrategies(trials: readonly Trial[]): readonly Strategy[] {
  const prior = computePrior(trials);
  return [...groupByStrategy(trials)]
    .map(([, group]): Strategy => {
      const { rule, by } = group[0]!;
      const keptCount = countKept(group);
      const [a, b] = computePosterior(prior, keptCount, group.length);
      return {
        rule,
        by,
        tries: group.length,
        kept: keptCount,
        unwanted: countUnwanted(group),
        resting: isResting(group),
        rate: a / (a + b),
        low: computeBetaQuantile(0.025, a, b),
        high: computeBetaQuantile(0.975, a, b),
        seconds: computeMeanSeconds(group),
        tokens: mean(group.map(({ tokens }) => tokens)) ?? 0,
      };
    })
    .toSorted(
      (x, y) => y.tries - x.tries || (createStrategyKey(x.rule, x.by) < createStrategyKey(y.rule, y.by) ? -1 : 1),
    );
}

/**
 * Returns a function that gives the promise of each strategy: a draw of its success rate, divided by its relative
 * duration. All strategies without a trial share one draw, so that only their priority orders them. The same history
 * gives the same draws, and each finished trial changes them.
 */
export function createPromiseScore(trials: readonly Trial[]): PromiseScore {
  if (trials.length === 0) return () => 1;
  const groups = groupByStrategy(trials);
  const seed = sha256(
    canonicalJson([...groups].map(([key, group]) => [key, countKept(group), group.length]).toSorted()),
  );
  const prior = computePrior(trials);
  const average = computeMeanSeconds(trials);
  const draws = new Map(
    [...groups].map(([key, group]) => {
      const [a, b] = computePosterior(prior, countKept(group), group.length);
      return [
        key,
        computeBetaQuantile(drawUniform(seed, key), a, b) /
          computeCostRatio(computeMeanSeconds(group), group.length, average),
      ];
    }),
  );
  const untriedPromise = computeBetaQuantile(drawUniform(seed, ''), ...computePosterior(prior, 0, 0));
  return (rule, maker) => draws.get(createStrategyKey(rule, maker)) ?? untriedPromise;
}

/**
 * Returns a function that is true for resting strategies: a person rejected at least two of their changes, and more
 * than were kept. If more are kept later, or if the person forgets the lesson, the strategy is tried again.
 */
export function createRestingTest(trials: readonly Trial[]): (rule: string, maker: string) => boolean {
  const restingKeys = new Set([...groupByStrategy(trials)].flatMap(([key, group]) => (isResting(group) ? [key] : [])));
  return (rule, maker) => restingKeys.has(createStrategyKey(rule, maker));
}

/** Returns a function that is true for strategies that were tried at least twice and failed each time. */
export function createFailingTest(trials: readonly Trial[]): (rule: string, maker: string) => boolean {
  const failingKeys = new Set(
    [...groupByStrategy(trials)].flatMap(([key, group]) =>
      group.length >= TRIES_BEFORE_FAILED && countKept(group) === 0 ? [key] : [],
    ),
  );
  return (rule, maker) => failingKeys.has(createStrategyKey(rule, maker));
}

/** The trials of each strategy, by its key. */
function groupByStrategy(trials: readonly Trial[]): ReadonlyMap<string, readonly Trial[]> {
  const groups = new Map<string, Trial[]>();
  for (const trial of trials) {
    const key = createStrategyKey(trial.rule, trial.by);
    const group = groups.get(key);
    if (group) group.push(trial);
    else groups.set(key, [trial]);
  }
  return groups;
}

function countKept(trials: readonly Trial[]): number {
  return trials.filter(({ kept }) => kept).length;
}

function countUnwanted(trials: readonly Trial[]): number {
  return trials.filter(({ unwanted }) => unwanted).length;
}

function isResting(trials: readonly Trial[]): boolean {
  const unwanted = countUnwanted(trials);
  return unwanted >= UNWANTED_BEFORE_REST && unwanted > countKept(trials);
}

/** The success rate of all trials. One success and one failure are added, so that it is neither 0 nor 1. */
function computePrior(trials: readonly Trial[]): number {
  return (countKept(trials) + 1) / (trials.length + 2);
}

/** The parameters of the beta distribution of a success rate. */
function computePosterior(prior: number, keptCount: number, tries: number): [number, number] {
  return [PRIOR_WEIGHT * prior + keptCount, PRIOR_WEIGHT * (1 - prior) + tries - keptCount];
}

/**
 * The expected duration of a trial divided by the average; 1 if either is unknown. The fewer trials there are, the
 * closer it is to 1.
 */
function computeCostRatio(seconds: number | null, tries: number, average: number | null): number {
  if (seconds === null || average === null || average <= 0) return 1;
  const expected = (seconds * tries + average * PRIOR_WEIGHT) / (tries + PRIOR_WEIGHT);
  return Math.min(MAX_COST_RATIO, Math.max(1 / MAX_COST_RATIO, expected / average));
}

/** A number between 0 and 1, both excluded, that depends only on the texts and is uniformly distributed. */
export function drawUniform(seed: string, key: string): number {
  const bits = Number.parseInt(sha256(`${seed}\n${key}`).slice(0, 12), 16);
  return (bits + 0.5) / 2 ** 48;
}

function createStrategyKey(rule: string, maker: string): string {
  return `${rule}\n${maker}`;
}

function computeMeanSeconds(trials: readonly Trial[]): number | null {
  return mean(trials.flatMap(({ seconds }) => (seconds === null ? [] : [seconds])));
}

/** The mean of the values; null if there are none. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
