// The jobs of the worker threads, in this thread: what is measured here is work, not waiting.

import { grammarsFromNodeModules } from '../../../server/src/adapters/grammars/grammars.ts';
import { createInProcessJobs } from '../../../server/src/adapters/workers/inProcessJobs.ts';
import { createJobTable } from '../../../server/src/core/jobs.ts';

export const inProcessJobs = createInProcessJobs(
  createJobTable({
    grammars: grammarsFromNodeModules(),
    sourceTree: () => {
      throw new Error('No bench realises an opportunity.');
    },
  }),
);
