// Finds pairs of proposers in the wrong order for a rule: the later one on a person's list has had more success per
// cost, with a probability of at least 95 %.

import { computeBetaQuantile, computeBetaShare } from './betaDistribution.ts';
import {
  applyPreferences,
  chooseUnit,
  collectKnownCosts,
  MAX_COST_RATIO,
  updateRate,
  type Beta,
  type CostUnit,
  type Preference,
  type ProposerTrial,
} from './proposerOrder.ts';
import { mean } from './strategies.ts';

/** The answers of one proposer for a rule. */
export interface ComparedProposer {
  readonly name: string;
  readonly tries: number;
  readonly passed: number;
  /** Mean cost of an answer, in the unit of the comparison; null if unknown. */
  readonly cost: number | null;
}

/** A pair of proposers with the evidence that `first` is better for the rule. */
export interface BetterProposer extends Preference {
  /** The probability that `first` has more success per cost, from 0 to 1. */
  readonly probability: number;
  readonly unit: CostUnit;
  readonly better: ComparedProposer;
  readonly worse: ComparedProposer;
  /** Sequences of the events with the answers of both proposers, ascending. */
  readonly events: readonly number[];
}

/** The proposers of a role in the person's order, and the answers to tasks of the role. */
export interface RoleTrials {
  readonly names: readonly string[];
  readonly trials: readonly ProposerTrial[];
}

/** Minimum number of answers that each proposer of a pair has given. */
const MIN_TRIES = 8;
/** Minimum probability that the later proposer is better. */
const MIN_PROBABILITY = 0.95;
/** Number of quantiles by which the distribution of a rate is represented. */
const QUANTILE_COUNT = 100;
/** Nodes and weights of the Gauss–Hermite quadrature with five nodes, for the standard normal distribution. */
const NORMAL_NODES: readonly (readonly [node: number, weight: number])[] = [
  [-2.85697, 0.011257],
  [-1.355626, 0.222076],
  [0, 0.533333],
  [1.355626, 0.222076],
  [2.85697, 0.011257],
];

/**
 * The pairs in which the proposer that is asked later is better, the most certain first. `lists`: for each role, its
 * proposers in the person's order, and the answers to its tasks. `preferences`: the person's decisions that change this
 * order for a rule.
 */
export function findBetterProposers(
  lists: readonly RoleTrials[],
  preferences: readonly Preference[],
): readonly BetterProposer[] {
  const betterByRule = new Map<string, BetterProposer>();
  for (const { names: list, trials } of lists) {
    for (const rule of [...new Set(trials.map((trial) => trial.rule))].toSorted()) {
      const trialsOfRule = trials.filter((trial) => trial.rule === rule);
      const names = applyPreferences(
        list.map((name) => ({ name })),
        preferences.filter((preference) => preference.rule === rule),
      ).map(({ name }) => name);
      for (const [index, second] of names.entries())
        for (const first of names.slice(index + 1)) {
          const better = compareProposers(trialsOfRule, rule, first, second);
          if (better) betterByRule.set(`${rule}\n${first}\n${second}`, better);
        }
    }
  }
  return [...betterByRule.values()].toSorted((a, b) => b.probability - a.probability);
}

/** The evidence that `first` is better than `second`; null if there is not enough. */
function compareProposers(
  trials: readonly ProposerTrial[],
  rule: string,
  first: string,
  second: string,
): BetterProposer | null {
  const trialsOf = (name: string) => trials.filter(({ proposer }) => proposer === name);
  const [better, worse] = [trialsOf(first), trialsOf(second)];
  if (better.length < MIN_TRIES || worse.length < MIN_TRIES) return null;
  const unit = chooseUnit([...better, ...worse], [first, second]);
  const probability = computeProbabilityOfBetter(better, worse, unit);
  if (probability < MIN_PROBABILITY) return null;
  const createFigures = (name: string, answers: readonly ProposerTrial[]): ComparedProposer => ({
    name,
    tries: answers.length,
    passed: answers.filter(({ passed }) => passed).length,
    cost: mean(collectKnownCosts(answers, unit)),
  });
  return {
    rule,
    first,
    second,
    probability,
    unit,
    better: createFigures(first, better),
    worse: createFigures(second, worse),
    events: [...better, ...worse].map(({ sequence }) => sequence).toSorted((a, b) => a - b),
  };
}

/**
 * The probability that the first proposer has more success per cost than the second. Both start from the same prior
 * rate, which is the success rate of all their answers. The ratio of their mean costs counts as log-normally
 * distributed around the measured ratio.
 */
export function computeProbabilityOfBetter(
  better: readonly ProposerTrial[],
  worse: readonly ProposerTrial[],
  unit: CostUnit,
): number {
  const allTrials = [...better, ...worse];
  const prior = (allTrials.filter(({ passed }) => passed).length + 1) / (allTrials.length + 2);
  const rateOfBetter = updateRate(prior, better);
  const quantiles = computeQuantiles(updateRate(prior, worse));
  const isHigher = (factor: number) =>
    mean(quantiles.map((quantile) => 1 - computeBetaShare(Math.min(1, quantile * factor), ...rateOfBetter))) ?? 0;
  const [cost, otherCost] = [collectKnownCosts(better, unit), collectKnownCosts(worse, unit)];
  const [meanCost, otherMean] = [mean(cost) ?? 0, mean(otherCost) ?? 0];
  if (meanCost <= 0 && otherMean <= 0) return isHigher(1);
  const ratio = meanCost <= 0 ? 1 / MAX_COST_RATIO : otherMean <= 0 ? MAX_COST_RATIO : meanCost / otherMean;
  const deviation = Math.sqrt(computeRelativeVariance(cost) + computeRelativeVariance(otherCost));
  return NORMAL_NODES.reduce(
    (sum, [node, weight]) => sum + weight * isHigher(clamp(ratio * Math.exp(node * deviation))),
    0,
  );
}

/** Quantiles that represent the distribution of a rate: the medians of `QUANTILE_COUNT` ranges that are equally probable. */
function computeQuantiles(rate: Beta): readonly number[] {
  return Array.from({ length: QUANTILE_COUNT }, (_, index) =>
    computeBetaQuantile((index + 0.5) / QUANTILE_COUNT, ...rate),
  );
}

/** The variance of the mean of these costs, relative to the square of that mean; 0 if it is unknown. */
function computeRelativeVariance(costs: readonly number[]): number {
  const average = mean(costs);
  if (average === null || average <= 0 || costs.length < 2) return 0;
  const squares = costs.reduce((sum, cost) => sum + (cost - average) ** 2, 0);
  return squares / (costs.length - 1) / costs.length / average ** 2;
}

/** The ratio of costs within the limits of `MAX_COST_RATIO`. */
function clamp(ratio: number): number {
  return Math.min(MAX_COST_RATIO, Math.max(1 / MAX_COST_RATIO, ratio));
}
