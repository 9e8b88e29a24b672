// The server command `rollback`: rolls a change back by restoring the previous bytes of exactly the files that it has
// written.

import { SelfwareError } from '../../util/typedError.ts';
import { refuseUnsaved } from '../editorWriter.ts';
import { parseRollbackParams } from '../fromProtocol.ts';
import { runInBackground } from '../guardHandlers.ts';
import { showMessage } from '../showMessage.ts';
import { createSuccess, runWithProgress, type ServerCommand } from './command.ts';

/**
 * Rolls back to the checkpoint with the id, or to the newest one. Throws `notFound` if there is none, and `conflict` if
 * a file has unsaved changes.
 */
export const rollbackCommand: ServerCommand = async (context, request) => {
  const { checkpoint: id } = parseRollbackParams(request.args);
  const repository = await context.repositories.owner(async (session) =>
    (await session.changes.checkpoints()).some((candidate) => candidate.id === id),
  );
  const checkpoints = await (await repository.session()).changes.checkpoints();
  const activeCheckpoints = checkpoints
    .filter(({ rolledBackAt }) => rolledBackAt === null)
    .toSorted((a, b) => b.createdAt - a.createdAt);
  const checkpoint = id === undefined ? activeCheckpoints[0] : checkpoints.find((candidate) => candidate.id === id);
  if (!checkpoint)
    throw new SelfwareError(
      'notFound',
      id === undefined ? 'There is no applied change to roll back.' : `There is no checkpoint ${id}.`,
    );
  await refuseUnsaved(
    context,
    repository,
    repository.rootDir,
    checkpoint.files.map(({ path }) => path),
  );
  try {
    await runWithProgress(
      context,
      repository,
      `Selfware: rolling back ${checkpoint.title}`,
      request,
      (session, operation) => session.changes.rollback(checkpoint.id, operation),
    );
  } catch (error) {
    // The change was already rolled back, for example by a double click or in another window.
    if (!(error instanceof SelfwareError && error.reason === 'illegalStep')) throw error;
    return createSuccess(`Rolled back already: ${checkpoint.title}.`);
  }
  // In the background, because this may take as long as the tests of the repository. A failure becomes a notice.
  runInBackground(context.log, 'Checking what was checked together', async () => {
    await repository.use((session) => session.changes.checkRemaining({ signal: new AbortController().signal }));
  });
  const message = `Rolled back: ${checkpoint.title}.`;
  if (!context.abilities.canReview) showMessage(context.connection, 'info', message);
  return createSuccess(message);
};
