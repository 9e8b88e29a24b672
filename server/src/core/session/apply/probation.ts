// Probation: an applied change is judged in the current tree, then kept or rolled back. Probation continues after a
// restart.

import { createStuckNotice } from './stuckNotice.ts';
import { UNDONE_BY_HAND } from '../../ledger/ownReasons.ts';
import { SelfwareError, describeError, throwIfCancelled } from '../../../util/typedError.ts';
import { mergeTexts } from '../../apply/mergeTexts.ts';
import { rollback as restore } from '../../apply/rollback.ts';
import type { Checkpoint, FileEdit, Points, Proposal, Verdict } from '../../model.ts';
import { computePointsWithoutCoverage } from '../../score/comparePoints.ts';
import { compareScores } from '../../score/pointsDifference.ts';
import { listIdsCheckedTogether } from '../../verify/checkedTogether.ts';
import type { VerifyContext } from '../../verify/context.ts';
import { verifyProposal } from '../../verify/verify.ts';
import { createApplyContext } from './applyContext.ts';
import { notify, type SessionContext } from '../context.ts';
import { readCurrentText } from '../propose/rebaseProposal.ts';
import { findUpdatedDependencies } from '../../model/updatedDependency.ts';
import { changedBytes } from '../setup/updating.ts';
import { writeReceipt } from '../ledger/receipts.ts';
import { scoreEdits } from '../analyse/scoring.ts';
import {
  AFTER_USE_REASON,
  findMeasuredGain,
  needsTimeInUse,
  hasWindowEnded,
  windowSentence,
} from './probationWindow.ts';
import { isCheckedTree } from '../verify/checkedTrees.ts';
import { readTreeState, removeFiles } from '../verify/treeState.ts';
import { requireProposal, createVerifyContext } from '../verify/verifying.ts';
import type { Operation } from '../../operation.ts';
import type { Sandbox } from '../../ports/sandbox.ts';

/** Minimum fall in points that counts. A smaller difference may come from rounding. */
const MIN_FALL = 1e-9;

/**
 * The points right before the change; null if none were measured, and `unknown` if the process that measured them has
 * ended.
 */
export type PointsBefore = Points | null | 'unknown';

/**
 * Changes in probation with their checkpoints, in the order in which they were applied. Changes whose checkpoint is
 * gone come first, with null.
 */
export async function findInProbation({
  ledger,
}: SessionContext): Promise<readonly { readonly proposal: Proposal; readonly checkpoint: Checkpoint | null }[]> {
  const checkpoints = await ledger.checkpoints();
  const positionOf = ({ checkpoint }: Proposal) => checkpoints.findIndex(({ id }) => id === checkpoint);
  const applied = (await ledger.proposals()).filter(({ status }) => status === 'applied');
  return applied
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .map((proposal) => ({ proposal, checkpoint: checkpoints[positionOf(proposal)] ?? null }));
}

/**
 * Judges one change in the current analysed tree. Compares the points and, depending on `apply.probation`, types and
 * tests with and without the change. Other edits are on both sides, so they are neither blamed on the change nor lost.
 * The change ends `kept`, `rolledBack`, or `conflicted` if it cannot be rolled back. It is kept without checks if its
 * lines were edited since, and it counts as rolled back by a person if nothing of it remains. It stays `applied` if a
 * measured gain has to prove itself in use. A cancel leaves it in probation and throws `cancelled`.
 */
