// The kill switch of every folder, and its release.

import { successOutcome, type ServerCommand } from './command.ts';

/** Stops all folders. The command does not wait in the queue of operations, because it ends them. */
export const stopCommand: ServerCommand = async ({ repositories, nights, log }) => {
  await Promise.all(repositories.all().map(async (repository) => (await repository.session()).stop()));
  // A run in the background would read the switch only after its current change, so it is stopped.
  const runs = await nights();
  const endedRuns = await Promise.allSettled(repositories.all().map(({ rootDir }) => runs.end(rootDir)));
  // The switch is set, so the run ends in any case.
  for (const result of endedRuns)
    if (result.status === 'rejected') log.write('warn', 'An unattended run could not be ended at once.', result.reason);
  return successOutcome('Stopped: what ran is cancelled, and nothing is applied until you resume.');
};

/** Releases the kill switch of all folders. */
export const resumeCommand: ServerCommand = async ({ repositories }) => {
  await Promise.all(repositories.all().map(async (repository) => (await repository.session()).resume()));
  return successOutcome('Resumed.');
};
