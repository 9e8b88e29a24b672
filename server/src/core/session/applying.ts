// Writes an approved proposal to the tree and takes it back. Every write goes through core/apply; this adds the rules around it.

import { SelfwareError, describeError } from '../../util/typedError.ts';
import { applyEdits, type ApplyContext } from '../apply/apply.ts';
import { readBook } from '../apply/checkpointBook.ts';
import { pruneCheckpoints as prune } from '../apply/prune.ts';
import { recover, type Recovery } from '../apply/recover.ts';
import { rollback as restore } from '../apply/rollback.ts';
import { isSettled } from '../ledger/proposalLife.ts';
import type { Checkpoint, Points, Proposal } from '../model.ts';
import { pointsOfCode } from '../score/comparePoints.ts';
import { selectHunks } from '../propose/hunks.ts';
import type { ApplyRequest, Operation } from '../session.ts';
import { notify, unlessDamaged, type SessionContext } from './context.ts';
import { record } from './proposing.ts';
import { existing, verify } from './verifying.ts';

/** Applies all or some hunks of a verified proposal. Throws `illegalStep`, `forbidden`, `stale`, `untrusted` and what apply throws. */
export async function apply(context: SessionContext, request: ApplyRequest): Promise<{ proposal: Proposal; checkpoint: Checkpoint }> {
  if (!context.trusted) throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing is written to it.', { action: 'Trust the workspace first.' });
  await checkAllowed(context);
  let proposal = await existing(context, request.proposal);
  if (request.hunks) {
    proposal = await verifiedPart(context, proposal, request.hunks, request);
    // Minutes may have passed.
    await checkAllowed(context);
  }
  if (proposal.status !== 'verified' && proposal.status !== 'approved' && proposal.status !== 'deferred') {
    throw new SelfwareError('illegalStep', `The proposal is ${proposal.status}; only a verified one can be applied.`, { action: 'Run Improve again.' });
  }
  if (proposal.verdicts.length === 0 || proposal.verdicts.some((verdict) => verdict.outcome === 'failed')) {
    throw new SelfwareError('illegalStep', 'The proposal has not passed its gates.', { action: 'Verify it first.' });
  }
  if (request.by === 'charter' && context.charter.needsApproval(proposal)) throw new SelfwareError('forbidden', 'The charter asks for the approval of a person.');

  if (proposal.status !== 'approved') await context.ledger.record({ type: 'approved', data: { proposal: proposal.id, by: request.by, reason: null } });
  request.report?.({ stage: 'applying', done: 0, total: proposal.edits.length, message: proposal.title });
  const checkpoint = await writeOrExplain(context, proposal, request);
  await context.ledger.record({ type: 'applied', data: { proposal: proposal.id, checkpoint } });
  context.emit({ type: 'status' });
  return { proposal: await existing(context, proposal.id), checkpoint };
}

/**
 * Ends the probation of a change once the tree is indexed again: kept when its points did not fall, else taken back.
 * `before` = points of the tree right before the change; null = unknown, which keeps it.
 */
export async function settle(context: SessionContext, proposal: Proposal, checkpoint: Checkpoint, before: Points | null, operation: Operation): Promise<Proposal> {
  const after = context.state.points;
  if (before && after && after.ruler.hash === before.ruler.hash && pointsOfCode(after) < pointsOfCode(before)) {
    const reason = `The tree scored ${pointsOfCode(before).toFixed(3)} points before and ${pointsOfCode(after).toFixed(3)} after the change.`;
    await restore(applyContext(context), checkpoint, operation.signal);
    await context.ledger.record({ type: 'rolledBack', data: { proposal: proposal.id, checkpoint: checkpoint.id, by: 'charter', reason } });
    notify(context, { severity: 'warning', message: `${proposal.title} was rolled back: ${reason}`, action: null });
  } else {
    await context.ledger.record({ type: 'kept', data: { proposal: proposal.id, points: after } });
  }
  context.emit({ type: 'status' });
  return existing(context, proposal.id);
}

/** Restores the bytes from before a change. Throws `notFound`, `conflict` when a file was changed since. */
export async function rollback(context: SessionContext, id: string, operation: Operation): Promise<Checkpoint> {
  if (!context.trusted) throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing is written to it.', { action: 'Trust the workspace first.' });
  const checkpoint = (await knownCheckpoints(context)).find((known) => known.id === id);
  if (!checkpoint) throw new SelfwareError('notFound', `There is no checkpoint ${id}.`, { action: 'Run `selfware checkpoints list`.' });
  if (checkpoint.rolledBackAt !== null) throw new SelfwareError('illegalStep', `Checkpoint ${id} was rolled back already.`);
  const restored = await restore(applyContext(context), checkpoint, operation.signal);
  // The way back stays open without a ledger; the record is made up for at a start with a sound one.
  await unlessDamaged(context, null, () => context.ledger.record({ type: 'rolledBack', data: { proposal: checkpoint.proposal, checkpoint: id, by: 'person', reason: null } }));
  context.emit({ type: 'status' });
  return restored;
}

