// Verifies several proposals at the same time, each in separate sandboxes, while the next ones are proposed.

import { throwIfCancelled } from '../../../util/typedError.ts';
import type { Proposal } from '../../model.ts';
import type { Operation } from '../../operation.ts';
import type { VerifyOptions } from '../../verify/checkedTogether.ts';
import type { AskNextOutcome, AskNextRequest } from '../ask/askTypes.ts';
import type { ProposeOutcome, ProposeRequest } from '../propose/requests.ts';

/** A proposal to verify. `isAlone`: true if nothing else may be verified at the same time. */
export interface SideBySide {
  readonly proposal: Proposal;
  readonly isAlone: boolean;
}

/** A proposal after its verification, or before it together with the error that ended the verification. */
export type VerifiedOrNot =
  | { readonly proposal: Proposal }
  /** `proposal`: the proposal before the verification. */
  | { readonly proposal: Proposal; readonly error: unknown };

/** Makes proposals while others are being verified. */
export interface ProposalSources {
  propose(request: ProposeRequest): Promise<ProposeOutcome>;
  askNext(request: AskNextRequest): Promise<AskNextOutcome>;
}

/**
 * Verifies `first`, and in parallel the proposals that `next` makes meanwhile, until `next` returns null. The results
 * have the order in which the proposals were made; those of proposals that must not run in parallel come last.
 */
export type VerifySideBySide = (
  first: Proposal,
  next: (makers: ProposalSources) => Promise<SideBySide | null>,
  operation: Operation,
  options?: VerifyOptions,
) => Promise<readonly VerifiedOrNot[]>;

/**
 * Verifies the first proposal, and in parallel the ones that `next` returns, until `next` returns null. A proposal that
 * must not run in parallel is verified after all others have ended. The tree must not change meanwhile, so that all
 * results have the same base. The results have the order in which the proposals were made, but results of proposals
 * that must not run in parallel come last. `verify` gets the id of a proposal, and `isShared`, which returns true once
 * another verification has run at the same time. Rejects after a cancel, or with the error of `next`, once no
 * verification is in progress.
 */
export async function verifySideBySide(
  verify: (id: string, isShared: () => boolean) => Promise<Proposal>,
  first: Proposal,
  next: () => Promise<SideBySide | null>,
  { signal }: Pick<Operation, 'signal'>,
): Promise<readonly VerifiedOrNot[]> {
  const inProgress = new Set<{ isShared: boolean }>();
  const verifyOne = (proposal: Proposal): Promise<VerifiedOrNot> => {
    const verificationState = { isShared: false };
    inProgress.add(verificationState);
    if (inProgress.size > 1) for (const otherVerification of inProgress) otherVerification.isShared = true;
    return verify(proposal.id, () => verificationState.isShared)
      .finally(() => inProgress.delete(verificationState))
      .then(
        (verified) => ({ proposal: verified }),
        (error: unknown) => ({ proposal, error }),
      );
  };
  const runningVerifications: Promise<VerifiedOrNot>[] = [verifyOne(first)];
  const separateProposals: Proposal[] = [];
  // A failure to make the next proposal is thrown only when no other verification is in progress.
  const proposalLoop = (async () => {
    for (;;) {
      const nextProposal = signal.aborted ? null : await next();
      if (nextProposal === null) return;
      if (nextProposal.isAlone) separateProposals.push(nextProposal.proposal);
      else runningVerifications.push(verifyOne(nextProposal.proposal));
    }
  })();
  const [failure] = await Promise.allSettled([proposalLoop]);
  const results = await Promise.all(runningVerifications);
  throwIfCancelled(signal);
  if (failure.status === 'rejected') throw failure.reason;
  for (const proposal of separateProposals) {
    if (signal.aborted) break;
    results.push(await verifyOne(proposal));
  }
  throwIfCancelled(signal);
  return results;
}
