// Explains the rank of an opportunity: the factors of its priority as data, and as a sentence for a person.

import type { Opportunity } from '../model.ts';
import { computePriority } from './priority.ts';
import type { PriorityContext } from './priorityContext.ts';
import { findWeakestDimension } from './rubric.ts';
import { formatCount } from '../../util/counted.ts';

/** One factor of a priority. */
export interface PriorityFactor {
  readonly name: 'impact' | 'centrality' | 'churn' | 'complexity' | 'confidence' | 'cost' | 'gap';
  /** The value. The priority is the product of these values, except that it is divided by `cost`. */
  readonly value: number;
  /** The reason for the value, as a phrase: "23 files import it". */
  readonly because: string;
}

/** A priority with the reasons for it. */
export interface PriorityExplanation {
  /** The priority. Only the order of priorities is meaningful. */
  readonly priority: number;
  /**
   * The factors in the order of the product. The first six are always present; `gap` follows if the repository's own
   * benchmark misses points in the file.
   */
  readonly factors: readonly PriorityFactor[];
  /** One sentence, without the factors that have no effect. */
  readonly sentence: string;
}

/** Explains the priority of an opportunity. Pure; uses the same figures as the ordering. */
export function explainPriority(opportunity: Opportunity, context: PriorityContext): PriorityExplanation {
  const { priority, impact, centrality, churn, complexity, confidence, cost, gap } = computePriority(
    opportunity,
    context,
  );
  const importers = context.inDegree.get(opportunity.path) ?? 0;
  const commits = context.churn?.get(opportunity.path)?.commits ?? 0;
  const factors: PriorityFactor[] = [
    { name: 'impact', value: impact, because: `how much better the code would be, of 100` },
    {
      name: 'centrality',
      value: centrality,
      because: importers === 0 ? 'no file imports it' : `${formatCount(importers, 'file imports', 'files import')} it`,
    },
    {
      name: 'churn',
      value: churn,
      because:
        commits === 0 ? 'no commit known' : `${formatCount(commits, 'commit', 'commits')}, recent ones count more`,
    },
    {
      name: 'complexity',
      value: complexity,
      because: `cognitive complexity ${context.complexity?.get(opportunity.path) ?? 0} in the file`,
    },
    { name: 'confidence', value: confidence.confidence, because: explainConfidence(confidence) },
    {
      name: 'cost',
      value: cost,
      because: opportunity.recipe === null ? 'work for a person' : `recipe ${opportunity.recipe}`,
    },
  ];
  const weakestDimension = findWeakestDimension(opportunity.path, context.rubric ?? []);
  if (weakestDimension)
    factors.push({ name: 'gap', value: gap, because: `points that the rubric misses in ${weakestDimension.name}` });
  return { priority, factors, sentence: createSentence(priority, factors) };
}

/** The reason for a confidence: the value of the rule, and how decisions have changed it. */
function explainConfidence({
  confidence,
  prior,
  decisions,
}: {
  readonly confidence: number;
  readonly prior: number;
  readonly decisions: number;
}): string {
  if (decisions === 0) return 'the value of the rule; nothing has been decided about it here yet';
  const change = confidence > prior ? 'raised' : confidence < prior ? 'lowered' : 'confirmed';
  return `the rule says ${formatFactor(prior)}; ${formatCount(decisions, 'decision', 'decisions')} here ${change} it`;
}

/** A sentence with impact, confidence and cost, and with each other factor that has an effect. */
function createSentence(priority: number, factors: readonly PriorityFactor[]): string {
  const [impact, ...otherFactors] = factors;
  const parts = otherFactors
    .filter(({ name, value }) => name === 'confidence' || name === 'cost' || formatFactor(value) !== '1')
    .map(({ name, value, because }) => `${name === 'cost' ? '÷' : '×'} ${name} ${formatFactor(value)} (${because})`);
  return `Priority ${formatFactor(priority)} = impact ${formatFactor(impact?.value ?? 0)} ${parts.join(' ')}.`;
}

/** The number with at most two digits after the decimal point. */
function formatFactor(value: number): string {
  return String(Math.round(value * 100) / 100);
}
