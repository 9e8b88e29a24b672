// Applies approved proposals to the tree and rolls them back. Every write goes through core/apply; this module adds the
// rules around it.

import { SelfwareError, describeError } from '../../../util/typedError.ts';
import { applyEdits } from '../../apply/apply.ts';
import { readBook } from '../../apply/checkpointBook.ts';
import { pruneCheckpoints as prune } from '../../apply/prune.ts';
import { recover, type Recovery } from '../../apply/recover.ts';
import { rollback as restore } from '../../apply/rollback.ts';
import { throwIfStopped } from '../../ledger/stopped.ts';
import { authorOf } from '../../model/authors.ts';
import type { Checkpoint, Proposal } from '../../model.ts';
import type { ApplyRequest } from '../../session.ts';
import { requireAllowed } from '../allowance.ts';
import type { AppliedProposal } from './applyResults.ts';
import { createApplyContext } from './applyContext.ts';
import { proposeChosenHunks } from '../propose/partialProposal.ts';
import { notify, fallBackIfDamaged, type SessionContext } from '../context.ts';
import { findDependentChanges } from './dependents.ts';
import { requireIsolation } from '../verify/isolation.ts';
import { withdrawProposal, rebaseIfOutdated } from '../propose/rebaseProposal.ts';
import { requireCurrentUpdate } from './staleUpdates.ts';
import { awaitsVerification, fileRemaining, settleParts, verifyRemainingPart } from '../propose/remainingPart.ts';
import { readTreeState } from '../verify/treeState.ts';
import { requireProposal, areFilesUnchanged } from '../verify/verifying.ts';
import type { Operation } from '../../operation.ts';
import { formatCount } from '../../../util/counted.ts';
import { describeStanding, ranOnlyInPart } from '../../verify/strength.ts';

/** Maximum number of attempts to apply one proposal, if somebody edits its files during each of them. */
const MAX_ATTEMPTS = 3;

/**
 * Applies all or some hunks of a proposal, possibly corrected by a person, to the current texts; then probation begins.
 * Edits that are not verified in this form are verified first. `rest`: the remaining part, if only some hunks were
 * applied. Throws `untrusted`, `damaged`, `forbidden`, `paused`, `illegalStep`, `stale`, `notFound`, and the errors of
 * `applyEdits`. A failure is recorded before it is thrown.
 */
export async function apply(context: SessionContext, request: ApplyRequest): Promise<AppliedProposal> {
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing is written to it.', {
      action: 'Trust the workspace first.',
    });
  await requireWritable(context);
  if (request.by === 'charter') await requireIsolation(context);
  let proposal = await requireProposal(context, request.proposal);
  // A proposal whose verification is still missing, such as a remaining part, is verified now.
  if (awaitsVerification(proposal)) proposal = await verifyRemainingPart(context, proposal, request);
  if (request.hunks || request.texts?.length) {
    proposal = await proposeChosenHunks(context, proposal, request);
    // The verification may have taken minutes.
    await requireWritable(context);
  }
  for (let attempt = 1; ; attempt += 1) {
    await requireCurrentUpdate(context, proposal);
    proposal = await rebaseIfOutdated(context, proposal, request);
    requireApplicable(context, proposal, request);
    await requireAllowed(context, request.by === 'person' ? 'person' : authorOf(proposal), 'apply');
    if (proposal.status !== 'approved')
      await context.ledger.record({ type: 'approved', data: { proposal: proposal.id, by: request.by, reason: null } });
    request.report?.({ stage: 'applying', done: 0, total: proposal.edits.length, message: proposal.title });
    const base = await recordBase(context);
    try {
      const checkpoint = await applyEdits(createApplyContext(context), { proposal }, request.signal);
      context.state.applied.add(proposal.id);
      await context.ledger.record({ type: 'applied', data: { proposal: proposal.id, checkpoint, base } });
      context.emit({ type: 'status' });
      const remainingProposal = await fileRemaining(context, proposal, new AbortController().signal);
      return { proposal: await requireProposal(context, proposal.id), checkpoint, rest: remainingProposal };
    } catch (error) {
      // If a file was edited at that moment, this tries again with the new texts, up to a limit.
      const isEdited =
        error instanceof SelfwareError &&
        error.reason === 'stale' &&
        !(await areFilesUnchanged(context, proposal.edits));
      if (isEdited && attempt < MAX_ATTEMPTS) continue;
      if (proposal.partOf !== undefined)
        await withdrawProposal(context, proposal, 'It was not applied; the whole proposal keeps waiting.');
      else await recordFailure(context, proposal, error, isEdited);
      throw error;
    }
  }
}

