// Takes a change from writing to judgement, and judges changes that an earlier process left in probation. Only one
// process judges at a time.

import { SelfwareError } from '../../../util/typedError.ts';
import type { Checkpoint, Points, Proposal } from '../../model.ts';
import type { ApplyRequest } from '../../session.ts';
import { checkRemaining } from './checkRemainingChanges.ts';
import { apply, pruneCheckpoints } from './applyAndRollBack.ts';
import type { AppliedProposal, AppliedOrNot } from './applyResults.ts';
import { withActivity, notify, type SessionContext } from '../context.ts';
import { withdrawStaleUpdates } from './staleUpdates.ts';
import { findInProbation, judgeAppliedChange, keepWithoutCheckpoint, type PointsBefore } from './probation.ts';
import { hasWindowEnded } from './probationWindow.ts';
import { doPassTogether } from '../verify/checkingTogether.ts';
import { requireProposal } from '../verify/verifying.ts';
import type { Operation } from '../../operation.ts';

/**
 * Maximum number of bytes of stored texts (of proposals, bases and receipts) after a change. They are enough for about
 * ten thousand proposals.
 */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;

/** A change in probation, with its checkpoint. */
type ChangeInProbation = Awaited<ReturnType<typeof findInProbation>>[number];

/** Updates the analysis and, in idle time, the index if there is one. */
type Reanalyse = (operation: Operation) => Promise<void>;

/**
 * Judges the changes that are due, then applies a proposal and judges it. If the operation is cancelled after the
 * write, the change stays in probation. Throws `locked` while another process judges, and the errors of `apply`.
 */
export async function applyAndJudge(
  context: SessionContext,
  request: ApplyRequest,
  reanalyse: Reanalyse,
): Promise<AppliedProposal> {
  return withProbationLock(context, async () => {
    // The points before the change must include all earlier edits, so that these are not blamed on the change.
    await reanalyse(request);
    await judgeInProbation(context, request, reanalyse, createDueCheck(context));
    await checkRemaining(context, request);
    const pointsBefore = context.state.points;
    const { proposal, checkpoint, rest } = await withActivity(context, 'applying', () => apply(context, request));
    const requestWithoutCancel = { ...request, signal: new AbortController().signal };
    await reanalyse(requestWithoutCancel);
    const judgedProposal = await judgeOrLeaveInProbation(context, proposal, checkpoint, pointsBefore, request);
    if (judgedProposal.status === 'rolledBack') {
      await reanalyse(requestWithoutCancel);
      await checkRemainingOrLeaveDue(context, request);
    }
    await withdrawStaleUpdates(context, judgedProposal);
    await pruneCheckpoints(context, context.settings['checkpoints.keep']);
    await context.ledger.tidyTexts(MAX_TEXT_BYTES);
    return { proposal: judgedProposal, checkpoint, rest };
  });
}

/**
 * Applies proposals one by one, each with its checkpoint, and then judges each of them in the tree that has them all.
 * Null if types and tests do not pass with all of them; then nothing was applied. After an error other than `stale`,
 * the remaining ones are not tried. Throws `notFound`, `locked`, `untrusted`, `cancelled`; changes that have already
 * been applied stay in probation.
 */
export async function applyTogether(
  context: SessionContext,
  requests: readonly Pick<ApplyRequest, 'proposal' | 'by'>[],
  operation: Operation,
  reanalyse: Reanalyse,
): Promise<readonly AppliedOrNot[] | null> {
  const proposals = await Promise.all(requests.map(({ proposal }) => requireProposal(context, proposal)));
  if (!(await withActivity(context, 'verifying', () => doPassTogether(context, proposals, operation)))) return null;
  return withProbationLock(context, async () => {
    await reanalyse(operation);
    await judgeInProbation(context, operation, reanalyse, createDueCheck(context));
    await checkRemaining(context, operation);
    const results: (AppliedOrNot & { readonly before?: Points | null; readonly after?: Points | null })[] = [];
    for (const request of requests) {
      const before = context.state.points;
      try {
        const applied = await withActivity(context, 'applying', () => apply(context, { ...request, ...operation }));
        await reanalyse({ ...operation, signal: new AbortController().signal });
        results.push({ ...applied, before, after: context.state.points });
      } catch (error) {
        if (!(error instanceof SelfwareError) || error.reason === 'cancelled') throw error;
        results.push({ proposal: await requireProposal(context, request.proposal), error });
        // After `stale` the others are still tried: that a person edits one file says nothing about the other files,
        // and all are judged in the current tree.
        if (error.reason !== 'stale') break;
      }
    }
    const judgedResults: AppliedOrNot[] = [];
    for (const { before = null, after = null, ...result } of results)
      judgedResults.push(
        'error' in result ? result : await judgeAndReanalyse(context, result, { before, after }, operation, reanalyse),
      );
    for (const { proposal } of judgedResults) await withdrawStaleUpdates(context, proposal);
    // A change that was rolled back was still in the tree when the ones before it were judged, so the remaining ones
    // are checked again.
    if (judgedResults.some(({ proposal }) => proposal.status === 'rolledBack'))
      await checkRemainingOrLeaveDue(context, operation);
    await pruneCheckpoints(context, context.settings['checkpoints.keep']);
    await context.ledger.tidyTexts(MAX_TEXT_BYTES);
    return judgedResults;
  });
}

