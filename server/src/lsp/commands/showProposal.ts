// The server command `showProposal`: offers a proposal for review again.

import { parseProposalRef } from '../fromProtocol.ts';
import { offerReview } from '../offerReview.ts';
import { toReview } from '../toProtocol.ts';
import { findProposal, type ServerCommand } from './command.ts';

/** Shows the proposal with the id, or the newest one that waits. Throws `notFound` if there is none. */
export const showProposalCommand: ServerCommand = async (context, { args }) => {
  const { repository, proposal } = await findProposal(context, parseProposalRef(args).proposal);
  offerReview(context, repository, proposal);
  return { ok: true, message: `${proposal.title}: ${proposal.status}.`, review: toReview(proposal, repository.uri) };
};
