// Orders the proposers of a role for a rule: by a draw of each success rate, per cost (Thompson sampling). Whoever a
// person prefers comes first. The draws are computed from the trials, so they are deterministic.

import { canonicalJson } from '../../util/canonicalJson.ts';
import { sha256 } from '../../util/hash.ts';
import { betaQuantile } from './betaDistribution.ts';
import { mean, uniform } from './strategies.ts';

/** An answer of a proposer with its outcome and its cost. */
export interface ProposerTrial {
  /** The rule of the opportunity, or the kind of the task. */
  readonly rule: string;
  /** The name of the proposer. */
  readonly by: string;
  /** True if its change has passed the gates, and no person has turned it down. */
  readonly passed: boolean;
  /** In the unit of the person's prices; null without a price. */
  readonly money: number | null;
  /** Null if unknown. */
  readonly tokens: number | null;
  readonly seconds: number;
  /** Sequence of the event in the ledger. */
  readonly sequence: number;
}

/** The unit in which proposers are compared: the first one that is known of each that was tried. */
export const COST_UNITS = ['money', 'tokens', 'seconds'] as const;
export type CostUnit = (typeof COST_UNITS)[number];

/** What is known of one proposer for a rule. */
export interface ProposerFigures {
  readonly name: string;
  /** Number of answers for the rule, and of those that passed. */
  readonly tries: number;
  readonly passed: number;
  /** Mean and 95 % interval of the success rate, from 0 to 1. */
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  /** Mean cost of an answer, in the unit of the order; null if unknown. */
  readonly cost: number | null;
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
 * `untried`: nobody on the list was tried, so its order holds. `drawn`: by the worth. `listed`: the person's settings
 * keep the order of the list.
 */
export type OrderBasis = 'untried' | 'drawn' | 'listed';

/** The order in which the proposers of a role are asked for a rule. */
export interface ProposerOrder {
  readonly rule: string;
  readonly basis: OrderBasis;
  readonly unit: CostUnit;
  /** In the order in which they are asked. */
  readonly figures: readonly ProposerFigures[];
  /** Preferences of the person that apply to this list. */
  readonly preferences: readonly Preference[];
}

/** The parameters of the beta distribution of a success rate. */
export type Beta = readonly [a: number, b: number];

/** What was known before counts as this many answers. */
const PRIOR_WEIGHT = 2;
/** Limit of the relative cost: each counts as at most this many times cheaper or dearer than another. */
export const MAX_COST_RATIO = 10;

/**
 * The order for one rule of these proposers. `names`: as the person has listed them. `draws`: false if the order of the
 * list holds. The same trials give the same order, and each further one changes the draws.
 */
export function orderProposers(
  trials: readonly ProposerTrial[],
  rule: string,
  names: readonly string[],
  { preferences, draws }: { readonly preferences: readonly Preference[]; readonly draws: boolean },
): ProposerOrder {
  const known = trials.filter(({ by }) => names.includes(by));
  const unit = chooseUnit(known, names);
  const average = mean(known.flatMap((trial) => trial[unit] ?? []));
  const seed = sha256(canonicalJson(countOutcomes(known)));
  const figures = names.map((name): ProposerFigures => {
    const trialsForRule = known.filter((trial) => trial.by === name && trial.rule === rule);
    const beta = posterior(known, rule, name);
    const draw = betaQuantile(uniform(seed, `${rule}\n${name}`), ...beta);
    const costs = costsOf(known, rule, name, unit);
    return {
      name,
      tries: trialsForRule.length,
      passed: trialsForRule.filter(({ passed }) => passed).length,
      rate: beta[0] / (beta[0] + beta[1]),
      low: betaQuantile(0.025, ...beta),
      high: betaQuantile(0.975, ...beta),
      cost: mean(costs),
      draw,
      worth: draw / relativeCost(costs, average),
    };
  });
  const basis = !draws ? 'listed' : known.length === 0 ? 'untried' : 'drawn';
  const ordered = basis === 'drawn' ? figures.toSorted((a, b) => b.worth - a.worth) : figures;
  const applying = preferences.filter(
    (preference) => preference.rule === rule && names.includes(preference.first) && names.includes(preference.second),
  );
  return { rule, basis, unit, figures: applyPreferences(ordered, applying), preferences: applying };
}

/** Moves whoever is preferred directly before the other one; the newest preference is applied last. */
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

/** The first unit in which at least half of the answers of each proposer that was tried have a cost. */
export function chooseUnit(trials: readonly ProposerTrial[], names: readonly string[]): CostUnit {
  const groups = names.map((name) => trials.filter(({ by }) => by === name)).filter(({ length }) => length > 0);
  const isKnown = (unit: CostUnit) =>
    groups.every((group) => group.filter((trial) => trial[unit] !== null).length * 2 >= group.length);
  return COST_UNITS.find(isKnown) ?? 'seconds';
}

/**
 * The success rate of a proposer for a rule. What is known before an answer for this rule is its rate for other rules,
 * and before any answer the rate of all proposers.
 */
function posterior(trials: readonly ProposerTrial[], rule: string, name: string): Beta {
  const overall = (countPassed(trials) + 1) / (trials.length + 2);
  const elsewhere = trials.filter((trial) => trial.by === name && trial.rule !== rule);
  const prior = update(overall, elsewhere);
  return update(
    prior[0] / (prior[0] + prior[1]),
    trials.filter((trial) => trial.by === name && trial.rule === rule),
  );
}

/** The distribution of a success rate that was `prior` before these answers. */
export function update(prior: number, trials: readonly ProposerTrial[]): Beta {
  const passedCount = countPassed(trials);
  return [PRIOR_WEIGHT * prior + passedCount, PRIOR_WEIGHT * (1 - prior) + trials.length - passedCount];
}

/** The costs of a proposer's answers for the rule or, if there are none, for all rules. */
function costsOf(trials: readonly ProposerTrial[], rule: string, name: string, unit: CostUnit): readonly number[] {
  const answers = trials.filter(({ by }) => by === name);
  const forRule = answers.filter((trial) => trial.rule === rule).flatMap((trial) => trial[unit] ?? []);
  return forRule.length > 0 ? forRule : answers.flatMap((trial) => trial[unit] ?? []);
}

/** The expected cost divided by the average. The fewer answers there are, the closer it is to 1. */
function relativeCost(costs: readonly number[], average: number | null): number {
  if (average === null || average <= 0) return 1;
  const sum = costs.reduce((total, cost) => total + cost, 0);
  const expected = (sum + average * PRIOR_WEIGHT) / (costs.length + PRIOR_WEIGHT);
  return Math.min(MAX_COST_RATIO, Math.max(1 / MAX_COST_RATIO, expected / average));
}

/** Number of answers and of passed ones of each proposer for each rule, sorted. */
function countOutcomes(trials: readonly ProposerTrial[]): readonly (readonly [string, number, number])[] {
  const counts = new Map<string, [tries: number, passed: number]>();
  for (const { rule, by, passed } of trials) {
    const [tries, passedCount] = counts.get(`${rule}\n${by}`) ?? [0, 0];
    counts.set(`${rule}\n${by}`, [tries + 1, passedCount + (passed ? 1 : 0)]);
  }
  return [...counts].map(([key, numbers]) => [key, ...numbers] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function countPassed(trials: readonly ProposerTrial[]): number {
  return trials.filter(({ passed }) => passed).length;
}
