// Pauses, resumes and cancels the indexing of every folder, without waiting in the queue of operations.

import { successOutcome, type ServerCommand } from './command.ts';
import type { Repository } from '../serverContext.ts';

export const pauseIndexingCommand = commandForEach(
  (repository) => repository.indexSwitch.pause(),
  'Indexing is paused. What was indexed so far can be searched.',
);

export const resumeIndexingCommand = commandForEach((repository) => {
  repository.indexSwitch.resume();
  repository.indexAgain();
}, 'Indexing continues where it was.');

export const cancelIndexingCommand = commandForEach(
  (repository) => repository.indexSwitch.cancel(),
  'Indexing is cancelled. It continues from there when a file is saved, or by Refresh Index.',
);

function commandForEach(act: (repository: Repository) => void, sentence: string): ServerCommand {
  return async ({ repositories, events }) => {
    repositories.chosen();
    for (const repository of repositories.all()) {
      act(repository);
      events.status.fire(repository);
    }
    return successOutcome(sentence);
  };
}
