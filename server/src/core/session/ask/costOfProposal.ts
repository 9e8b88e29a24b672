// Computes the cost of the questions behind a proposal or a learned recipe.

import { parseLearnedId } from '../../model/learnedRecipes.ts';
import type { Cost } from '../../model/asks.ts';
import { computeCost, computeCostOfExamples } from '../../proposers/cost.ts';
import type { SessionContext } from '../context.ts';
import { collectKeptIds, readAskEvents } from './pastAttempts.ts';

/**
 * The cost of the questions behind a proposal, or of the examples from which its recipe was learned; null if no model
 * was asked.
 */
export async function computeProposalCost(context: SessionContext, id: string): Promise<Cost | null> {
  const events = await readAskEvents(context);
  const costOfQuestion = computeCost(events, id, await collectKeptIds(context));
  if (costOfQuestion) return costOfQuestion;
  const proposal = await context.ledger.proposal(id);
  const recipe = parseLearnedId(proposal?.recipe ?? null);
  return proposal && recipe !== null ? computeCostOfExamples(events, recipe, proposal.createdAt) : null;
}
