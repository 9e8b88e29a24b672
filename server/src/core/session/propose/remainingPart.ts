// Handles the remaining part of a proposal after a person has applied some of its hunks: it waits as a proposal against
// the new texts.

import { SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { isSettled } from '../../ledger/proposalLife.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import { authorOf } from '../../model/authors.ts';
import { createHunks } from '../../propose/hunks.ts';
import type { SessionContext } from '../context.ts';
import { recordProposal } from './recordProposal.ts';
import { withdrawProposal, rebaseEdits, rebaseIfOutdated } from './rebaseProposal.ts';
import { requireProposal, areFilesUnchanged, verify } from '../verify/verifying.ts';
import type { Operation } from '../../operation.ts';

/**
 * Files the remaining part in place of the whole proposal, once `part` of it is in the tree; null if nothing remains,
 * or if `part` is not a part of a proposal. The whole proposal waits until the remaining part is filed, and every step
 * is recorded, so that no hunk is lost if the process dies in between.
 */
export async function fileRemaining(
  context: SessionContext,
  part: Proposal,
  signal: AbortSignal,
): Promise<Proposal | null> {
  if (part.partOf === undefined) return null;
  const original = await requireProposal(context, part.partOf);
  const filedPart = (await context.ledger.proposals()).find((candidate) => candidate.restOf === original.id);
  if (isSettled(original.status)) return filedPart ?? null;
  const edits = filedPart ? filedPart.edits : await computeRemainingEdits(context, original, part);
  const opportunity = { ...original.opportunity, recipe: original.recipe };
  const { title, rationale, base } = original;
  const remaining =
    filedPart ??
    (edits &&
      (await recordProposal(context, opportunity, { edits, title, rationale }, base, signal, {
        restOf: original.id,
        author: authorOf(original),
      })));
  const reason = remaining
    ? `${part.id} of it is applied; the rest waits as ${remaining.id}.`
    : `Replaced by ${part.id}, a part of it.`;
  const correction = isSelection(original, part) ? {} : { correction: true };
  await context.ledger.record({
    type: 'rejected',
    data: { proposal: original.id, by: 'person', reason, replacedBy: part.id, ...correction },
  });
  context.emit({ type: 'status' });
  return remaining;
}

/**
 * Completes unfinished steps with parts of proposals after a crash. Call this while no other process changes anything.
 */
export async function settleParts(context: SessionContext): Promise<void> {
  const proposals = await context.ledger.proposals();
  const openIds = new Set(proposals.filter(({ status }) => !isSettled(status)).map(({ id }) => id));
  const parts = proposals.filter(({ partOf }) => partOf !== undefined && openIds.has(partOf));
  if (parts.length === 0) return;
  const lock = await context.ports.lock.acquire('probation');
  if (!lock) return;
  try {
    for (const { id } of parts) {
      const part = await requireProposal(context, id);
      if (part.status === 'applied' || part.status === 'kept')
        await fileRemaining(context, part, new AbortController().signal);
      else if (!isSettled(part.status))
        await withdrawProposal(
          context,
          part,
          'The process ended before it was applied; the whole proposal keeps waiting.',
        );
    }
  } finally {
    await lock.release();
  }
}

/**
 * Verifies the remaining parts of proposals one after the other in the current tree. Returns the ones that were
 * examined. Does nothing in a workspace that is not trusted. Throws `cancelled`.
 */
export async function verifyRemaining(context: SessionContext, operation: Operation): Promise<readonly Proposal[]> {
  if (!context.trusted) return [];
  const verifiedProposals: Proposal[] = [];
  for (const { id } of (await context.ledger.proposals()).filter(awaitsVerification)) {
    throwIfCancelled(operation.signal);
    const remaining = await requireProposal(context, id);
    if (!awaitsVerification(remaining)) continue;
    try {
      verifiedProposals.push(await verifyRemainingPart(context, remaining, operation));
    } catch (error) {
      // The failure is recorded if its lines were edited or if it does not pass, and the loop continues with the
      // others.
      if (!(error instanceof SelfwareError && error.reason === 'stale')) throw error;
      verifiedProposals.push(await requireProposal(context, id));
    }
  }
  return verifiedProposals;
}

/**
 * Verifies the remaining part of a proposal in the current texts. Throws `stale` if it no longer fits, or if the merged
 * part does not pass.
 */
export async function verifyRemainingPart(
  context: SessionContext,
  remaining: Proposal,
  operation: Operation,
): Promise<Proposal> {
  return (await areFilesUnchanged(context, remaining.edits))
    ? verify(context, remaining.id, operation)
    : rebaseIfOutdated(context, remaining, operation);
}

/** True for a remaining part that no gate has judged yet, even if the process that verified it died or was stopped. */
export function awaitsVerification({ restOf, status, verdicts }: Proposal): boolean {
  return (
    restOf !== undefined &&
    (status === 'proposed' || status === 'verifying' || (status === 'deferred' && verdicts.length === 0))
  );
}

/**
 * The edits of the whole proposal that are not applied yet, on the current texts. Null if there are none, or if they
 * cannot be distinguished from a person's edits.
 */
async function computeRemainingEdits(
  context: SessionContext,
  original: Proposal,
  part: Proposal,
): Promise<readonly FileEdit[] | null> {
  const rebasedEdits = await rebaseEdits(context, original.edits);
  if (Array.isArray(rebasedEdits)) return rebasedEdits;
  if (
    rebasedEdits === 'fits' ||
    !isSelection(original, part) ||
    !(await areFilesUnchanged(context, toAppliedEdits(part.edits)))
  )
    return null;
  // If the same lines occur in several places, a merge cannot distinguish them. The texts before and after the part are
  // known, so they decide.
  const unappliedEdits = original.edits.map((edit) => ({
    ...edit,
    before: part.edits.find(({ path }) => path === edit.path)?.after ?? edit.before,
  }));
  const changingEdits = unappliedEdits.filter(({ before, after }) => before !== after);
  return changingEdits.length > 0 && (await areFilesUnchanged(context, changingEdits)) ? changingEdits : null;
}

/** The edits as they would fit files in which they are already applied: `before` is the text after the edit. */
function toAppliedEdits(edits: readonly FileEdit[]): readonly FileEdit[] {
  return edits.map(({ path, after }) => ({ path, before: after, after }));
}

/** True if the part consists of unchanged hunks of the whole. */
function isSelection(original: Proposal, part: Proposal): boolean {
  const createHunkKeys = (edits: readonly FileEdit[]) =>
    createHunks(edits).map(({ path, beforeLine, lines }) => JSON.stringify([path, beforeLine, lines]));
  const allHunkKeys = new Set(createHunkKeys(original.edits));
  return createHunkKeys(part.edits).every((key) => allHunkKeys.has(key));
}
