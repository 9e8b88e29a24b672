// Assigns each session a run id, under which the ledger records its attempts.

import type { SessionContext } from '../context.ts';

const runs = new WeakMap<SessionContext, string>();

/** The run id of this session; created at the first call. */
export function getRunId(context: SessionContext): string {
  const run = runs.get(context) ?? context.ports.ids.next('run');
  runs.set(context, run);
  context.windowRun?.runs.add(run);
  return run;
}
