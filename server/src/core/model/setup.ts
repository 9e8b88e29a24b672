// How a repository's own tests are set up in the sandbox: what would run, what ran, and what it showed.

export type ServiceKind = 'postgresql' | 'redis' | 'mysql' | 'mongodb';

/** A program that tests expect to be running, started inside the sandbox from this machine's packages. */
export interface Service {
  readonly kind: ServiceKind;
  /** File and line that ask for it. */
  readonly because: string;
  readonly user?: string;
  readonly database?: string;
}

export interface PlannedStep {
  readonly command: string;
  /** The file that says so. */
  readonly because: string;
  readonly network: boolean;
}

export interface Missing {
  readonly what: string;
  readonly action: string;
}

/** Everything that a set-up would do, before anything runs. */
export interface SetupPlan {
  /** Of `text`: what a person approves. */
  readonly hash: string;
  /** For a person, whole. */
  readonly text: string;
  /** Names the result of the installation. */
  readonly name: string;
  readonly manager: string | null;
  readonly steps: readonly PlannedStep[];
  readonly hosts: readonly string[];
  /** Packages with install scripts, by name, as far as the lock file tells; null = it does not. */
  readonly wantScripts: readonly string[] | null;
  /** Those of which the scripts are run. */
  readonly allowedScripts: readonly string[];
  /** Code of the repository that the manager would load, and that is not run. */
  readonly refusedCode: readonly string[];
  readonly services: readonly Service[];
  readonly values: readonly { readonly name: string; readonly value: string; readonly because: string }[];
  readonly testCommand: string | null;
  readonly missing: readonly Missing[];
}

export interface SetupCheck {
  readonly name: 'tests';
  readonly command: string;
  /** True = it ran with results that can be read, and nothing says that they are only a part. */
  readonly runs: boolean;
  readonly tests: number | null;
  readonly passed: number | null;
  readonly failed: number | null;
  readonly seconds: number;
  /** Why it does not count, in a sentence. */
  readonly reason: string | null;
}

/** What a set-up left: kept in the state folder. */
export interface SetupRecord {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly plan: string;
  readonly name: string;
  readonly shape: string;
  readonly manager: string | null;
  readonly services: readonly Service[];
  readonly values: Readonly<Record<string, string>>;
  readonly testCommand: string | null;
  readonly checks: readonly SetupCheck[];
  readonly missing: readonly Missing[];
}

/** As `doctor` and the sidebar tell it. */
export interface SetupState {
  readonly outcome: 'good' | 'degraded' | 'none';
  readonly detail: string;
  readonly action: string | null;
  readonly record: SetupRecord | null;
}
