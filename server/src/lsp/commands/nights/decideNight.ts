// Server commands for a person's decisions on the changes of a night (an unattended run): take changes, take some out
// or drop the branch, squash it into one commit, or open a pull request.

import type { CommandOutcome } from '#protocol/review';
import type { Nights } from '../../../app/nights/windowNights.ts';
import type { Proposal } from '../../../core/model.ts';
import type { Operation } from '../../../core/operation.ts';
import { awaitsPerson } from '../../../core/ledger/proposalLife.ts';
import type { Session } from '../../../core/session.ts';
import { formatCount } from '../../../util/counted.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { escapeInvisible, escapeInvisibleLine } from '../../../util/visible.ts';
import { refuseUnsaved } from '../../editorWriter.ts';
import { offerReview } from '../../offerReview.ts';
import type { Repository, ServerContext } from '../../serverContext.ts';
import { toReview } from '../../toProtocol.ts';
import { reportOutcome, requireTrust, runWithProgress, type CommandRequest, type ServerCommand } from '../command.ts';
import { parseDecideNightParams, parseNightRef } from './nightParams.ts';
import { findNewestNight, refuseIfBlocked, requireSettings } from './nights.ts';

/**
 * Files all or the named changes as verified proposals, in the order of the night, so that the person decides on each
 * in a review. With `apply`, the person has already decided: each is applied to the working tree, with a checkpoint.
 */
export const acceptNightCommand: ServerCommand = async (context, request) => {
  const { night, changes = [], apply = false } = parseDecideNightParams(request.args);
  const { repository, night: newestNight } = await findNewestNight(context, night);
  const nights = await context.nights();
  const title = 'Selfware: taking changes of the night';
  return runWithProgress(context, repository, title, request, async (session, operation) => {
    await refuseIfBlocked(repository, session);
    const filedChanges = await nights.file(repository.rootDir, newestNight.branch, operation, changes);
    const proposals = await Promise.all(filedChanges.changes.map((id) => session.proposals.get(id)));
    const waitingProposals = proposals.filter(awaitsPerson);
    context.events.status.fire(repository);
    const [firstProposal] = waitingProposals;
    const decidedCount = proposals.length - waitingProposals.length;
    if (!firstProposal) {
      const otherWord = filedChanges.held.length === 0 ? '' : 'other ';
      const decidedText =
        filedChanges.held.length > 0 && proposals.length === 0
          ? ''
          : changes.length > 0
            ? `${formatCount(decidedCount, 'change has', 'changes have')} been decided already.`
            : `All its ${otherWord}changes have been decided already.`;
      return reportOutcome(context, {
        ok: true,
        message: `${decidedText}${describeHeld(filedChanges.held)}`.trim(),
        review: null,
      });
    }
    const restText =
      decidedCount === 0 ? '' : ` ${formatCount(decidedCount, 'other was', 'others were')} decided before.`;
    if (apply) {
      const outcome = await applyInOrder(context, repository, session, waitingProposals, operation);
      const settleFailure = await settleOrExplain(nights, repository, newestNight.branch);
      context.events.status.fire(repository);
      const message = `${outcome.message}${restText}${describeHeld(filedChanges.held)}${settleFailure}`;
      return reportOutcome(context, { ...outcome, message });
    }
    offerReview(context, repository, firstProposal);
    const message =
      `${formatCount(waitingProposals.length, 'change waits', 'changes wait')} for your decision, in the order of the ` +
      `night.${restText}${describeHeld(filedChanges.held)}`;
    return { ok: true, message, review: toReview(firstProposal, repository.uri) };
  });
};

/**
 * Updates what is stored about the night after its changes were applied. If this fails, returns a sentence about the
 * failure, which is added to the message about the applied changes; otherwise ''.
 */
async function settleOrExplain(nights: Nights, { rootDir }: Repository, branch: string): Promise<string> {
  try {
    await nights.settle(rootDir, branch);
    return '';
  } catch (error) {
    return ` What was applied stays, but ${escapeInvisible(branch)} could not be brought up to date: ${escapeInvisible(describeError(error))}`;
  }
}

/**
 * Applies the proposals one after the other, because each builds on those before it. If one fails, the following ones
 * are still tried. Throws `conflict` before anything is applied if a file has unsaved changes.
 */
