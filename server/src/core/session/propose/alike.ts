// Adds what the same recipe would do elsewhere in the file: one verification and one change to read.

import { describeError, throwIfCancelled } from '../../../util/typedError.ts';
import type { FileEdit, Opportunity } from '../../model.ts';
import { idsOf, jointId } from '../../ledger/opportunityIds.ts';
import type { SessionContext } from '../context.ts';
import type { JobTable } from '../../jobs.ts';

/** If planning takes longer, the change is made for one place only. */
const TIMEOUT_MS = 60_000;

export interface AlikeChange {
  /** Stands for all that the change is for. */
  readonly opportunity: Opportunity;
  readonly edits: readonly FileEdit[];
  readonly title: string;
  readonly rationale: string;
}

/**
 * The change for `opportunity` and for those of `chosen` that the same recipe mends in the same file, whichever rule
 * found them;
 * null when it is alone. Where the gates have refused such a change of the file before, each of them goes its own way.
 */
export async function withAlike(
  context: SessionContext,
  opportunity: Opportunity,
  chosen: readonly Opportunity[],
  signal: AbortSignal,
): Promise<AlikeChange | null> {
  const { id, path, recipe } = opportunity;
  const proposals = await context.ledger.proposals();
  if (
    proposals.some(
      (one) =>
        one.recipe === recipe &&
        one.opportunity.path === path &&
        idsOf(one.opportunity.id).length > 1 &&
        one.verdicts.some(({ outcome }) => outcome === 'failed'),
    )
  )
    return null;
  const wanted: Opportunity[] = [];
  for (const other of chosen) {
    if (other.id === id || other.recipe !== recipe || other.path !== path) continue;
    if ((await context.ledger.openProposalFor(other.id)) === null) wanted.push(other);
  }
  if (wanted.length === 0) return null;
  const outcome = await alike(context, opportunity, wanted, signal);
  if (!outcome || 'refused' in outcome) return null;
  const { opportunities, ...change } = outcome;
  return { ...change, opportunity: { ...opportunity, id: jointId(opportunities), symbol: null } };
}

/** Null when it took too long or broke down: the change of one place needs none of it. */
async function alike(
  context: SessionContext,
  opportunity: Opportunity,
  wanted: readonly Opportunity[],
  signal: AbortSignal,
): Promise<JobTable['alike']['output'] | null> {
  try {
    return await context.ports.jobs.run(
      'alike',
      { rootDir: context.ports.files.rootDir, opportunity, wanted },
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