/**
 * Rolls a change back, even if it is not the latest one. Returns its checkpoint. Throws `untrusted`, `notFound`,
 * `illegalStep` if it has been rolled back already, `conflict` with the later changes that depend on it, and the errors
 * of `rollback` in core/apply/rollback.ts.
 */
export async function rollback(context: SessionContext, id: string, operation: Operation): Promise<Checkpoint> {
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing is written to it.', {
      action: 'Trust the workspace first.',
    });
  const checkpoint = (await listCheckpoints(context)).find((candidate) => candidate.id === id);
  if (!checkpoint)
    throw new SelfwareError('notFound', `There is no checkpoint ${id}.`, {
      action: 'Run `selfware checkpoints list`.',
    });
  if (checkpoint.rolledBackAt !== null)
    throw new SelfwareError('illegalStep', `Checkpoint ${id} has already been rolled back.`);
  const restoredCheckpoint = await restoreOrExplain(context, checkpoint, operation);
  // Rolling back works without a ledger; the event is recorded at a later start with an intact one.
  await fallBackIfDamaged(context, null, () =>
    context.ledger.record({
      type: 'rolledBack',
      data: { proposal: checkpoint.proposal, checkpoint: id, by: 'person', reason: null },
    }),
  );
  context.emit({ type: 'status' });
  return restoredCheckpoint;
}

/**
 * All checkpoints, oldest first. If the ledger is damaged, they come from the checkpoint book, which is stored next to
 * the earlier bytes; changes that were only prepared are skipped.
 */
export async function listCheckpoints(context: SessionContext): Promise<readonly Checkpoint[]> {
  const recorded = await fallBackIfDamaged(context, null, () => context.ledger.checkpoints());
  return (
    recorded ??
    (await readBook(createApplyContext(context)))
      .filter(({ state }) => state !== 'prepared')
      .map(({ checkpoint }) => checkpoint)
  );
}

/** Deletes all checkpoints except the newest `keep`. Returns the ids of the deleted ones. */
export async function pruneCheckpoints(context: SessionContext, keep: number): Promise<readonly string[]> {
  const forgottenIds = await prune(createApplyContext(context), await context.ledger.checkpoints(), keep);
  if (forgottenIds.length > 0) await context.ledger.record({ type: 'forgotten', data: { checkpoints: forgottenIds } });
  return forgottenIds;
}

/** After a crash, completes or undoes the changes in the journal, and records the outcome of each. */
export async function recoverChanges(context: SessionContext): Promise<void> {
  const { notices, settled } = await recover(createApplyContext(context));
  for (const notice of notices) notify(context, notice);
  await fallBackIfDamaged(context, undefined, async () => {
    await recordSettled(context, settled);
    await settleParts(context);
  });
}

/** Records the outcomes that the ledger lacks. A change that was not applied in the end needs no event. */
async function recordSettled(context: SessionContext, settledChanges: Recovery['settled']): Promise<void> {
  const checkpoints = await context.ledger.checkpoints();
  for (const change of settledChanges) {
    const recorded = checkpoints.find((checkpoint) => checkpoint.id === change.checkpoint);
    if (change.outcome === 'applied' && !recorded && change.proposal && change.record) {
      await context.ledger.record({ type: 'applied', data: { proposal: change.proposal, checkpoint: change.record } });
    }
    if (change.outcome === 'rolledBack' && recorded && recorded.rolledBackAt === null) {
      await context.ledger.record({
        type: 'rolledBack',
        data: {
          proposal: recorded.proposal,
          checkpoint: recorded.id,
          by: 'charter',
          reason: 'Finished after a crash.',
        },
      });
    }
  }
}

/**
 * Throws `damaged` if the ledger is damaged, so that the change could not be recorded, and `forbidden` if Selfware is
 * stopped or the session has used up its changes. Reads the ledger each time, because another process may have used the
 * kill switch.
 */
