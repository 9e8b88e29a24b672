// The window of an editor as a run, so that one limit of money and one of changes apply to all sessions of the window
// together. A restarted language server begins a new run.

import type { Millis } from '../model.ts';

/**
 * The data that the sessions of one window of an editor share: a session that is opened again, because settings or
 * trust have changed, continues the budgets of the earlier ones.
 */
export interface WindowRun {
  readonly startedAt: Millis;
  /** The ids of the runs of these sessions. A session adds its own. */
  readonly runs: Set<string>;
  /** The ids of the proposals that these sessions have applied. A session adds its own. */
  readonly changes: Set<string>;
}
