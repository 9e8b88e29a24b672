// Assigns each session an id, under which the ledger records its attempts.

import type { SessionContext } from '../context.ts';

const runs = new WeakMap<SessionContext, string>();

/** The id of this session's attempts in the ledger; created at the first call. */
export function getRunId(context: SessionContext): string {
  const run = runs.get(context) ?? context.ports.ids.next('run');
  runs.set(context, run);
  context.windowRun?.runs.add(run);
  return run;
}
