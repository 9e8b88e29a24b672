// Verifies the remaining part of a partly applied proposal in the background. Operations that a person starts take
// precedence.

import { runInBackground, isCancelled } from './guardHandlers.ts';
import { withProgress } from './progress.ts';
import type { ServerContext, Repository } from './serverContext.ts';
import { awaitsVerification } from '../core/session/propose/remainingPart.ts';

/**
 * Starts the verification and returns at once. If the person cancels it, the part is verified at the next start, or
 * when it is applied.
 */
export function verifyRemaining(context: ServerContext, repository: Repository): void {
  runInBackground(context.log, 'Verifying what is left of a proposal', async () => {
    const session = await repository.session();
    const [first, ...otherProposals] = (await session.proposals.all()).filter(awaitsVerification);
    if (!first) return;
    const others = otherProposals.length > 0 ? ` and of ${otherProposals.length} more` : '';
    const title = `Selfware: verifying what is left of ${first.title}${others}`;
    try {
      const examined = await withProgress(context, { title }, new AbortController().signal, (operation) =>
        session.verification.verifyRemaining(operation),
      );
      // A client with its own reviews also shows a refused part, because it updates the open review.
      for (const remaining of examined)
        if (remaining.status === 'verified' || context.abilities.canReview) context.offerReview(repository, remaining);
    } catch (error) {
      if (!isCancelled(error)) throw error;
    }
  });
}
