// Proposes and verifies; the person decides afterwards, when it suits them.

import type { CommandOutcome } from '#protocol/review';
import type { Proposal } from '../../core/model.ts';
import { bestProposal, type BestProposal } from '../../core/session/bestProposal.ts';
import { improveParamsFrom } from '../fromProtocol.ts';
import { unlessAborted } from '../guard.ts';
import { offerReview } from '../offerReview.ts';
import { showMessage } from '../showMessage.ts';
import { reviewTo } from '../toProtocol.ts';
import { operate, type ServerCommand } from './command.ts';

/** The answer comes with the verification; a client that cannot show reviews itself is asked for the decision after it. */
export const improveCommand: ServerCommand = async (context, request) => {
  const { opportunity } = improveParamsFrom(request.args);
  const repository = await context.repositories.owner(async (session) => (await session.opportunities()).some(({ id }) => id === opportunity));
  const outcome = await operate(context, repository, 'Selfware: improving', request, async (session, operation) => {
    operation.report?.({ stage: 'indexing', done: 0, total: null, message: 'Waiting for the index' });
    await unlessAborted(repository.settleIndex(), operation.signal);
    return bestProposal(session, opportunity, operation);
  });
  const last = outcome.verified ?? outcome.refused.at(-1);
  if (!last) return say({ ok: false, message: nothingProposed(outcome), review: null });
  const review = reviewTo(last, repository.uri);
  if (!outcome.verified) return say({ ok: false, message: refusal(last), review });
  offerReview(context, repository, outcome.verified);
  return { ok: true, message: `${last.title}: verified, waits for your decision.`, review };

  /** Clients show no answer of a command; one with an interface of its own does. */
  function say(answer: CommandOutcome): CommandOutcome {
    if (!context.abilities.canReview) showMessage(context.connection, 'warning', answer.message);
    return answer;
  }
};

function nothingProposed({ tried }: BestProposal): string {
  const reasons = [...new Set(tried.map(({ refused }) => refused))].slice(0, 3);
  if (tried.length === 0) return 'There is no opportunity that a recipe can realise.';
  return `Nothing is proposed. ${tried.length === 1 ? '' : `${tried.length} opportunities were tried: `}${reasons.join(' ')}`;
}

function refusal({ title, reason, verdicts }: Proposal): string {
  const failed = verdicts.find(({ outcome }) => outcome === 'failed');
  return `${title}: refused. ${reason ?? (failed ? `${failed.gate}: ${failed.reason}` : '')}`.trim();
}
