// After some hunks of a proposal were applied, verifies the remaining part in the background. Operations that a person
// starts take precedence.

import { runInBackground, isCancelled } from './guardHandlers.ts';
import { withProgress } from './progress.ts';
import type { ServerContext, Repository } from './serverContext.ts';
import { awaitsVerification } from '../core/session/propose/remainingPart.ts';

/**
 * Starts the verification of all remaining parts, and returns at once. If the person cancels it, a part is verified at
 * the next start of the server, or when it is applied.
 */
export function verifyRemaining(context: ServerContext, repository: Repository): void {
  runInBackground(context.log, 'Verifying what is left of a proposal', async () => {
    const session = await repository.session();
    const [firstProposal, ...otherProposals] = (await session.proposals.all()).filter(awaitsVerification);
    if (!firstProposal) return;
    const othersText = otherProposals.length > 0 ? ` and of ${otherProposals.length} more` : '';
    const title = `Selfware: verifying what is left of ${firstProposal.title}${othersText}`;
    try {
      const examinedProposals = await withProgress(context, { title }, new AbortController().signal, (operation) =>
        session.verification.verifyRemaining(operation),
      );
      // Selfware's own client also gets refused parts, with which it updates open reviews.
      for (const remainingPart of examinedProposals)
        if (remainingPart.status === 'verified' || context.abilities.canReview)
          context.offerReview(repository, remainingPart);
    } catch (error) {
      if (!isCancelled(error)) throw error;
    }
  });
}
