// Assigns each session a run id, under which the ledger records its attempts.

import type { SessionContext } from '../context.ts';

const runIdBySession = new WeakMap<SessionContext, string>();

/** The run id of this session; created at the first call. */
export function getOrCreateRunId(context: SessionContext): string {
  const runId = runIdBySession.get(context) ?? context.ports.ids.next('run');
  runIdBySession.set(context, runId);
  context.windowRun?.runs.add(runId);
  return runId;
}
