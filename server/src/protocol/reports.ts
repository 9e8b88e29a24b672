// The answers of checks on request: the set-up, the record, the accepted baseline, and dismissals that can be taken
// back.

/** What a check has found, for a client that shows Markdown. */
export interface ReportPage {
  readonly title: string;
  readonly markdown: string;
}

/** Without `approved`, what would run is told; with the hash of that, it runs. */
export interface SetupParams {
  readonly approved?: string;
}

/** Without a base, those that may be meant are told. */
export interface JudgeBranchParams {
  readonly base?: string;
}

/** What a change may start from, and what is judged then. */
export interface BaseChoice {
  readonly name: string;
  readonly detail: string;
}

export const baselineActions = ['create', 'renew', 'update', 'show', 'remove'] as const;

export interface BaselineParams {
  /** `renew` starts again where there is one; `create` refuses then. */
  readonly action: (typeof baselineActions)[number];
}

/** Of a kept change, or of its checkpoint. */
export interface VerifyChangeParams {
  readonly change: string;
}

export interface UndismissParams {
  readonly opportunities: readonly string[];
}

/** Newest first. */
export interface DismissalList {
  readonly dismissals: readonly {
    readonly opportunity: string;
    readonly rule: string | null;
    readonly path: string | null;
    /** In words. */
    readonly why: string;
    /** Name of the workspace folder. */
    readonly folder: string;
    /** Milliseconds since the epoch; when it comes back by itself, or null. */
    readonly until: number | null;
  }[];
}
