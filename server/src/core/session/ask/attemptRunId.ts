// Assigns each session the id of its attempts in the ledger.

import type { SessionContext } from '../context.ts';

const runs = new WeakMap<SessionContext, string>();

/** The id of this session's attempts in the ledger; created at the first call. */
export function getRunId(context: SessionContext): string {
  const run = runs.get(context) ?? context.ports.ids.next('run');
  runs.set(context, run);
  return run;
}
