// Computes the priority of one opportunity, factor by factor: impact × centrality × churn × complexity × confidence ÷
// cost, and × gap if the repository has a benchmark of its own.

import type { FunctionMetrics, Opportunity } from '../model.ts';
import { calibrateConfidence, type RuleConfidence } from './calibrate.ts';
import type { PriorityContext } from './priorityContext.ts';
import { findWeakestDimension } from './rubric.ts';
import { recipeFacts } from '../rules/allRecipes.ts';
import type { RecipeFacts } from '../rules/facts.ts';

/** A priority and its factors. */
export interface PriorityFactors {
  /** The product; only its order is meaningful. */
  readonly priority: number;
  /** How much better the code would be, 0–100, as the rule states it. */
  readonly impact: number;
  /** 1–2: higher if more of the repository depends on the file. */
  readonly centrality: number;
  /** 1–2: higher if the file changes more often. */
  readonly churn: number;
  /** 1–1.5: higher if the file is more complex. */
  readonly complexity: number;
  /** The calibrated confidence of the rule. */
  readonly confidence: RuleConfidence;
  /** 1–3: higher if the change takes more work or is riskier. */
  readonly cost: number;
  /** 1 plus the points that the repository's own benchmark misses in this file; 1 without a benchmark. */
  readonly gap: number;
}

/**
 * The cost of a recipe whose facts state none. The range is narrow on purpose, so that easy changes do not outrank all
 * others.
 */
const DEFAULT_RECIPE_COST = 2;
/** The cost of a change that no recipe makes. */
const COST_BY_HAND = 3;
/** The cost of each recipe, by its id. */
const COST_BY_RECIPE = new Map(
  Object.values<RecipeFacts>(recipeFacts).map(({ id, cost = DEFAULT_RECIPE_COST }) => [id, cost]),
);

/** Number of doublings at which the factor for the rank reaches its maximum: 2^5 = 32 times the average rank. */
const RANK_DOUBLINGS = 5;
/** Number of doublings at which the factor for importers reaches its maximum: about 2^8 importers. */
const IMPORTER_DOUBLINGS = 8;
/** Number of doublings at which the factor for churn reaches its maximum: about 2^5 recent commits of one file. */
const CHURN_DOUBLINGS = 5;
/** Number of doublings at which the factor for complexity reaches its maximum: a complexity of about 2^9. */
const COMPLEXITY_DOUBLINGS = 9;
/** Complexity counts half, because most rules measure it anyway. */
const COMPLEXITY_SHARE = 0.5;

/** The priority of an opportunity, with its factors. */
export function computePriority(opportunity: Opportunity, context: PriorityContext): PriorityFactors {
  const { path, impact, rule, recipe } = opportunity;
  const { centrality, churn, complexity } = computeFileWeight(path, context);
  const confidence = calibrateConfidence(opportunity.confidence, context.decisions?.get(rule));
  const cost = recipe === null ? COST_BY_HAND : (COST_BY_RECIPE.get(recipe) ?? DEFAULT_RECIPE_COST);
  const gap = 1 + (findWeakestDimension(path, context.rubric ?? [])?.gap ?? 0);
  return {
    priority: (impact * centrality * churn * complexity * confidence.confidence * gap) / cost,
    impact,
    centrality,
    churn,
    complexity,
    confidence,
    cost,
    gap,
  };
}

/** The importance of a file, independently of the opportunities in it. */
export function computeFileWeight(
  path: string,
  context: Pick<PriorityContext, 'pageRank' | 'inDegree' | 'churn' | 'complexity'>,
): Pick<PriorityFactors, 'centrality' | 'churn' | 'complexity'> {
  return {
    centrality: computeCentrality(path, context),
    churn: 1 + computeLogShare(context.churn?.get(path)?.weight ?? 0, CHURN_DOUBLINGS),
    complexity: 1 + COMPLEXITY_SHARE * computeLogShare(context.complexity?.get(path) ?? 0, COMPLEXITY_DOUBLINGS),
  };
}

/** The sum of the cognitive complexity of the functions of each file, by path. */
export function sumComplexity(
  functions: Iterable<Pick<FunctionMetrics, 'path' | 'cognitive'>>,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { path, cognitive } of functions) sums.set(path, (sums.get(path) ?? 0) + cognitive);
  return sums;
}

/**
 * The centrality of a file. PageRank takes the importance of the importers into account. While the graph is incomplete,
 * the number of importers is used instead.
 */
function computeCentrality(
  path: string,
  { pageRank, inDegree }: Pick<PriorityContext, 'pageRank' | 'inDegree'>,
): number {
  if (!pageRank || pageRank.size === 0) return 1 + computeLogShare(inDegree.get(path) ?? 0, IMPORTER_DOUBLINGS);
  // A file without importers still has a small rank of its own, although nothing depends on it.
  if ((inDegree.get(path) ?? 0) === 0) return 1;
  return 1 + computeLogShare((pageRank.get(path) ?? 0) * pageRank.size, RANK_DOUBLINGS);
}

/**
 * A share from 0 to 1 that grows by the same amount with each doubling of `amount` + 1, and reaches 1 after `doublings`
 * doublings.
 */
function computeLogShare(amount: number, doublings: number): number {
  return Math.min(1, Math.log2(1 + Math.max(0, amount)) / doublings);
}
