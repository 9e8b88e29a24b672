// Files an update and checks it. If several updates fail together, halves of them are checked. Those that pass are
// proposed as one update, and those that fail are named.

import { SelfwareError } from '../../../util/typedError.ts';
import { EXTERNAL_RECIPE } from '../../model/authors.ts';
import type { CheckedUpdate, DependencyUpdate } from '../../model/dependencies.ts';
import { REPOSITORY_CHECKS } from '../../model/gateStages.ts';
import { UPDATE_DEPENDENCY } from '../../model/updatedDependency.ts';
import type { FileEdit, Proposal } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import { describeUpdate, createUpdateTitle } from '../../setup/updates/describeUpdate.ts';
import { DEPENDS_ON_TIME } from '../../verify/busyMachine.ts';
import type { SessionContext } from '../context.ts';
import { withdrawProposal } from '../propose/rebaseProposal.ts';
import { findFiled, recordProposal } from '../propose/recordProposal.ts';
import { areFilesUnchanged, verify } from '../verify/verifying.ts';
import { findPassing, type Attempt } from './findPassing.ts';
import {
  draftUpdate,
  explainEarlierRefusal,
  installBothSides,
  planInstallations,
  type MadeUpdate,
} from './updating.ts';

/**
 * Files and checks an update that a person has approved. `isForced`: true to file it even if the same edits were
 * refused before. Throws the errors of `propose` and `verify`.
 */
export async function checkUpdate(
  context: SessionContext,
  approved: MadeUpdate,
  operation: Operation,
  isForced: boolean,
): Promise<CheckedUpdate> {
  const { updates } = approved.draft;
  const latestProposals: { verified: Proposal | null; refused: Proposal | null } = { verified: null, refused: null };
  const check = async (part: readonly DependencyUpdate[]): Promise<Attempt<Proposal>> => {
    const isPart = part.length < updates.length;
    const made = isPart ? await draftPart(context, approved, part, operation) : approved;
    if ('reason' in made) return { outcome: 'failed', reason: made.reason };
    const filedProposal =
      (isPart ? await findVerified(context, made.draft.edits) : null) ??
      (await fileUpdate(context, made, operation, isForced || isPart));
    const proposal = await verifyUnlessVerified(context, filedProposal, operation);
    if (proposal.status === 'verified') {
      // The larger update replaces the earlier one, so that a person decides about a single update.
      if (latestProposals.verified !== null)
        await withdrawProposal(context, latestProposals.verified, `It is part of ${proposal.id}.`);
      latestProposals.verified = proposal;
      return { outcome: 'passed', answer: proposal };
    }
    latestProposals.refused ??= proposal;
    const reason = proposal.reason ?? 'Its checks did not pass.';
    return { outcome: mayBeCausedByOneUpdate(proposal) ? 'failed' : 'unknown', reason };
  };
  const { answer, failed } = await findPassing(updates, check);
  const proposal = answer ?? latestProposals.refused;
  if (proposal === null) throw new SelfwareError('unavailable', failed[0]?.reason ?? 'Nothing could be checked.');
  // Later attempts may have replaced the installed packages that applying the answer needs.
  if (answer !== null && failed.length > 0) await keepPackages(context, approved, answer, operation);
  const culprits = answer === null && !mayBeCausedByOneUpdate(proposal) ? [] : failed;
  return { proposal, culprits: culprits.map(({ item, reason }) => ({ update: item, reason })) };
}

/** Makes a smaller update of some of the same dependencies, or returns the reason why it cannot be made. */
async function draftPart(
  context: SessionContext,
  { request, draft }: MadeUpdate,
  part: readonly DependencyUpdate[],
  operation: Operation,
): Promise<MadeUpdate | { readonly reason: string }> {
  const names = part.map(({ name }) => name).join(', ');
  const message = `They do not pass together. Now checking ${part.length} of ${draft.updates.length}: ${names}`;
  operation.report?.({ stage: 'verifying', done: 0, total: null, message });
  const packages = part.map(({ name, manifest, after }) => ({ name, manifest, version: after }));
  try {
    const keepsRanges = request.packages === 'minor' || request.keepsRanges === true;
    const made = await draftUpdate(context, { packages, keepsRanges, scripts: request.scripts }, operation);
    const { left } = made.draft;
    return left.length === 0 ? made : { reason: left.map(({ reason }) => reason).join(' ') };
  } catch (error) {
    if (error instanceof SelfwareError && error.reason === 'usage') return { reason: error.message };
    throw error;
  }
}

