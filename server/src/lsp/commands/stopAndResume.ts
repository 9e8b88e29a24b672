// Server commands for the kill switch: stop all work in every folder, and allow it again.

import { createSuccess, type ServerCommand } from './command.ts';

/**
 * Sets the kill switch of all folders, and ends unattended runs. The command does not wait in the queue of operations,
 * because it ends these.
 */
export const stopCommand: ServerCommand = async ({ repositories, nights, log }) => {
  await Promise.all(repositories.all().map(async (repository) => (await repository.session()).stop()));
  // An unattended run in another process would notice the switch only after its current change, so it is ended now.
  const unattendedRuns = await nights();
  const endedRuns = await Promise.allSettled(repositories.all().map(({ rootDir }) => unattendedRuns.end(rootDir)));
  // A failure is only logged, because the switch is set and ends the run anyway.
  for (const result of endedRuns)
    if (result.status === 'rejected') log.write('warn', 'An unattended run could not be ended at once.', result.reason);
  return createSuccess('Stopped: what ran is cancelled, and nothing is applied until you resume.');
};

/** Releases the kill switch of all folders. */
export const resumeCommand: ServerCommand = async ({ repositories }) => {
  await Promise.all(repositories.all().map(async (repository) => (await repository.session()).resume()));
  return createSuccess('Resumed.');
};