export async function judgeAppliedChange(
  context: SessionContext,
  proposal: Proposal,
  checkpoint: Checkpoint,
  before: PointsBefore,
  operation: Operation,
  after: Points | null = context.state.points,
): Promise<Proposal> {
  const standing = await findStandingEdits(context, proposal.edits);
  if (standing === 'edited')
    return keep(context, proposal, {
      by: 'charter',
      reason: 'Its lines were edited before it was judged, so it is part of your work now.',
      verdicts: [],
    });
  if (standing.length === 0) return recordUndone(context, proposal, checkpoint, operation);
  const fallReason =
    before === 'unknown'
      ? await measureFallWith(context, standing, getClaimPrice(proposal), operation)
      : explainFall(before, after, getClaimPrice(proposal));
  if (fallReason) return rollBackFailed(context, proposal, checkpoint, fallReason);
  const verdicts = await checkInTree(context, proposal, standing, operation);
  // A failed `applies` means that the sandbox did not take the change, which shows nothing about the change itself.
  const failedVerdict = verdicts.find(({ gate, outcome }) => gate !== 'applies' && outcome === 'failed');
  if (failedVerdict)
    return rollBackFailed(
      context,
      proposal,
      checkpoint,
      `In your tree as it is now, with the change: ${failedVerdict.reason}`,
    );
  if (!needsTimeInUse(proposal, verdicts)) return keep(context, proposal, { by: 'charter', reason: null, verdicts });
  if (hasWindowEnded(checkpoint, context.ports.clock.now()))
    return keep(context, proposal, { by: 'charter', reason: AFTER_USE_REASON, verdicts });
  context.state.inWindow.add(proposal.id);
  notify(context, {
    severity: 'info',
    message: windowSentence(proposal, verdicts),
    action: `To measure it again: \`selfware proposals judge\`. To keep it as it is: \`selfware proposals keep ${proposal.id}\`.`,
  });
  return requireProposal(context, proposal.id);
}

/**
 * Ends the probation of a change, or accepts a change that failed it, because a person decided so. Throws `notFound`,
 * and `illegalStep` if the proposal is neither `applied` nor `conflicted`.
 */
export async function keepByPerson(context: SessionContext, id: string, reason: string | null): Promise<Proposal> {
  const proposal = await requireProposal(context, id);
  if (proposal.status !== 'applied' && proposal.status !== 'conflicted')
    throw new SelfwareError(
      'illegalStep',
      `The proposal is ${proposal.status}; only a change that is being checked after applying, or that failed, can be kept.`,
    );
  return keep(context, proposal, { by: 'person', reason, verdicts: [] });
}

/**
 * At the start of a session, adds notices about changes that still have to be judged, and about changes that wait for a
 * person.
 */
export async function reportProbation(context: SessionContext): Promise<void> {
  for (const { title, status, id, reason, checkpoint } of await context.ledger.proposals()) {
    if (status === 'applied')
      notify(context, {
        severity: 'info',
        message: `Applied, and not checked to the end yet: ${title}.`,
        action: `Its checks run before the next change, or now: \`selfware proposals judge\`. To keep it as it is: \`selfware proposals keep ${id}\`.`,
      });
    if (status === 'conflicted') notify(context, createStuckNotice(title, reason ?? '', id, checkpoint ?? ''));
  }
}

/** Keeps a change whose checkpoint is gone and that can therefore no longer be rolled back. */
export async function keepWithoutCheckpoint(context: SessionContext, proposal: Proposal): Promise<Proposal> {
  return keep(context, proposal, {
    by: 'charter',
    reason: 'It was never judged, and its checkpoint is no longer stored.',
    verdicts: [],
  });
}

/** Keeps a change: writes its receipt, and records the change and its receipt. */
async function keep(
  context: SessionContext,
  proposal: Proposal,
  options: { readonly by: 'person' | 'charter'; readonly reason: string | null; readonly verdicts: readonly Verdict[] },
): Promise<Proposal> {
  const points = context.state.points;
  const receipt = await writeReceipt(context, proposal, { ...options, points });
  await context.ledger.record({ type: 'kept', data: { proposal: proposal.id, points, ...options, receipt } });
  context.emit({ type: 'status' });
  return requireProposal(context, proposal.id);
}

/** Records that a person has removed the change by hand, so that nothing of it remains in the files. */
async function recordUndone(
  context: SessionContext,
  proposal: Proposal,
  checkpoint: Checkpoint,
  operation: Operation,
): Promise<Proposal> {
  await restore(createApplyContext(context), checkpoint, operation.signal);
  await context.ledger.record({
    type: 'rolledBack',
    data: { proposal: proposal.id, checkpoint: checkpoint.id, by: 'person', reason: UNDONE_BY_HAND },
  });
  context.emit({ type: 'status' });
  return requireProposal(context, proposal.id);
}

