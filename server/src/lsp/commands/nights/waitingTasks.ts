// Server commands about tasks of models and agents that wait for a person: drop a task, and add a rule that corrects
// the next answers.

import { escapeInvisibleLine } from '../../../util/visible.ts';
import type { Repository, ServerContext } from '../../serverContext.ts';
import { requireTrust, createSuccess, type ServerCommand } from '../command.ts';
import { parseDropTaskParams, parseWriteRuleParams } from './nightParams.ts';

/** The name of the file with the rules about code, to which a person's rule is added. */
const RULE_FILE = 'CODE';

/** Drops a waiting task. It is listed again only if a model or agent is asked about it again and fails. */
export const dropTaskCommand: ServerCommand = async (context, { args }) => {
  const { task } = parseDropTaskParams(args);
  const repository = await requireTrustedRepository(context);
  await repository.use(({ failedTasks }) => failedTasks.drop(task));
  return createSuccess('Dropped: it no longer waits for you.');
};

/** Adds a rule of the person, which is active at once. Throws `usage` for a text that cannot be a rule. */
export const writeRuleCommand: ServerCommand = async (context, { args }) => {
  const { text } = parseWriteRuleParams(args);
  const repository = await requireTrustedRepository(context);
  await repository.use(async ({ learned }) => {
    const { version } = await learned.readRules(RULE_FILE);
    await learned.writeRule({ file: RULE_FILE, version, text, by: 'person', events: [] });
  });
  context.events.status.fire(repository);
  return createSuccess(`The rule is on, and every later question will include it: ${escapeInvisibleLine(text)}`);
};

/** The repository that the person has chosen, once it is open. Throws `untrusted` if the workspace is not trusted. */
async function requireTrustedRepository({ repositories }: ServerContext): Promise<Repository> {
  const repository = repositories.chosen();
  await repository.session();
  requireTrust(repository);
  return repository;
}
