// The types for the set-up of a repository's own tests in the sandbox: the plan, the executed steps, and the result.

/** The services that Selfware can start. */
export type ServiceKind = 'postgresql' | 'redis' | 'mysql' | 'mongodb';

/** A service that the tests expect to be running. It is started inside the sandbox, from this machine's packages. */
export interface Service {
  readonly kind: ServiceKind;
  /** The place that requires the service, as `path:line`. */
  readonly because: string;
  /** The user that the service creates; absent if the default is used. */
  readonly user?: string;
  /** The database that the service creates; absent if the default is used. */
  readonly database?: string;
}

/** A command of the plan. `network`: true if it may reach the hosts of the plan. */
export interface PlannedStep {
  readonly command: string;
  /** The file that requests it. */
  readonly because: string;
  readonly network: boolean;
}

/** Something that the set-up lacks, as a phrase, and the next step for the person, as a sentence. */
export interface Missing {
  readonly what: string;
  readonly action: string;
}

/** Everything that a set-up would do, before anything runs. */
export interface SetupPlan {
  /** Hash of `text`, which a person approves. */
  readonly hash: string;
  /** The complete plan, for a person. */
  readonly text: string;
  /** The name of the installation's result. */
  readonly name: string;
  /** The package manager, or the language of the tests; null if neither is known. */
  readonly manager: string | null;
  readonly steps: readonly PlannedStep[];
  readonly hosts: readonly string[];
  /** Names of packages with install scripts, according to the lock file; null if the lock file does not state them. */
  readonly wantScripts: readonly string[] | null;
  /** The packages whose scripts are run. */
  readonly allowedScripts: readonly string[];
  /** Code of the repository that the package manager would load, and that is not run. */
  readonly refusedCode: readonly string[];
  readonly services: readonly Service[];
  /** Variables that are set for the tests. */
  readonly values: readonly { readonly name: string; readonly value: string; readonly because: string }[];
  /** Replaces the detected test command; null to use the detected one. */
  readonly testCommand: string | null;
  readonly missing: readonly Missing[];
}

/** The result of running the tests after a set-up. */
export interface SetupCheck {
  readonly name: 'tests';
  readonly command: string;
  /** True if the command ran with readable results, and nothing indicates that they are incomplete. */
  readonly runs: boolean;
  /** Number of tests that ran; null if it is unknown. The numbers of passed and failed tests are null then, too. */
  readonly tests: number | null;
  readonly passed: number | null;
  readonly failed: number | null;
  /** Tests that the runner skipped, which `tests` does not count; absent in older records. */
  readonly skipped?: number;
  readonly seconds: number;
  /** The reason why the run does not count, as a sentence. */
  readonly reason: string | null;
}

/** The result of a set-up, kept in the state folder. */
export interface SetupRecord {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Hash of the plan that was approved. */
  readonly plan: string;
  readonly name: string;
  /** Hash of the files that determine the installation. */
  readonly shape: string;
  readonly manager: string | null;
  readonly services: readonly Service[];
  readonly values: Readonly<Record<string, string>>;
  readonly testCommand: string | null;
  readonly checks: readonly SetupCheck[];
  readonly missing: readonly Missing[];
}

/** The state of the set-up, as `doctor` and the sidebar show it. */
export interface SetupState {
  readonly outcome: 'good' | 'degraded' | 'none';
  readonly detail: string;
  readonly action: string | null;
  readonly record: SetupRecord | null;
}
