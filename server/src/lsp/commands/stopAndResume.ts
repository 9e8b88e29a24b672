// The kill switch of every folder, and its release.

import { succeeded, type ServerCommand } from './command.ts';

/** Not queued behind the running operations, because it ends them. */
export const stopCommand: ServerCommand = async ({ repositories }) => {
  await Promise.all(repositories.all().map(async (repository) => (await repository.session()).stop()));
  return succeeded('Stopped: what ran is cancelled, and nothing is applied until you resume.');
};

export const resumeCommand: ServerCommand = async ({ repositories }) => {
  await Promise.all(repositories.all().map(async (repository) => (await repository.session()).resume()));
  return succeeded('Resumed.');
};
