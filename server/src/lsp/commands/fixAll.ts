// The server command `fixAll`: makes proposals of all safe fixes in the folder, if possible one for each file. Each is
// verified, and a person reviews it before anything is written.

import type { Proposal } from '../../core/model.ts';
import type { ProposeRequest } from '../../core/session/propose/requests.ts';
import type { Session } from '../../core/session.ts';
import { isSafeLevel, isSafeRecipe } from '../../core/propose/unattended.ts';
import { offerReview } from '../offerReview.ts';
import { showMessage } from '../showMessage.ts';
import { createSuccess, runWithProgress, type ServerCommand } from './command.ts';
import { formatCount } from '../../util/counted.ts';

/** Maximum number of verified proposals in one call. The next call tries the remaining places. */
const MAX_PROPOSALS = 10;

/**
 * Makes and verifies the proposals, and offers them for review. The outcome says how many proposals wait, and how many
 * places remain.
 */
export const fixAllCommand: ServerCommand = async (context, request) => {
  const repository = context.repositories.chosen();
  const outcome = await runWithProgress(
    context,
    repository,
    'Selfware: fixing all that is safe',
    request,
    async (session, operation) => {
      const verifiedProposals: Proposal[] = [];
      const triedFiles = new Set<string>();
      let remainingCount = 0;
      for (const { id, recipe, path } of await session.opportunities.shown()) {
        if (!isSafeRecipe(recipe)) continue;
        operation.signal.throwIfAborted();
        if (verifiedProposals.length >= MAX_PROPOSALS) {
          remainingCount++;
          continue;
        }
        // First all fixes of a file are tried as one change. If the checks refuse it, the places are tried one by one.
        if (!triedFiles.has(path)) await proposeAndVerify(session, { ...operation, fixesOf: path });
        triedFiles.add(path);
        await proposeAndVerify(session, { ...operation, opportunity: id });
      }
      return { verified: verifiedProposals, left: remainingCount };

      async function proposeAndVerify(session: Session, proposeRequest: ProposeRequest): Promise<void> {
        const { proposal } = await session.proposals.propose(proposeRequest);
        // There may be no new proposal, if an earlier one of the same file includes this place. A proposal for a single
        // place is verified only if it is safe.
        if (proposal?.status !== 'proposed' || !(proposeRequest.fixesOf !== undefined || isSafeLevel(proposal.safety)))
          return;
        const judgedProposal = await session.verification.verify(proposal.id, operation);
        if (judgedProposal.status === 'verified') verifiedProposals.push(judgedProposal);
      }
    },
  );
  // Selfware's own client lists waiting proposals, so it gets only the first one; opening the others would hide that.
  for (const proposal of context.abilities.canReview ? outcome.verified.slice(0, 1) : outcome.verified)
    offerReview(context, repository, proposal);
  const { verified, left: placesLeft } = outcome;
  const message =
    verified.length === 0
      ? 'There is nothing that can be fixed safely.'
      : `${formatCount(verified.length, 'proposal waits', 'proposals wait')} for your decision.${placesLeft > 0 ? ` ${formatCount(placesLeft, 'more place')} can be tried afterwards.` : ''}`;
  if (!context.abilities.canReview) showMessage(context.connection, 'info', message);
  return createSuccess(message);
};
