// Makes all safe fixes in the whole folder: one proposal for each file if possible, each verified and shown to the
// person before anything is written.

import type { Proposal } from '../../core/model.ts';
import type { ProposeRequest } from '../../core/session/propose/requests.ts';
import type { Session } from '../../core/session.ts';
import { isSafeLevel, isSafeRecipe } from '../../core/propose/unattended.ts';
import { offerReview } from '../offerReview.ts';
import { showMessage } from '../showMessage.ts';
import { successOutcome, runWithProgress, type ServerCommand } from './command.ts';
import { counted } from '../../util/counted.ts';

/** Maximum number of verified proposals in one call. The next call continues from there. */
const MAX_PROPOSALS = 10;

export const fixAllCommand: ServerCommand = async (context, request) => {
  const repository = context.repositories.chosen();
  const outcome = await runWithProgress(
    context,
    repository,
    'Selfware: fixing all that is safe',
    request,
    async (session, operation) => {
      const verified: Proposal[] = [];
      const files = new Set<string>();
      let placesLeft = 0;
      for (const { id, recipe, path } of await session.opportunities.shown()) {
        if (!isSafeRecipe(recipe)) continue;
        operation.signal.throwIfAborted();
        if (verified.length >= MAX_PROPOSALS) {
          placesLeft++;
          continue;
        }
        // All fixes of a file are one change to review. If the checks refuse them together, the places are tried one by
        // one.
        if (!files.has(path)) await tryOne(session, { ...operation, fixesOf: path });
        files.add(path);
        await tryOne(session, { ...operation, opportunity: id });
      }
      return { verified, left: placesLeft };

      async function tryOne(session: Session, proposeRequest: ProposeRequest): Promise<void> {
        const { proposal } = await session.proposals.propose(proposeRequest);
        // Another place of the same file may have included this one, and unsafe fixes must not be filed here.
        if (proposal?.status !== 'proposed' || !(proposeRequest.fixesOf !== undefined || isSafeLevel(proposal.safety)))
          return;
        const judgedProposal = await session.verification.verify(proposal.id, operation);
        if (judgedProposal.status === 'verified') verified.push(judgedProposal);
      }
    },
  );
  // Our own client lists waiting proposals, so opening each of them would only hide the first.
  for (const proposal of context.abilities.canReview ? outcome.verified.slice(0, 1) : outcome.verified)
    offerReview(context, repository, proposal);
  const { verified, left: placesLeft } = outcome;
  const message =
    verified.length === 0
      ? 'There is nothing that can be fixed safely.'
      : `${counted(verified.length, 'proposal waits', 'proposals wait')} for your decision.${placesLeft > 0 ? ` ${counted(placesLeft, 'more place')} can be tried afterwards.` : ''}`;
  if (!context.abilities.canReview) showMessage(context.connection, 'info', message);
  return successOutcome(message);
};