async function requireWritable(context: SessionContext): Promise<void> {
  const { intact, reason } = await context.ledger.verify();
  if (!intact)
    throw new SelfwareError('damaged', `The ledger is damaged: ${reason ?? 'unknown reason'} Nothing is applied.`, {
      action: 'Run `selfware ledger verify`.',
    });
  await throwIfStopped(context.ledger);
  const maxChanges = context.settings['charter.maxChanges'];
  const usedChanges = await context.ledger.countChanges(context.state.applied);
  if (usedChanges >= maxChanges)
    throw new SelfwareError(
      'forbidden',
      `The charter allows ${formatCount(maxChanges, 'change')} a session, and ${usedChanges} ${usedChanges === 1 ? 'is' : 'are'} applied.`,
      {
        action:
          'Raise selfware.charter.maxChanges, or begin a new session: run the next command, or reload the window.',
      },
    );
}

/** Restores the files. If later changes build on this one, the `conflict` error names them. */
async function restoreOrExplain(
  context: SessionContext,
  checkpoint: Checkpoint,
  operation: Operation,
): Promise<Checkpoint> {
  try {
    return await restore(createApplyContext(context), checkpoint, operation.signal);
  } catch (error) {
    if (!(error instanceof SelfwareError && error.reason === 'conflict')) throw error;
    const dependents = (await fallBackIfDamaged(context, null, () => findDependentChanges(context, checkpoint))) ?? [];
    if (dependents.length === 0) throw error;
    throw new SelfwareError(
      'conflict',
      `${error.message} Later changes build on it: ${dependents.map(({ id, title }) => `${title} (${id})`).join('; ')}.`,
      { action: `Roll these back first: ${dependents.map(({ id }) => id).join(', ')}.`, cause: error },
    );
  }
}

/**
 * Throws `illegalStep` if the proposal has not passed its gates, has passed only some of the tests, or does not wait
 * for a decision, and `forbidden` if the charter refuses it or asks for a person who has not approved it.
 */
function requireApplicable(context: SessionContext, proposal: Proposal, request: ApplyRequest): void {
  if (proposal.status !== 'verified' && proposal.status !== 'approved' && proposal.status !== 'deferred') {
    throw new SelfwareError(
      'illegalStep',
      `The proposal is ${describeStanding(proposal)}; only one that passed its checks and waits for a decision can be applied.`,
      {
        action: 'Run Improve again.',
      },
    );
  }
  if (proposal.verdicts.length === 0 || proposal.verdicts.some((verdict) => verdict.outcome === 'failed')) {
    throw new SelfwareError('illegalStep', 'The proposal has not passed its gates.', { action: 'Verify it first.' });
  }
  if (ranOnlyInPart(proposal.verdicts))
    throw new SelfwareError('illegalStep', 'Only the tests that reach the change have run.', {
      action: 'Verify it first.',
    });
  const refusal = context.charter.refusal(proposal);
  if (refusal !== null) throw new SelfwareError('forbidden', refusal, { action: 'Reject it.' });
  const reasonToAsk = request.by === 'charter' ? context.charter.reasonToAsk(proposal) : null;
  if (reasonToAsk !== null)
    throw new SelfwareError('forbidden', `The charter asks for the approval of a person. ${reasonToAsk}`);
}

/**
 * Stores the tree right before a change, and returns the hash of its stored text. Null if the state of the tree is
 * unknown; then the change cannot be proved later.
 */
async function recordBase(context: SessionContext): Promise<string | null> {
  const state = await readTreeState(context);
  if (!state) return null;
  for (const text of state.contents) await context.ledger.putText(text);
  return context.ledger.putText(state.text);
}

/**
 * Records why a proposal was not applied. `isEdited`: true if its files have changed, so that it can never be applied.
 * Then it is refused, and its opportunity is planned again from the new text. Otherwise it is deferred.
 */
async function recordFailure(
  { ledger, emit }: SessionContext,
  { id, verdicts, pointsBefore, pointsAfter }: Proposal,
  error: unknown,
  isEdited: boolean,
): Promise<void> {
  const reason = describeError(error);
  if (isEdited)
    await ledger.record({ type: 'refused', data: { proposal: id, verdicts, pointsBefore, pointsAfter, reason } });
  else await ledger.record({ type: 'deferred', data: { proposal: id, by: 'charter', reason } });
  emit({ type: 'status' });
}
