// Tasks of models and agents that wait for a person: drops one, and writes a rule that corrects the next answers.

import { escapeInvisibleLine } from '../../../util/visible.ts';
import type { Repository, ServerContext } from '../../serverContext.ts';
import { requireTrust, successOutcome, type ServerCommand } from '../command.ts';
import { parseDropTaskParams, parseWriteRuleParams } from './nightParams.ts';

/** The file of rules about code, to which a person's rule is added. */
const RULE_FILE = 'CODE';

/** The task is no longer listed until a model or agent is asked about it again. */
export const dropTaskCommand: ServerCommand = async (context, { args }) => {
  const { task } = parseDropTaskParams(args);
  const repository = await openRepository(context);
  await repository.use(({ failedTasks }) => failedTasks.drop(task));
  return successOutcome('Dropped: it no longer waits for you.');
};

/** Adds a rule of the person, which is on at once. Throws `usage` for a text that is not a rule. */
export const writeRuleCommand: ServerCommand = async (context, { args }) => {
  const { text } = parseWriteRuleParams(args);
  const repository = await openRepository(context);
  await repository.use(async ({ learned }) => {
    const { version } = await learned.readRules(RULE_FILE);
    await learned.writeRule({ file: RULE_FILE, version, text, by: 'person', events: [] });
  });
  context.events.status.fire(repository);
  return successOutcome(`The rule is on, and every later question will include it: ${escapeInvisibleLine(text)}`);
};

/** The selected folder, once it is open. Throws `untrusted`. */
async function openRepository({ repositories }: ServerContext): Promise<Repository> {
  const repository = repositories.chosen();
  await repository.session();
  requireTrust(repository);
  return repository;
}
