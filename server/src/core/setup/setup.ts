// The sections of the façade that install packages: the set-up of a repository's own tests, and updates of
// dependencies.

import type { Missing, SetupCheck, SetupPlan, SetupState } from '../model/setup.ts';
import type { CheckedUpdate, LookUpPlan, OutdatedReport, UpdateDraft, UpdateRequest } from '../model/dependencies.ts';
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
  /** Names of installed packages with install scripts. */
  readonly wantScripts: readonly string[];
}

/** Looks up dependencies at their registries, and proposes updates. */
export interface Dependencies {
  /**
   * The plan of a look-up: what would be sent to which hosts. Sends nothing. Throws `untrusted`, `noCommit`,
   * `notARepository`.
   */
  plan(operation: Operation): Promise<LookUpPlan>;
  /** Records that a person has agreed to what a plan sends to its hosts. */
  consent(plan: Pick<LookUpPlan, 'unasked' | 'data'>): Promise<void>;
  /** Asks the registries. Throws `forbidden` if nobody has agreed to a host, `untrusted`, `unavailable`. */
  outdated(operation: Operation): Promise<OutdatedReport>;
  /**
   * Creates the manifests and the lock file of an update in a scratch copy, and plans what has to be installed to check
   * it. Files no proposal. Throws the errors of `outdated`, and `usage` if there is nothing to update, or if the update
   * cannot be made.
   */
  draft(request: UpdateRequest, operation: Operation): Promise<UpdateDraft>;
  /**
   * Installs the packages of both sides, files the update as a proposal and verifies it. If several updates do not pass
   * together, parts of them are filed in the same way, until one proposal contains all updates that pass. `approved`:
   * the hash of the draft that a person has seen. Throws `stale`, `unavailable` if an installation fails, `conflict` if
   * the same update waits for a decision or, without `again`, was refused before. Also throws the errors of the
   * verification.
   */
  check(approved: string, operation: Operation, options?: { readonly again?: boolean }): Promise<CheckedUpdate>;
}
