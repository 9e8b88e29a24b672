// The façade's part that sets up a repository's own tests.

import type { Missing, SetupCheck, SetupPlan, SetupState } from '../model/setup.ts';
import type { Operation } from '../operation.ts';
import type { Allowed } from './plan.ts';

/** The repository's own tests, set up so that they run in the sandbox. */
export interface Setup {
  /**
   * All that a set-up would do, for a person to approve. Runs nothing. Throws `untrusted`, `noCommit`,
   * `notARepository`.
   */
  plan(allow: Allowed, operation: Operation): Promise<SetupPlan>;
  /**
   * Does it, if `approved` is still the hash of its plan, and proves it by one run of the tests. Throws `stale`,
   * `untrusted`, `unavailable`.
   */
  run(approved: string, allow: Allowed, operation: Operation): Promise<SetupReport>;
  /** The last set-up in a sentence. Runs nothing. */
  state(): Promise<SetupState>;
}

export interface SetupReport {
  readonly checks: readonly SetupCheck[];
  readonly missing: readonly Missing[];
  readonly plan: SetupPlan;
  readonly state: SetupState;
  /** Installed packages with scripts that want to run. */
  readonly wantScripts: readonly string[];
}
