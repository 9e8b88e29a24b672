// The server command `decideInbox`: applies or rejects a proposed tool, command, skill or order of proposers.

import { EFFECT_TEXTS } from '../../core/session/learn/inbox/describe.ts';
import { parseDecideInboxParams } from '../fromProtocol.ts';
import { showMessage } from '../showMessage.ts';
import { requireTrust, createSuccess, type ServerCommand } from './command.ts';

/**
 * Stores the person's decision, in the repository in which the item waits. Throws `untrusted` in a workspace that is
 * not trusted.
 */
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
  return createSuccess(message);
};
