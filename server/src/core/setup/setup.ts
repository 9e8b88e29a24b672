// The section of the façade that sets up a repository's own tests.

import type { Missing, SetupCheck, SetupPlan, SetupState } from '../model/setup.ts';
import type { Operation } from '../operation.ts';
import type { ExtraPermissions } from './plan.ts';

/** Sets up the repository's own tests so that they run in the sandbox. */
export interface Setup {
  /** The complete plan, for a person to approve. Runs nothing. Throws `untrusted`, `noCommit`, `notARepository`. */
  plan(allow: ExtraPermissions, operation: Operation): Promise<SetupPlan>;
  /**
   * Runs the plan if `approved` is still its hash, and confirms the set-up with one test run. Throws `stale`,
   * `untrusted`, `unavailable`.
   */
  run(approved: string, allow: ExtraPermissions, operation: Operation): Promise<SetupReport>;
  /** The last set-up, as a sentence. Runs nothing. */
  state(): Promise<SetupState>;
}

/** The result of a set-up. */
export interface SetupReport {
  readonly checks: readonly SetupCheck[];
  readonly missing: readonly Missing[];
  readonly plan: SetupPlan;
  readonly state: SetupState;
  /** Installed packages with install scripts. */
  readonly wantScripts: readonly string[];
}