/** Oldest first. With a damaged ledger, those of the list that is kept with the pre-images. */
export async function knownCheckpoints(context: SessionContext): Promise<readonly Checkpoint[]> {
  const recorded = await unlessDamaged(context, null, () => context.ledger.checkpoints());
  return recorded ?? (await readBook(applyContext(context))).filter(({ state }) => state !== 'prepared').map(({ checkpoint }) => checkpoint);
}

/** Forgets checkpoints beyond the newest `keep`. */
export async function pruneCheckpoints(context: SessionContext, keep: number): Promise<readonly string[]> {
  const forgotten = await prune(applyContext(context), await context.ledger.checkpoints(), keep);
  if (forgotten.length > 0) await context.ledger.record({ type: 'forgotten', data: { checkpoints: forgotten } });
  return forgotten;
}

/** After a crash: settles the journal and tells the ledger what became of each change. */
export async function recoverChanges(context: SessionContext): Promise<void> {
  const { notices, settled } = await recover(applyContext(context));
  for (const notice of notices) notify(context, notice);
  await unlessDamaged(context, undefined, () => recordSettled(context, settled));
}

async function recordSettled(context: SessionContext, settled: Recovery['settled']): Promise<void> {
  const checkpoints = await context.ledger.checkpoints();
  for (const change of settled) {
    const known = checkpoints.find((checkpoint) => checkpoint.id === change.checkpoint);
    if (change.outcome === 'applied' && !known && change.proposal && change.record) {
      await context.ledger.record({ type: 'applied', data: { proposal: change.proposal, checkpoint: change.record } });
    }
    if (change.outcome === 'rolledBack' && known && known.rolledBackAt === null) {
      await context.ledger.record({ type: 'rolledBack', data: { proposal: known.proposal, checkpoint: known.id, by: 'charter', reason: 'Finished after a crash.' } });
    }
  }
}

export function applyContext({ ports, charter }: SessionContext): ApplyContext {
  const { clock, ids, files, writer, journal, git, lock, documents, log } = ports;
  return { clock, ids, files, writer, journal, git, lock, documents, log, charter };
}

/** Asked of the ledger each time: another process may have pulled the switch. What cannot be recorded is not written. */
async function checkAllowed(context: SessionContext): Promise<void> {
  const { intact, reason } = await context.ledger.verify();
  if (!intact) throw new SelfwareError('damaged', `The ledger is damaged: ${reason ?? 'unknown reason'} Nothing is applied.`, { action: 'Run `selfware ledger verify`.' });
  if (await context.ledger.isStopped()) throw new SelfwareError('forbidden', 'Selfware is stopped for this repository.', { action: 'Run "Resume" (selfware resume) first.' });
  const allowed = context.settings['charter.maxChanges'];
  const used = await context.ledger.changesSince(context.state.openedAt);
  if (used >= allowed) throw new SelfwareError('forbidden', `The charter allows ${allowed} changes a session, and ${used} are applied.`, { action: 'Raise selfware.charter.maxChanges or start a new session.' });
}

async function verifiedPart(context: SessionContext, whole: Proposal, hunks: readonly number[], operation: Operation): Promise<Proposal> {
  if (isSettled(whole.status)) throw new SelfwareError('illegalStep', `The proposal is ${whole.status}; nothing of it can be applied.`, { action: 'Run Improve again.' });
  const edits = selectHunks(whole.edits, hunks);
  if (edits.length === 0) throw new SelfwareError('usage', 'No hunk was chosen.');
  if (JSON.stringify(edits) === JSON.stringify(whole.edits)) return whole;
  const part = await record(context, { ...whole.opportunity, recipe: whole.recipe }, { edits, title: `${whole.title} (in part)`, rationale: whole.rationale }, whole.base, operation.signal);
  const verified = await verify(context, part.id, operation);
  if (verified.status !== 'verified') throw new SelfwareError('forbidden', `The chosen hunks alone do not pass: ${verified.reason ?? 'refused'}`, { action: 'Choose other hunks or the whole proposal.' });
  await context.ledger.record({ type: 'rejected', data: { proposal: whole.id, by: 'person', reason: `Replaced by ${part.id}, a part of it.` } });
  return verified;
}

async function writeOrExplain(context: SessionContext, proposal: Proposal, operation: Operation): Promise<Checkpoint> {
  try {
    return await applyEdits(applyContext(context), { proposal }, operation.signal);
  } catch (error) {
    const stale = error instanceof SelfwareError && error.reason === 'stale';
    // A stale proposal can never be applied: it is out of the way, and its opportunity is planned again from the new text.
    if (stale) await context.ledger.record({ type: 'refused', data: { proposal: proposal.id, verdicts: proposal.verdicts, pointsBefore: proposal.pointsBefore, pointsAfter: proposal.pointsAfter, reason: describeError(error) } });
    else await context.ledger.record({ type: 'deferred', data: { proposal: proposal.id, by: 'charter', reason: describeError(error) } });
    context.emit({ type: 'status' });
    throw error;
  }
}
