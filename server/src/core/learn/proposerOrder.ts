// Orders the proposers of a role (models and agents) for a rule. Neighbours in a person's list whose costs are of the
// same kind are ordered by a draw of each success rate, divided by the cost (Thompson sampling); the draws are computed
// from the trials, so they are deterministic. A person's preferences take precedence.

import { canonicalJson } from '../../util/canonicalJson.ts';
import { sha256 } from '../../util/hash.ts';
import { computeBetaQuantile } from './betaDistribution.ts';
import { mean, drawUniform } from './strategies.ts';

/** An answer of a proposer with its outcome and its cost. */
export interface ProposerTrial {
  /** The rule of the opportunity, or the kind of the task. */
  readonly rule: string;
  /** The name of the proposer. */
  readonly proposer: string;
  /** True if its change has passed the gates, and no person has turned it down. */
  readonly passed: boolean;
  /**
   * Cost in the unit of the person's prices. If the person has set no price: 0 for a proposer on this machine, null for
   * another one.
   */
  readonly money: number | null;
  /** Number of tokens of the question and the answer; null if unknown. */
  readonly tokens: number | null;
  readonly seconds: number;
  /** Sequence of the event in the ledger. */
  readonly sequence: number;
}

/** The units in which costs of proposers are compared, preferred ones first (see `chooseUnit`). */
const COST_UNITS = ['money', 'tokens', 'seconds'] as const;
/** A unit of costs. */
export type CostUnit = (typeof COST_UNITS)[number];

/**
 * The kind of a proposer. `free`: on this machine, without a price. `local`: on this machine, at a price. `remote`:
 * code goes to a host.
 */
export type ProposerKind = 'free' | 'local' | 'remote';

/** The figures of one proposer for a rule. */
export interface ProposerFigures {
  readonly name: string;
  /** Number of answers for the rule. */
  readonly tries: number;
  /** Number of answers for the rule that passed. */
  readonly passed: number;
  /** Mean of the success rate, from 0 to 1. */
  readonly rate: number;
  /** Lower end of the 95 % interval of the success rate. */
  readonly low: number;
  /** Upper end of the 95 % interval of the success rate. */
  readonly high: number;
  /** Mean cost of an answer for the rule, in `unit`; null if unknown. */
  readonly cost: number | null;
  readonly unit: CostUnit;
  /** The success rate that was drawn. */
  readonly draw: number;
  /** The draw divided by the relative cost. It orders the proposers. */
  readonly worth: number;
}

/** A decision of a person: for this rule, `first` is asked before `second`. */
export interface Preference {
  readonly rule: string;
  readonly first: string;
  readonly second: string;
}

/**
 * The basis of an order. `untried`: no proposer of the list was tried, so the order of the list applies. `drawn`:
 * neighbours of one kind are ordered by their worth. `listed`: the person's settings keep the order of the list.
 * `costly`: the order of the list applies, because any other order could cost more money or send code to a host.
 */
export type OrderBasis = 'untried' | 'drawn' | 'listed' | 'costly';

/** The order in which the proposers of a role are asked for a rule. */
export interface ProposerOrder {
  readonly rule: string;
  readonly basis: OrderBasis;
  /** The proposers in the order in which they are asked. */
  readonly figures: readonly ProposerFigures[];
  /** Preferences of the person that apply to this list. */
  readonly preferences: readonly Preference[];
}

/** The settings on which the order of a list depends. */
export interface OrderOptions {
  readonly preferences: readonly Preference[];
  /** False to keep the order of the list. */
  readonly draws: boolean;
  readonly kindOf: (name: string) => ProposerKind;
}

/** The parameters of the beta distribution of a success rate. */
export type Beta = readonly [a: number, b: number];

/** The weight of the prior rate, as a number of answers. */
const PRIOR_WEIGHT = 2;
/** Limit of the relative cost: a proposer counts as at most this many times cheaper or more expensive than another. */
export const MAX_COST_RATIO = 10;

/**
 * The order of these proposers for one rule. `names`: as the person has listed them. The same trials give the same
 * order, and each further trial changes the draws. A proposer that costs money or sends code to a host never overtakes
 * an earlier one on the list that does not.
 */
export function orderProposers(
  trials: readonly ProposerTrial[],
  rule: string,
  names: readonly string[],
  { preferences, draws, kindOf }: OrderOptions,
): ProposerOrder {
  const knownTrials = trials.filter(({ proposer }) => names.includes(proposer));
  const seed = sha256(canonicalJson(countOutcomes(knownTrials)));
  const groups = groupNeighbours(knownTrials, names, kindOf);
  const figures = groups.map((group) => computeFigures(knownTrials, rule, group, seed));
  const basis = !draws
    ? 'listed'
    : knownTrials.length === 0
      ? 'untried'
      : groups.some(({ length }) => length > 1)
        ? 'drawn'
        : 'costly';
  const ordered = basis === 'drawn' ? figures.map((group) => group.toSorted((a, b) => b.worth - a.worth)) : figures;
  const applyingPreferences = preferences.filter(
    (preference) => preference.rule === rule && names.includes(preference.first) && names.includes(preference.second),
  );
  return {
    rule,
    basis,
    figures: applyPreferences(ordered.flat(), applyingPreferences),
    preferences: applyingPreferences,
  };
}

/**
 * Divides the list into groups of neighbours of one kind. A proposer that may cost money, but whose cost is unknown, is
 * a group of its own.
 */
