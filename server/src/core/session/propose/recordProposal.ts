// Files a proposal in the ledger, and recognises edits that are already filed.

import type { FileEdit, Opportunity, Proposal } from '../../model.ts';
import { parseLearnedId } from '../../model/learnedRecipes.ts';
import { authorOf } from '../../model/authors.ts';
import { isSettled } from '../../ledger/proposalLife.ts';
import type { SessionContext } from '../context.ts';
import { requireAllowed } from '../allowance.ts';
import { LINTER_FIX_RECIPE } from './claims.ts';

/** The parts of an opportunity that a proposal stores. */
type FiledOpportunity = Pick<Opportunity, 'id' | 'rule' | 'path' | 'symbol' | 'recipe'>;
/** The change of a recipe. */
type AppliedRecipe = { readonly edits: readonly FileEdit[]; readonly title: string; readonly rationale: string };
/** Facts about the origin of a proposal. */
type ProposalOrigin = Pick<
  Proposal,
  'replaces' | 'partOf' | 'restOf' | 'isCorrected' | 'claimed' | 'addresses' | 'nearby' | 'author'
>;

/**
 * Records a new proposal, with the safety level of its edits. A proposal with only some hunks of another is a separate
 * proposal. `replaces`: the proposal that it replaces once it is verified. Throws `forbidden` if the charter does not
 * let its author propose, and `paused` if the author's rate is used up. Parts, remaining parts and replacements of a
 * proposal need no new permission.
 */
export async function recordProposal(
  context: SessionContext,
  opportunity: FiledOpportunity,
  applied: AppliedRecipe,
  base: string | null,
  signal: AbortSignal,
  origin: ProposalOrigin = {},
): Promise<Proposal> {
  const proposal = await draftProposal(context, opportunity, applied, base, signal, origin);
  // A proposal that follows from an earlier one does not count as a request of its author.
  if (origin.replaces === undefined && origin.partOf === undefined && origin.restOf === undefined)
    await requireAllowed(context, authorOf(proposal), 'propose');
  await context.ledger.record({ type: 'proposed', data: { proposal } });
  context.emit({ type: 'status' });
  return proposal;
}

/** Creates the proposal as `recordProposal` would record it. Records nothing. */
export async function draftProposal(
  { ports }: SessionContext,
  opportunity: FiledOpportunity,
  applied: AppliedRecipe,
  base: string | null,
  signal: AbortSignal,
  origin: ProposalOrigin = {},
): Promise<Proposal> {
  const author = origin.author ?? authorOf({ recipe: opportunity.recipe ?? '' });
  return {
    id: ports.ids.next('proposal'),
    title: applied.title,
    rationale: applied.rationale,
    recipe: opportunity.recipe ?? '',
    author,
    opportunity: { id: opportunity.id, rule: opportunity.rule, path: opportunity.path, symbol: opportunity.symbol },
    base,
    edits: applied.edits,
    safety: await ports.jobs.run(
      'safety',
      {
        rootDir: ports.files.rootDir,
        edits: applied.edits,
        isExternal:
          author !== 'recipe' ||
          opportunity.recipe === LINTER_FIX_RECIPE ||
          parseLearnedId(opportunity.recipe ?? null) !== null ||
          origin.replaces !== undefined ||
          origin.restOf !== undefined,
      },
      signal,
    ),
    createdAt: ports.clock.now(),
    status: 'proposed',
    verdicts: [],
    pointsBefore: null,
    pointsAfter: null,
    reason: null,
    checkpoint: null,
    ...origin,
  };
}

/** True if an open proposal has exactly these edits, as it may if two rules find the same flaw. */
export async function isAlreadyFiled(context: SessionContext, edits: readonly FileEdit[]): Promise<boolean> {
  return (await findFiled(context, edits)) !== null;
}

/** The open proposal that has exactly these edits; null if there is none. */
export async function findFiled(context: SessionContext, edits: readonly FileEdit[]): Promise<Proposal | null> {
  const editsKey = JSON.stringify(edits.map(({ path, before, after }) => [path, before, after]));
  const open = (await context.ledger.proposals()).filter((proposal) => !isSettled(proposal.status));
  const hasTheseEdits = (proposal: Proposal) =>
    JSON.stringify(proposal.edits.map(({ path, before, after }) => [path, before, after])) === editsKey;
  return open.find(hasTheseEdits) ?? null;
}
