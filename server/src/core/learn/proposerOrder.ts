// Orders the proposers of a role for a rule: by a draw of each success rate, per cost (Thompson sampling), among those
// that stand next to each other in the list and cost the same kind of thing. Whoever a person prefers comes first. The
// draws are computed from the trials, so they are deterministic.

import { canonicalJson } from '../../util/canonicalJson.ts';
import { sha256 } from '../../util/hash.ts';
import { betaQuantile } from './betaDistribution.ts';
import { mean, drawUniform } from './strategies.ts';

/** An answer of a proposer with its outcome and its cost. */
export interface ProposerTrial {
  /** The rule of the opportunity, or the kind of the task. */
  readonly rule: string;
  /** The name of the proposer. */
  readonly proposer: string;
  /** True if its change has passed the gates, and no person has turned it down. */
  readonly passed: boolean;
  /** In the unit of the person's prices; 0 without a price on this machine, null without one elsewhere. */
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

/** `free`: on this machine, without a price. `local`: on this machine, at a price. `remote`: code goes to a host. */
export type ProposerKind = 'free' | 'local' | 'remote';

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
 * `untried`: nobody on the list was tried, so its order holds. `drawn`: by the worth, among neighbours of one kind.
 * `listed`: the person's settings keep the order of the list. `costly`: it holds because any other one could cost more
 * money, or send code away.
 */
export type OrderBasis = 'untried' | 'drawn' | 'listed' | 'costly';

/** The order in which the proposers of a role are asked for a rule. */
export interface ProposerOrder {
  readonly rule: string;
  readonly basis: OrderBasis;
  /** In the order in which they are asked. */
  readonly figures: readonly ProposerFigures[];
  /** Preferences of the person that apply to this list. */
  readonly preferences: readonly Preference[];
}

/** What the order of a list depends on, apart from the trials. */
export interface OrderOptions {
  readonly preferences: readonly Preference[];
  /** False if the order of the list holds. */
  readonly draws: boolean;
  readonly kindOf: (name: string) => ProposerKind;
}

/** The parameters of the beta distribution of a success rate. */
export type Beta = readonly [a: number, b: number];

/** What was known before counts as this many answers. */
const PRIOR_WEIGHT = 2;
/** Limit of the relative cost: each counts as at most this many times cheaper or dearer than another. */
export const MAX_COST_RATIO = 10;

/**
 * The order for one rule of these proposers. `names`: as the person has listed them. `draws`: false if the order of the
 * list holds. The same trials give the same order, and each further one changes the draws. Nobody who costs money or
 * gets code is drawn before one that the person has listed earlier and that does not.
 */
export function orderProposers(
  trials: readonly ProposerTrial[],
  rule: string,
  names: readonly string[],
  { preferences, draws, kindOf }: OrderOptions,
): ProposerOrder {
  const knownTrials = trials.filter(({ proposer }) => names.includes(proposer));
  const seed = sha256(canonicalJson(countOutcomes(knownTrials)));
  const groups = groupAlike(knownTrials, names, kindOf);
  const figures = groups.map((group) => computeFigures(knownTrials, rule, group, seed));
  const basis = !draws
    ? 'listed'
    : knownTrials.length === 0
      ? 'untried'
      : groups.some(({ length }) => length > 1)
        ? 'drawn'
        : 'costly';
  const ordered = basis === 'drawn' ? figures.map((group) => group.toSorted((a, b) => b.worth - a.worth)) : figures;
  const applying = preferences.filter(
    (preference) => preference.rule === rule && names.includes(preference.first) && names.includes(preference.second),
  );
  return { rule, basis, figures: applyPreferences(ordered.flat(), applying), preferences: applying };
}

/**
 * The list, cut into groups of neighbours of one kind. One whose cost in money is unknown, though it may have one, is a
 * group of its own.
 */
function groupAlike(
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

/** What is known of each of a group. Costs are compared within the group, and for this rule alone. */
function computeFigures(
  trials: readonly ProposerTrial[],
  rule: string,
  group: readonly string[],
  seed: string,
): readonly ProposerFigures[] {
  const ofGroup = trials.filter(({ proposer }) => group.includes(proposer));
  const unit = chooseUnit(ofGroup, group);
  const forRule = ofGroup.filter((trial) => trial.rule === rule);
  const average = mean(collectKnownCosts(forRule, unit));
  return group.map((name): ProposerFigures => {
    const answers = forRule.filter(({ proposer }) => proposer === name);
    const beta = computePosterior(trials, rule, name);
    const draw = betaQuantile(drawUniform(seed, `${rule}\n${name}`), ...beta);
    const costs = collectKnownCosts(answers, unit);
    return {
      name,
      tries: answers.length,
      passed: countPassed(answers),
      rate: beta[0] / (beta[0] + beta[1]),
      low: betaQuantile(0.025, ...beta),
      high: betaQuantile(0.975, ...beta),
      cost: mean(costs),
      unit,
      draw,
      worth: draw / computeRelativeCost(costs, average),
    };
  });
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

/**
 * The first unit in which at least half of the answers of each proposer that was tried have a cost; not money if nobody
 * costs any.
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
 * The success rate of a proposer for a rule. What is known before an answer for this rule is its rate for other rules,
 * and before any answer the rate of all proposers.
 */
function computePosterior(trials: readonly ProposerTrial[], rule: string, name: string): Beta {
  const overall = (countPassed(trials) + 1) / (trials.length + 2);
  const elsewhere = trials.filter((trial) => trial.proposer === name && trial.rule !== rule);
  const prior = updateRate(overall, elsewhere);
  return updateRate(
    prior[0] / (prior[0] + prior[1]),
    trials.filter((trial) => trial.proposer === name && trial.rule === rule),
  );
}

/** The distribution of a success rate that was `prior` before these answers. */
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