/** Rolls back a change that failed its probation. If that is impossible, it becomes `conflicted`. */
async function rollBackFailed(
  context: SessionContext,
  proposal: Proposal,
  checkpoint: Checkpoint,
  reason: string,
): Promise<Proposal> {
  try {
    // A harmful change must not stay because the operation was cancelled, so the rollback has a separate signal.
    await restore(createApplyContext(context), checkpoint, new AbortController().signal);
    await context.ledger.record({
      type: 'rolledBack',
      data: { proposal: proposal.id, checkpoint: checkpoint.id, by: 'charter', reason },
    });
    notify(context, {
      severity: 'warning',
      message: `${proposal.title} was rolled back: ${reason}`,
      action: null,
      change: { proposal: proposal.id, title: proposal.title, status: 'rolledBack', checkpoint: checkpoint.id },
    });
  } catch (error) {
    // `notFound`: the bytes from before the change no longer exist.
    if (!(error instanceof SelfwareError && (error.reason === 'conflict' || error.reason === 'notFound'))) throw error;
    const reasonText = `${reason} It cannot be rolled back automatically: ${error.message}`;
    await context.ledger.record({
      type: 'conflicted',
      data: { proposal: proposal.id, checkpoint: checkpoint.id, reason: reasonText },
    });
    notify(context, createStuckNotice(proposal.title, reasonText, proposal.id, checkpoint.id));
  }
  context.emit({ type: 'status' });
  return requireProposal(context, proposal.id);
}

/**
 * Computes the part of the change that is still in the current texts. `after` is the current text of the file, and
 * `before` is that text without the change. A file in which nothing of the change remains has no edit. `edited` if the
 * change cannot be removed from one of the current texts.
 */
export async function findStandingEdits(
  { ports }: SessionContext,
  edits: readonly FileEdit[],
): Promise<readonly FileEdit[] | 'edited'> {
  const standingEdits: FileEdit[] = [];
  for (const { path, before, after } of edits) {
    const current = await readCurrentText(ports, path, after);
    if (current === before) continue;
    const textWithoutChange =
      current === after
        ? before
        : current === null || before === null || after === null
          ? undefined
          : (mergeTexts(after, current, before) ?? undefined);
    if (textWithoutChange === undefined) return 'edited';
    if (textWithoutChange !== current) standingEdits.push({ path, before: textWithoutChange, after: current });
  }
  return standingEdits;
}

/**
 * Explains, as a sentence, that the points fell by more than `allowed`. Null if they did not, if either is null, or if
 * the ruler has changed. Counts only measures that exist on both sides: if the last finding of a small tree is fixed,
 * the measure itself may disappear. Coverage is excluded, because the tests have not run again yet.
 */
function explainFall(before: Points | null, after: Points | null, allowed: number): string | null {
  if (!before || !after || after.ruler.hash !== before.ruler.hash) return null;
  const { by } = compareScores(before, after);
  const gain = by.reduce((sum, { category, delta }) => sum + (category === 'testCoverage' ? 0 : delta), 0);
  const newPoints = computePointsWithoutCoverage(after);
  return isFall(gain, allowed)
    ? `The tree scored ${(newPoints - gain).toFixed(3)} points before and ${newPoints.toFixed(3)} after the change.`
    : null;
}

/** True if `gain` is a loss of more than `allowed` points. */
export function isFall(gain: number, allowed: number): boolean {
  return gain < -allowed - MIN_FALL;
}

/** The points that the claim of the change may cost. The person who approved the change knew this price. */
function getClaimPrice({ claim }: Proposal): number {
  return claim?.price ?? 0;
}

/**
 * Explains, as a sentence, that the current tree scores more than `allowed` points less with the change than without
 * it; otherwise null. For a change whose points before are unknown.
 */
async function measureFallWith(
  context: SessionContext,
  standing: readonly FileEdit[],
  allowed: number,
  operation: Operation,
): Promise<string | null> {
  const { before, after } = await scoreEdits(context, standing, operation.signal);
  const [pointsWithout, pointsWith] = [computePointsWithoutCoverage(before), computePointsWithoutCoverage(after)];
  return isFall(pointsWith - pointsWithout, allowed)
    ? `The tree scores ${pointsWithout.toFixed(3)} points without and ${pointsWith.toFixed(3)} with the change.`
    : null;
}

/**
 * Compares types, tests and a measured gain of the current tree with the tree without the change. If the setting
 * `apply.probation` is `points`, nothing is compared. If it is `checks`, types and tests do not run on a tree that
 * equals the verified one. Empty if nothing was compared.
 */