/** Judges one of several applied changes, and updates the analysis if it was rolled back. */
async function judgeAndReanalyse(
  context: SessionContext,
  applied: AppliedProposal,
  { before, after }: { readonly before: Points | null; readonly after: Points | null },
  operation: Operation,
  reanalyse: Reanalyse,
): Promise<AppliedProposal> {
  const proposal = await judgeOrLeaveInProbation(
    context,
    applied.proposal,
    applied.checkpoint,
    before,
    operation,
    after,
  );
  if (proposal.status === 'rolledBack') await reanalyse({ ...operation, signal: new AbortController().signal });
  return { ...applied, proposal };
}

/**
 * Judges every change in probation, oldest first, including those inside their window. Returns the proposals with their
 * new status. Throws `untrusted`, and `locked` while another process judges.
 */
export async function judgeChanges(
  context: SessionContext,
  operation: Operation,
  reanalyse: Reanalyse,
): Promise<readonly Proposal[]> {
  if ((await findInProbation(context)).length === 0) return [];
  if (!context.trusted)
    throw new SelfwareError('untrusted', 'This workspace is not trusted, so nothing of it is run.', {
      action: 'Trust the workspace first.',
    });
  return withProbationLock(context, async () => {
    await reanalyse(operation);
    return judgeInProbation(context, operation, reanalyse);
  });
}

/**
 * Judges the changes in probation that `isWanted` accepts (all if it is absent), oldest first. Returns the proposals
 * with their new status.
 */
async function judgeInProbation(
  context: SessionContext,
  operation: Operation,
  reanalyse: Reanalyse,
  isWanted: (change: ChangeInProbation) => boolean = () => true,
): Promise<readonly Proposal[]> {
  const judgedProposals: Proposal[] = [];
  for (const waitingChange of await findInProbation(context)) {
    if (!isWanted(waitingChange)) continue;
    const { proposal, checkpoint } = waitingChange;
    if (!context.state.inWindow.has(proposal.id))
      notify(context, {
        severity: 'info',
        message: `Checked now, because the process that applied it ended before: ${proposal.title}.`,
        action: null,
      });
    const settledProposal = checkpoint
      ? await judgeOrLeaveInProbation(context, proposal, checkpoint, 'unknown', operation)
      : await keepWithoutCheckpoint(context, proposal);
    if (settledProposal.status === 'rolledBack')
      await reanalyse({ ...operation, signal: new AbortController().signal });
    judgedProposals.push(settledProposal);
  }
  return judgedProposals;
}

/**
 * Creates a function that tells whether a change must be judged before another change is applied. A change that this
 * process has already judged stays in its window until the window ends.
 */
function createDueCheck({ state, ports }: SessionContext) {
  return ({ proposal, checkpoint }: ChangeInProbation): boolean =>
    !state.inWindow.has(proposal.id) || checkpoint === null || hasWindowEnded(checkpoint, ports.clock.now());
}

/** Judges a change. If that is cancelled, the change stays in probation, and a notice says so. */
async function judgeOrLeaveInProbation(
  context: SessionContext,
  proposal: Proposal,
  checkpoint: Checkpoint,
  pointsBefore: PointsBefore,
  operation: Operation,
  pointsAfter?: Points | null,
): Promise<Proposal> {
  try {
    return await withActivity(context, 'verifying', () =>
      judgeAppliedChange(context, proposal, checkpoint, pointsBefore, operation, pointsAfter),
    );
  } catch (error) {
    if (!(error instanceof SelfwareError && error.reason === 'cancelled')) throw error;
    notify(context, {
      severity: 'info',
      message: `${proposal.title} is applied and not checked to the end: its checks were cancelled.`,
      action: 'They run before the next change, or now: `selfware proposals judge`.',
    });
    return requireProposal(context, proposal.id);
  }
}

/** Runs `checkRemaining`. If it is cancelled, the check stays due. */
async function checkRemainingOrLeaveDue(context: SessionContext, operation: Operation): Promise<void> {
  try {
    await checkRemaining(context, operation);
  } catch (error) {
    if (!(error instanceof SelfwareError && error.reason === 'cancelled')) throw error;
  }
}

/** Runs `work` under the lock of the repository for probation. Throws `locked` if another process holds it. */
async function withProbationLock<T>({ ports }: SessionContext, work: () => Promise<T>): Promise<T> {
  const lock = await ports.lock.acquire('probation');
  if (!lock)
    throw new SelfwareError('locked', 'Another Selfware is applying or judging a change of this repository.', {
      action: 'Wait until it is done; it may be running the tests.',
    });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
