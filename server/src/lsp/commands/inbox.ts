// Decides on a proposed tool, command or skill, in the folder in which it waits.

import { EFFECT_TEXTS } from '../../core/session/learn/inbox/describe.ts';
import { parseDecideInboxParams } from '../fromProtocol.ts';
import { showMessage } from '../showMessage.ts';
import { requireTrust, successOutcome, type ServerCommand } from './command.ts';

export const decideInboxCommand: ServerCommand = async (context, { args, signal }) => {
  const { item: id, reason = null, ...decision } = parseDecideInboxParams(args);
  const repository = await context.repositories.owner(async (session) =>
    (await session.inbox.list()).open.some((item) => item.id === id),
  );
  requireTrust(repository);
  const { item } = await repository.use((session) => session.inbox.decide({ ...decision, item: id, reason }, signal));
  const message =
    decision.verdict === 'applied' ? `Applied: ${item.name}. ${EFFECT_TEXTS[item.kind]}` : `Rejected: ${item.name}.`;
  if (!context.abilities.canReview) showMessage(context.connection, 'info', message);
  return successOutcome(message);
};
