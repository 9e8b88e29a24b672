// The kill switch of every folder, and its release.

import { done, type ServerCommand } from './command.ts';

/** Not queued behind the running operations, because it ends them. */
export const stopCommand: ServerCommand = async ({ repositories, nights }) => {
  await Promise.all(repositories.all().map(async (repository) => (await repository.session()).stop()));
  // A run in the background would see the switch only after its current change.
  const runs = await nights();
  await Promise.all(repositories.all().map(({ rootDir }) => runs.end(rootDir)));
  return done('Stopped: what ran is cancelled, and nothing is applied until you resume.');
};

export const resumeCommand: ServerCommand = async ({ repositories }) => {
  await Promise.all(repositories.all().map(async (repository) => (await repository.session()).resume()));
  return done('Resumed.');
};
