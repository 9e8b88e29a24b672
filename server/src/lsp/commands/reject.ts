// Rejects a proposal; it is not proposed again.

import { rejectParamsFrom } from '../fromProtocol.ts';
import { reviewTo } from '../toProtocol.ts';
import { findProposal, type ServerCommand } from './command.ts';

export const rejectCommand: ServerCommand = async (context, { args }) => {
  const { proposal: id, reason } = rejectParamsFrom(args);
  const { repository, proposal } = await findProposal(context, id);
  const rejected = await repository.use((session) => session.decide({ proposal: proposal.id, verdict: 'rejected', by: 'person', reason: reason ?? null }));
  return { ok: true, message: `Rejected: ${rejected.title}.`, review: reviewTo(rejected, repository.uri) };
};
