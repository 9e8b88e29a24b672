// Server commands for a person's decisions on rules for models and agents: repository rules, and rules that agents have
// written.

import { waitsForPerson } from '../../core/learn/ruleBook.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { escapeInvisibleLine } from '../../util/visible.ts';
import { parseDecideRuleFileParams, parseDecideRuleParams } from './rulesParams.ts';
import type { ServerContext } from '../serverContext.ts';
import { showMessage } from '../showMessage.ts';
import { requireTrust, createSuccess, type ServerCommand } from './command.ts';

/**
 * Accepts or refuses a file of repository rules. Throws `untrusted` in a workspace that is not trusted, `notFound` if
 * the folder is not open or has no such file, and `stale` if the text of the file no longer has this hash.
 */
export const decideRepositoryRulesCommand: ServerCommand = async (context, { args }) => {
  const { folder, path, hash, verdict } = parseDecideRuleFileParams(args);
  const repository = context.repositories.all().find(({ uri }) => uri === folder);
  if (!repository) throw new SelfwareError('notFound', 'This folder is no longer open.');
  requireTrust(repository);
  await repository.use(({ learned }) =>
    verdict === 'accepted' ? learned.acceptRepositoryRules(path, hash) : learned.refuseRepositoryRules(path, hash),
  );
  return showSuccess(
    context,
    verdict === 'accepted'
      ? `Accepted: ${escapeInvisibleLine(path)}. If its text changes, it is off again.`
      : `Kept off: ${escapeInvisibleLine(path)}. If its text changes, you are asked again.`,
  );
};

/**
 * Switches on a rule that an agent has written, or leaves it off. Throws `untrusted` in a workspace that is not
 * trusted, `notFound` if there is no such rule, and `stale` if its text has changed or somebody has already decided on
 * it.
 */
export const decideRuleCommand: ServerCommand = async (context, { args }) => {
  const { rule: id, text, verdict } = parseDecideRuleParams(args);
  const repository = await context.repositories.owner(async (session) =>
    (await session.learned.rules()).some((rule) => rule.id === id),
  );
  requireTrust(repository);
  await repository.use(async ({ learned }) => {
    const rule = (await learned.rules()).find((candidate) => candidate.id === id);
    if (rule && (rule.text !== text || !waitsForPerson(rule)))
      throw new SelfwareError('stale', 'This rule is no longer what was shown.', { action: 'Read it again.' });
    await learned.switchRule(id, verdict === 'accepted' ? 'on' : 'off');
  });
  return showSuccess(
    context,
    `${verdict === 'accepted' ? 'The rule is on' : 'The rule stays off'}: ${escapeInvisibleLine(text)}`,
  );
};

/** The outcome with this message. Clients that do not show outcomes themselves get the message as a notification. */
function showSuccess(context: ServerContext, message: string) {
  if (!context.abilities.canReview) showMessage(context.connection, 'info', message);
  return createSuccess(message);
}
