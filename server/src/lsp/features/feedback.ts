// Analyses the feedback in the ledger (such as corrections by people, and failures of models) every hour while a window
// is open. New findings become notices to the person.

import { runInBackground } from '../guardHandlers.ts';
import type { Feature } from '../serverContext.ts';
import { HOUR_MS } from '../../util/timing/durations.ts';

/** Starts the timer, which does not keep the process alive. */
export const feedback: Feature = ({ repositories, log }) => {
  const analyseAll = async (): Promise<void> => {
    for (const repository of repositories.all())
      if (repository.isOpen)
        await repository.use((session) => session.learned.lookAtFeedback(AbortSignal.timeout(HOUR_MS)));
  };
  setInterval(() => runInBackground(log, 'Looking at the feedback', analyseAll), HOUR_MS).unref();
  return {};
};