function groupNeighbours(
  trials: readonly ProposerTrial[],
  names: readonly string[],
  kindOf: OrderOptions['kindOf'],
): readonly (readonly string[])[] {
  const isKnown = (name: string) => trials.some(({ proposer, money }) => proposer === name && money !== null);
  const groups: (readonly [string, ...string[]])[] = [];
  let lastKind: ProposerKind | null = null;
  for (const name of names) {
    const ownKind = kindOf(name);
    const kind = ownKind === 'free' || isKnown(name) ? ownKind : null;
    if (kind !== null && kind === lastKind) groups.push([...groups.pop()!, name]);
    else groups.push([name]);
    lastKind = kind;
  }
  return groups;
}

/** The figures of each proposer of a group. Costs are compared within the group, and for this rule only. */
function computeFigures(
  trials: readonly ProposerTrial[],
  rule: string,
  group: readonly string[],
  seed: string,
): readonly ProposerFigures[] {
  const trialsOfGroup = trials.filter(({ proposer }) => group.includes(proposer));
  const unit = chooseUnit(trialsOfGroup, group);
  const trialsOfRule = trialsOfGroup.filter((trial) => trial.rule === rule);
  const averageCost = mean(collectKnownCosts(trialsOfRule, unit));
  return group.map((name): ProposerFigures => {
    const answers = trialsOfRule.filter(({ proposer }) => proposer === name);
    const beta = computePosterior(trials, rule, name);
    const draw = computeBetaQuantile(drawUniform(seed, `${rule}\n${name}`), ...beta);
    const costs = collectKnownCosts(answers, unit);
    return {
      name,
      tries: answers.length,
      passed: countPassed(answers),
      rate: beta[0] / (beta[0] + beta[1]),
      low: computeBetaQuantile(0.025, ...beta),
      high: computeBetaQuantile(0.975, ...beta),
      cost: mean(costs),
      unit,
      draw,
      worth: draw / computeRelativeCost(costs, averageCost),
    };
  });
}

/**
 * Moves each preferred proposer directly before the other one, if it is behind it. The preferences are applied in their
 * order, so the last one takes precedence.
 */
export function applyPreferences<T extends { readonly name: string }>(
  ordered: readonly T[],
  preferences: readonly Pick<Preference, 'first' | 'second'>[],
): readonly T[] {
  return preferences.reduce((items, { first, second }) => {
    const [from, to] = [first, second].map((name) => items.findIndex((item) => item.name === name)) as [number, number];
    if (from < 0 || to < 0 || from < to) return items;
    return [...items.slice(0, to), items[from]!, ...items.slice(to, from), ...items.slice(from + 1)];
  }, ordered);
}

/**
 * The first unit in which at least half of the answers of each proposer that was tried have a cost. Money is not chosen
 * if no proposer costs any.
 */
export function chooseUnit(trials: readonly ProposerTrial[], names: readonly string[]): CostUnit {
  const groups = names
    .map((name) => trials.filter(({ proposer }) => proposer === name))
    .filter(({ length }) => length > 0);
  const isKnown = (unit: CostUnit) =>
    (unit !== 'money' || collectKnownCosts(trials, unit).some((cost) => cost > 0)) &&
    groups.every((group) => group.filter((trial) => trial[unit] !== null).length * 2 >= group.length);
  return COST_UNITS.find(isKnown) ?? 'seconds';
}

/**
 * The distribution of the success rate of a proposer for a rule. Its prior is the proposer's rate for other rules,
 * whose prior is the rate of all proposers.
 */
function computePosterior(trials: readonly ProposerTrial[], rule: string, name: string): Beta {
  const overallRate = (countPassed(trials) + 1) / (trials.length + 2);
  const trialsOfOtherRules = trials.filter((trial) => trial.proposer === name && trial.rule !== rule);
  const prior = updateRate(overallRate, trialsOfOtherRules);
  return updateRate(
    prior[0] / (prior[0] + prior[1]),
    trials.filter((trial) => trial.proposer === name && trial.rule === rule),
  );
}

/** The distribution of a success rate after these answers. `prior`: the rate that was assumed before them. */
export function updateRate(prior: number, trials: readonly ProposerTrial[]): Beta {
  const passedCount = countPassed(trials);
  return [PRIOR_WEIGHT * prior + passedCount, PRIOR_WEIGHT * (1 - prior) + trials.length - passedCount];
}

/** The known costs of these answers. */
export function collectKnownCosts(trials: readonly ProposerTrial[], unit: CostUnit): readonly number[] {
  return trials.flatMap((trial) => trial[unit] ?? []);
}

/** The expected cost divided by the average. The fewer answers there are, the closer it is to 1. */
function computeRelativeCost(costs: readonly number[], average: number | null): number {
  if (average === null || average <= 0) return 1;
  const sum = costs.reduce((total, cost) => total + cost, 0);
  const expected = (sum + average * PRIOR_WEIGHT) / (costs.length + PRIOR_WEIGHT);
  return Math.min(MAX_COST_RATIO, Math.max(1 / MAX_COST_RATIO, expected / average));
}

/** Number of answers and of passed ones of each proposer for each rule, sorted. */
function countOutcomes(trials: readonly ProposerTrial[]): readonly (readonly [string, number, number])[] {
  const counts = new Map<string, [tries: number, passed: number]>();
  for (const { rule, proposer, passed } of trials) {
    const [tries, passedCount] = counts.get(`${rule}\n${proposer}`) ?? [0, 0];
    counts.set(`${rule}\n${proposer}`, [tries + 1, passedCount + (passed ? 1 : 0)]);
  }
  return [...counts].map(([key, numbers]) => [key, ...numbers] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function countPassed(trials: readonly ProposerTrial[]): number {
  return trials.filter(({ passed }) => passed).length;
}