async function applyInOrder(
  context: ServerContext,
  repository: Repository,
  session: Session,
  proposals: readonly Proposal[],
  operation: Operation,
): Promise<CommandOutcome> {
  const paths = [...new Set(proposals.flatMap(({ edits }) => edits.map(({ path }) => path)))];
  // If any of the files has unsaved changes, nothing is applied.
  await refuseUnsaved(context, repository, repository.rootDir, paths);
  let appliedCount = 0;
  const failures: string[] = [];
  for (const [index, { id, title }] of proposals.entries()) {
    operation.report?.({ stage: 'applying', done: index, total: proposals.length, message: title });
    try {
      const { proposal } = await session.changes.apply({ ...operation, proposal: id, by: 'person' });
      if (proposal.status === 'kept' || proposal.status === 'applied') appliedCount += 1;
      else
        failures.push(
          `${escapeInvisibleLine(title)}: ${escapeInvisibleLine(proposal.reason ?? 'It was rolled back.')}`,
        );
    } catch (error) {
      throwIfCancelled(operation.signal);
      if (!(error instanceof SelfwareError)) throw error;
      failures.push(`${escapeInvisibleLine(title)}: ${escapeInvisibleLine(describeError(error))}`);
    }
  }
  const countText = `${appliedCount} of ${formatCount(proposals.length, 'change')}`;
  const rollbackText =
    appliedCount === 0 ? '' : ' Each has a checkpoint, to which `selfware checkpoints rollback` goes back.';
  const failedText = failures.length === 0 ? '' : ` Not applied: ${failures.join(' ')}`;
  return { ok: failures.length === 0, message: `${countText} applied.${rollbackText}${failedText}`, review: null };
}

/**
 * A sentence about held changes, which a person can only take by naming them, because their proposer is not trusted; ''
 * if there are none.
 */
function describeHeld(heldTitles: readonly string[]): string {
  if (heldTitles.length === 0) return '';
  const heldText =
    `${formatCount(heldTitles.length, 'change is', 'changes are')} held, because the proposer has “solved” a task ` +
    `that cannot be solved`;
  return ` ${heldText}: ${escapeInvisible(heldTitles.join(', '))}. To take one, name it with \`selfware night accept NUMBER\`.`;
}

/**
 * Takes the named changes out of the branch, and verifies the remaining ones again; without names, deletes the branch.
 */
export const dropNightCommand: ServerCommand = async (context, request) => {
  const { night, changes = [], reason } = parseDecideNightParams(request.args);
  const { repository } = await findNewestNight(context, night);
  const nights = await context.nights();
  const title = changes.length === 0 ? 'Selfware: dropping the night' : 'Selfware: taking changes out of the night';
  const dropResult = await runWithProgress(context, repository, title, request, async (session, operation) => {
    // If single changes are taken out, the remaining ones are verified again, which runs checks of the repository.
    if (changes.length > 0) await refuseIfBlocked(repository, session);
    else requireTrust(repository);
    const settings = requireSettings(repository);
    return nights.drop(repository.rootDir, night ?? null, { ...operation, settings }, changes, reason ?? null);
  });
  context.events.status.fire(repository);
  const branch = escapeInvisible(dropResult.night);
  if (changes.length === 0)
    return reportOutcome(context, {
      ok: true,
      message: `${branch} is deleted; nothing of it is proposed again.`,
      review: null,
    });
  const leftOutTexts = dropResult.alsoLeft.map(
    (left) => `${escapeInvisibleLine(left.title)}: ${escapeInvisibleLine(left.reason)}`,
  );
  const alsoLeftText = leftOutTexts.length === 0 ? '' : ` Also left out: ${leftOutTexts.join(' ')}`;
  const remainingText = `${branch} now holds ${formatCount(dropResult.remaining, 'change')}, checked again where that was needed.`;
  return reportOutcome(context, {
    ok: true,
    message: `Taken out, and not proposed again. ${remainingText}${alsoLeftText}`,
    review: null,
  });
};

/** Squashes the branch into one commit with the same files. */
export const squashNightCommand: ServerCommand = async (context, request) => {
  const { branch, commit } = await runOnNewestNight(
    context,
    request,
    'Selfware: making the night one commit',
    (nights, ...place) => nights.squash(...place),
  );
  const message = `${escapeInvisible(branch)} is one commit now: ${commit.slice(0, 12)}. It can only be dropped as a whole.`;
  return reportOutcome(context, { ok: true, message, review: null });
};

/** Pushes the branch, and opens a pull request with the report of the night as its text. */
export const nightPullRequestCommand: ServerCommand = async (context, request) => {
  const { address } = await runOnNewestNight(context, request, 'Selfware: opening a pull request', (nights, ...place) =>
    nights.pullRequest(...place),
  );
  return reportOutcome(context, {
    ok: true,
    message: `The pull request is open: ${escapeInvisible(address)}`,
    review: null,
    address,
  });
};

/** Runs `work` on the branch of the newest night, with progress in the client. */
async function runOnNewestNight<T>(
  context: ServerContext,
  request: CommandRequest,
  title: string,
  work: (nights: Nights, rootDir: string, branch: string | null, operation: Operation) => Promise<T>,
): Promise<T> {
  const { night } = parseNightRef(request.args);
  const { repository } = await findNewestNight(context, night);
  const nights = await context.nights();
  const result = await runWithProgress(context, repository, title, request, async (session, operation) => {
    await refuseIfBlocked(repository, session);
    return work(nights, repository.rootDir, night ?? null, operation);
  });
  context.events.status.fire(repository);
  return result;
}
