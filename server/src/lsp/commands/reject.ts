// The server command `reject`: rejects a proposal, which is then not proposed again.

import { DISMISSAL_KINDS } from '../../core/model.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { parseRejectParams } from '../fromProtocol.ts';
import { toReview } from '../toProtocol.ts';
import { findProposal, type ServerCommand } from './command.ts';

/**
 * Stores the rejection. If a kind of reason is given, also dismisses the opportunity. Throws `usage` for an unknown
 * kind, and `notFound` if there is no such proposal.
 */
export const rejectCommand: ServerCommand = async (context, { args }) => {
  const { proposal: id, reason, kind: kindParam } = parseRejectParams(args);
  const kind = DISMISSAL_KINDS.find((candidate) => candidate === kindParam);
  if (kindParam !== undefined && kind === undefined)
    throw new SelfwareError('usage', `A reason must be of one of the kinds ${DISMISSAL_KINDS.join(', ')}.`);
  const { repository, proposal } = await findProposal(context, id);
  const rejectedProposal = await repository.use((session) =>
    session.proposals.decide({ proposal: proposal.id, verdict: 'rejected', by: 'person', reason: reason ?? null }),
  );
  // From a dismissal of this kind, the rule learns how far to trust its findings.
  const { id: opportunity, rule, path } = proposal.opportunity;
  if (kind !== undefined)
    await repository.use((session) =>
      session.opportunities.dismiss({ opportunity, kind, reason: reason ?? null, rule, path }),
    );
  return {
    ok: true,
    message: `Rejected: ${rejectedProposal.title}.`,
    review: toReview(rejectedProposal, repository.uri),
  };
};
