// The priority of one opportunity, factor by factor: impact × centrality × churn × complexity × confidence ÷ cost.

import type { FunctionMetrics, Opportunity } from '../model.ts';
import { calibrate, type Calibrated } from './calibrate.ts';
import type { PriorityContext } from './priorityContext.ts';
import { recipeFacts } from '../rules/allRecipes.ts';
import type { RecipeFacts } from '../rules/facts.ts';

export interface PriorityFactors {
  /** The product; only its order means something. */
  readonly priority: number;
  /** 0–100, as the rule says. */
  readonly impact: number;
  /** 1–2: how much of the repository leans on the file. */
  readonly centrality: number;
  /** 1–2: how much the file changes. */
  readonly churn: number;
  /** 1–1.5: how much there is to understand in the file. */
  readonly complexity: number;
  readonly confidence: Calibrated;
  /** 1–3: work and risk of the change. */
  readonly cost: number;
}

/**
 * Where the facts of a recipe say nothing. The span is narrow on purpose: what is easily done must not bury the rest.
 */
const OTHER_RECIPE = 2;
const BY_HAND = 3;
const COSTS = new Map(Object.values<RecipeFacts>(recipeFacts).map(({ id, cost = OTHER_RECIPE }) => [id, cost]));

/**
 * Doublings until a factor is at its end: 2^5 = 32 times the average rank, 2^8 importers, 2^5 fresh commits of one
 * file.
 */
const RANK_DOUBLINGS = 5;
const IMPORTER_DOUBLINGS = 8;
const CHURN_DOUBLINGS = 5;
const COMPLEXITY_DOUBLINGS = 9;
/** Complexity is what most rules measure anyway, so it counts half. */
const COMPLEXITY_SHARE = 0.5;

export function priorityOf(opportunity: Opportunity, context: PriorityContext): PriorityFactors {
  const { path, impact, rule, recipe } = opportunity;
  const centrality = centralityOf(path, context);
  const churn = 1 + share(context.churn?.get(path)?.weight ?? 0, CHURN_DOUBLINGS);
  const complexity = 1 + COMPLEXITY_SHARE * share(context.complexity?.get(path) ?? 0, COMPLEXITY_DOUBLINGS);
  const confidence = calibrate(opportunity.confidence, context.decisions?.get(rule));
  const cost = recipe === null ? BY_HAND : (COSTS.get(recipe) ?? OTHER_RECIPE);
  return {
    priority: (impact * centrality * churn * complexity * confidence.confidence) / cost,
    impact,
    centrality,
    churn,
    complexity,
    confidence,
    cost,
  };
}

/** Sum of cognitive complexity, by path. */
export function complexityOf(
  functions: Iterable<Pick<FunctionMetrics, 'path' | 'cognitive'>>,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { path, cognitive } of functions) sums.set(path, (sums.get(path) ?? 0) + cognitive);
  return sums;
}

/**
 * Both say how much leans on a file; PageRank knows who the importers are, their number is all that a half-made graph
 * has.
 */
function centralityOf(path: string, { pageRank, inDegree }: PriorityContext): number {
  if (!pageRank || pageRank.size === 0) return 1 + share(inDegree.get(path) ?? 0, IMPORTER_DOUBLINGS);
  // A file that nobody imports has a rank of its own, a fraction of the average: nothing leans on it.
  if ((inDegree.get(path) ?? 0) === 0) return 1;
  return 1 + share((pageRank.get(path) ?? 0) * pageRank.size, RANK_DOUBLINGS);
}

/** 0–1, with each doubling of `amount` worth the same. */
function share(amount: number, doublings: number): number {
  return Math.min(1, Math.log2(1 + Math.max(0, amount)) / doublings);
}
