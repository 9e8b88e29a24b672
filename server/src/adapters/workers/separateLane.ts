// Gives separate threads to jobs that answer keystrokes, so that they do not wait for the other jobs to end.

import type { Jobs, JobTable } from '../../core/jobs.ts';

/** Returns a runner that runs jobs of these names on `lane`, and all others on `otherJobs`. Its `close` closes both. */
export function addSeparateLane(names: readonly (keyof JobTable)[], lane: Jobs, otherJobs: Jobs): Jobs {
  const laneNames = new Set(names);
  return {
    run: (name, input, signal) => (laneNames.has(name) ? lane : otherJobs).run(name, input, signal),
    /** The lane keeps its thread, because a person may type at any time. */
    release: () => otherJobs.release(),
    async close() {
      await Promise.all([lane.close(), otherJobs.close()]);
    },
  };
}