async function checkInTree(
  context: SessionContext,
  proposal: Proposal,
  standing: readonly FileEdit[],
  operation: Operation,
): Promise<readonly Verdict[]> {
  const extent = context.settings['apply.probation'];
  if (extent === 'points') return [];
  const gain = findMeasuredGain(proposal);
  const isTreeAsVerified = extent === 'checks' && (await isAsVerified(context, proposal));
  if (isTreeAsVerified && !gain) return [];
  return compareInTree(
    context,
    proposal,
    standing,
    {
      only: [
        'applies',
        ...(isTreeAsVerified ? [] : (['types', 'tests'] as const)),
        ...(gain ? (['claim'] as const) : []),
      ],
      ...(gain ? { isProbation: true, claimsOf: () => [gain] } : {}),
    },
    operation,
  );
}

/**
 * The verdicts of some gates on the current tree, compared with the tree without the `standing` edits. If the checks
 * could not be run, the result is a single `unknown` verdict of the gate `tests`. Throws `cancelled`.
 */
export async function compareInTree(
  context: SessionContext,
  proposal: Proposal,
  standing: readonly FileEdit[],
  options: Pick<VerifyContext, 'only' | 'isProbation' | 'claimsOf'>,
  operation: Operation,
): Promise<readonly Verdict[]> {
  throwIfCancelled(operation.signal);
  const report: Operation['report'] = (progress) =>
    operation.report?.({ ...progress, message: `Checking "${proposal.title}" in your files: ${progress.message}` });
  const verifyContext = await createVerifyContext(context, { ...operation, report });
  const sandboxWithoutChange = {
    ...context.ports.sandbox,
    open: (...args: Parameters<Sandbox['open']>) => openWithoutChange(context.ports.sandbox, args, standing),
  };
  try {
    const { verdicts } = await verifyProposal(
      {
        ...verifyContext,
        sandbox: sandboxWithoutChange,
        ...options,
        treeKey: (_edits, side) =>
          side === 'candidate'
            ? verifyContext.treeKey([], 'base')
            : verifyContext.treeKey(
                standing.map(({ path, before, after }) => ({ path, before: after, after: before })),
                'candidate',
              ),
      },
      { ...proposal, edits: standing },
      operation.signal,
    );
    return verdicts;
  } catch (error) {
    throwIfCancelled(operation.signal);
    if (!(error instanceof SelfwareError)) throw error;
    // A check that did not run speaks neither for nor against the change.
    return [
      {
        gate: 'tests',
        outcome: 'unknown',
        reason: `The checks after applying could not be run: ${describeError(error)}`,
        evidence: {},
        millis: 0,
      },
    ];
  }
}

/**
 * True if the tree equals the verified one, so the checks would give the same results. A change that was checked
 * together with others was verified only in the tree with all of them.
 */
async function isAsVerified(context: SessionContext, proposal: Proposal): Promise<boolean> {
  const { id, verifiedOn, edits } = proposal;
  if (await isCheckedTree(context)) return true;
  if (listIdsCheckedTogether(proposal).length > 0) return false;
  const base = (await context.ledger.bases()).get(id);
  if (!base || base !== verifiedOn) return false;
  for (const { path, after } of edits) if ((await readCurrentText(context.ports, path, after)) !== after) return false;
  const [baseText, currentTree] = [await context.ledger.text(base), await readTreeState(context)];
  const paths = edits.map(({ path }) => path);
  return (
    baseText !== null && currentTree !== null && removeFiles(baseText, paths) === removeFiles(currentTree.text, paths)
  );
}

/** Opens a sandbox whose base is the tree without the change. */
async function openWithoutChange(
  sandbox: Sandbox,
  args: Parameters<Sandbox['open']>,
  standing: readonly FileEdit[],
): ReturnType<Sandbox['open']> {
  const [signal, changed, absent] = args;
  // The tree without an update of a dependency gets the packages from before the update.
  const isUpdate = changed === undefined && findUpdatedDependencies(standing) !== null;
  const worktree = await sandbox.open(signal, isUpdate ? changedBytes(standing, 'before') : changed, absent);
  try {
    await worktree.write(standing, { reverse: true });
    return worktree;
  } catch (error) {
    await worktree.dispose();
    throw error;
  }
}
