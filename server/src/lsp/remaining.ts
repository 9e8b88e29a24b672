// Verifies in the background what is left of a partly applied proposal. Whatever a person asks for goes first.
import { inBackground, isCancelled } from './guard.ts';
import { withProgress } from './progress.ts';
import type { ServerContext, Repository } from './serverContext.ts';
import { awaitsVerification } from '../core/session/propose/remaining.ts';

/** Returns at once. Cancelled by the person, it waits until its turn comes: at the next start, or as it is applied. */
export function verifyRemaining(context: ServerContext, repository: Repository): void {
  inBackground(context.log, 'Verifying what is left of a proposal', async () => {
    const session = await repository.session();
    const [first, ...others] = (await session.proposals.all()).filter(awaitsVerification);
    if (!first) return;
    const title = `Selfware: verifying what is left of ${first.title}${others.length > 0 ? ` and of ${others.length} more` : ''}`;
    try {
      const looked = await withProgress(context, { title }, new AbortController().signal, (operation) =>
        session.verification.verifyRemaining(operation),
      );
      // A client with reviews of its own shows what became of it where it is open.
      for (const rest of looked)
        if (rest.status === 'verified' || context.abilities.canReview) context.offerReview(repository, rest);
    } catch (error) {
      if (!isCancelled(error)) throw error;
    }
  });
}