/** The verified proposal with exactly these edits, as an earlier look-up may have left it; null if there is none. */
async function findVerified(context: SessionContext, edits: readonly FileEdit[]): Promise<Proposal | null> {
  const filedProposal = await findFiled(context, edits);
  return filedProposal?.status === 'verified' ? filedProposal : null;
}

/** Returns the proposal; verifies it first if it is not verified. */
async function verifyUnlessVerified(
  context: SessionContext,
  proposal: Proposal,
  operation: Operation,
): Promise<Proposal> {
  return proposal.status === 'verified' ? proposal : verify(context, proposal.id, operation, { atOnce: true });
}

/**
 * True if a check failed because one of the updates may have broken something: a check of the repository, and not
 * because it ran out of time.
 */
function mayBeCausedByOneUpdate({ verdicts }: Proposal): boolean {
  return verdicts.some(
    ({ gate, outcome, evidence }) =>
      outcome === 'failed' && REPOSITORY_CHECKS.has(gate) && evidence[DEPENDS_ON_TIME] === undefined,
  );
}

/** Installs the packages of the answer again, unless they are installed. */
async function keepPackages(
  context: SessionContext,
  { request }: MadeUpdate,
  { edits }: Proposal,
  operation: Operation,
): Promise<void> {
  const installs = await planInstallations(context, edits, request.scripts, operation.signal);
  await installBothSides(context, { installs }, operation);
}

/**
 * Installs the packages of both sides and files the proposal. Throws `stale` if the files have changed, `forbidden` if
 * the charter does not allow the edits, `conflict` if the same edits were refused before (unless `isForced`) or wait
 * for a decision, and the errors of `installBothSides` and `recordProposal`.
 */
async function fileUpdate(
  context: SessionContext,
  madeUpdate: MadeUpdate,
  operation: Operation,
  isForced: boolean,
): Promise<Proposal> {
  const { charter, ports } = context;
  const { draft } = madeUpdate;
  const { edits, updates } = draft;
  if (!(await areFilesUnchanged(context, edits))) throw createOutdatedUpdateError();
  const answer = await charter.check(edits, UPDATE_DEPENDENCY);
  if (!answer.allowed)
    throw new SelfwareError('forbidden', answer.reason, { action: 'The charter of this repository decides that.' });
  const refusal = isForced ? null : await explainEarlierRefusal(context, edits);
  if (refusal !== null) throw new SelfwareError('conflict', refusal, { action: 'Add --again to try it once more.' });
  if ((await findFiled(context, edits)) !== null)
    throw new SelfwareError('conflict', 'A proposal with the same edits waits for a decision.', {
      action: 'Look at `selfware proposals list`.',
    });
  await installBothSides(context, madeUpdate, operation);
  const head = (await ports.git.state())?.head ?? null;
  return recordProposal(
    context,
    {
      id: `${UPDATE_DEPENDENCY} ${[...new Set(updates.map(({ name }) => name))].join(' ')}`,
      rule: EXTERNAL_RECIPE,
      path: edits[0]!.path,
      symbol: null,
      recipe: UPDATE_DEPENDENCY,
    },
    { edits, title: createUpdateTitle(updates), rationale: describeUpdate(draft) },
    head,
    operation.signal,
    { author: 'recipe', claimed: 'request' },
  );
}

/** The error for an update that was made for other files than the current ones. */
export function createOutdatedUpdateError(): SelfwareError {
  return new SelfwareError('stale', 'The manifest or the lock file has changed, so the update no longer fits.', {
    action: 'Ask for the update again.',
  });
}
