// Extends a change to other places of the file that the same recipe improves, so that they need only one verification
// and one review.

import { describeError, throwIfCancelled } from '../../../util/typedError.ts';
import type { FileEdit, Opportunity } from '../../model.ts';
import { splitOpportunityIds, joinIds } from '../../ledger/opportunityIds.ts';
import type { SessionContext } from '../context.ts';
import type { JobTable } from '../../jobs.ts';

/** Time limit of planning in milliseconds. If planning takes longer, the change is made for one place only. */
const TIMEOUT_MS = 60_000;

/** The joint change of several places. */
export interface JoinedOpportunity {
  /** The opportunity that was asked for, but with the joint id of all places and without a symbol. */
  readonly opportunity: Opportunity;
  readonly edits: readonly FileEdit[];
  readonly title: string;
  readonly rationale: string;
}

/**
 * The change for `opportunity` together with the opportunities among `chosenOpportunities` that the same recipe can
 * improve in the same file, even if other rules found them. Null if there are none, or if they cannot be changed
 * together. If the gates have refused a joint change of several places, its halves are tried separately, until single
 * places remain.
 */
export async function joinSimilarPlaces(
  context: SessionContext,
  opportunity: Opportunity,
  chosenOpportunities: readonly Opportunity[],
  signal: AbortSignal,
): Promise<JoinedOpportunity | null> {
  const { id, path, recipe } = opportunity;
  const idsToTry = selectHalf(id, await findRefusedTogether(context, opportunity));
  const similarPlaces: Opportunity[] = [];
  for (const candidate of chosenOpportunities) {
    if (candidate.id === id || candidate.recipe !== recipe || candidate.path !== path) continue;
    if (idsToTry && !idsToTry.includes(candidate.id)) continue;
    if ((await context.ledger.openProposalFor(candidate.id)) === null) similarPlaces.push(candidate);
  }
  if (similarPlaces.length === 0) return null;
  const outcome = await planJointChange(context, opportunity, similarPlaces, signal);
  if (!outcome || 'refused' in outcome) return null;
  const { opportunities, ...change } = outcome;
  return { ...change, opportunity: { ...opportunity, id: joinIds(opportunities), symbol: null } };
}

/** The joint changes of this recipe in this file that a gate has refused, each as the ids of its places. */
async function findRefusedTogether(
  { ledger }: SessionContext,
  { path, recipe }: Opportunity,
): Promise<readonly (readonly string[])[]> {
  return (await ledger.proposals())
    .filter((refusal) => refusal.recipe === recipe && refusal.opportunity.path === path)
    .filter(({ verdicts }) => verdicts.some(({ outcome }) => outcome === 'failed'))
    .map((refusal) => splitOpportunityIds(refusal.opportunity.id))
    .filter(({ length }) => length > 1);
}

/**
 * Selects the places to try together with this one: of the smallest refused set that contains this place, the half that
 * contains it. Only this place if no refused set contains it. Null if nothing was refused.
 */
function selectHalf(id: string, refused: readonly (readonly string[])[]): readonly string[] | null {
  if (refused.length === 0) return null;
  const [smallestSet = [id]] = refused.filter((ids) => ids.includes(id)).toSorted((a, b) => a.length - b.length);
  const middle = Math.ceil(smallestSet.length / 2);
  return smallestSet.indexOf(id) < middle ? smallestSet.slice(0, middle) : smallestSet.slice(middle);
}

/** Plans the joint change. Null if the planning took too long or crashed; the single place can still be changed. */
async function planJointChange(
  context: SessionContext,
  opportunity: Opportunity,
  opportunities: readonly Opportunity[],
  signal: AbortSignal,
): Promise<JobTable['alike']['output'] | null> {
  try {
    return await context.ports.jobs.run(
      'alike',
      { rootDir: context.ports.files.rootDir, opportunity, wanted: opportunities },
      AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    );
  } catch (error) {
    throwIfCancelled(signal);
    context.ports.log.write(
      'warn',
      `Nothing was taken along with ${opportunity.rule} in ${opportunity.path}: ${describeError(error)}`,
      error,
    );
    return null;
  }
}
