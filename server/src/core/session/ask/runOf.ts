// The id under which the ledger holds what one session asks.

import type { SessionContext } from '../context.ts';

const runs = new WeakMap<SessionContext, string>();

/** The id under which the ledger holds the attempts of this session; created at the first call. */
export function runIdOf(context: SessionContext): string {
  const run = runs.get(context) ?? context.ports.ids.next('run');
  runs.set(context, run);
  return run;
}
