// Server commands that pause, resume and cancel the indexing of all folders. They take effect at once, because they do
// not wait in the queue of operations.

import { createSuccess, type ServerCommand } from './command.ts';
import type { Repository } from '../serverContext.ts';

/** Interrupts indexing until `resumeIndexingCommand` or the command `index`. */
export const pauseIndexingCommand = createCommandForEach(
  (repository) => repository.indexSwitch.pause(),
  'Indexing is paused. What was indexed so far can be searched.',
);

/** Continues paused indexing. */
export const resumeIndexingCommand = createCommandForEach((repository) => {
  repository.indexSwitch.resume();
  repository.indexAgain();
}, 'Indexing continues where it was.');

/** Ends the indexing in progress. */
export const cancelIndexingCommand = createCommandForEach(
  (repository) => repository.indexSwitch.cancel(),
  'Indexing is cancelled. It continues from there when a file is saved, or by Refresh Index.',
);

/** A command that calls `change` for each open repository, and returns `sentence` as its message. */
function createCommandForEach(change: (repository: Repository) => void, sentence: string): ServerCommand {
  return async ({ repositories, events }) => {
    repositories.chosen();
    for (const repository of repositories.all()) {
      change(repository);
      events.status.fire(repository);
    }
    return createSuccess(sentence);
  };
}
