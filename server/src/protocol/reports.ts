// What the commands for set-up, judging a branch, the baseline, kept changes and dismissals take and answer.

/** What a command has found, as a page of Markdown. */
export interface ReportPage {
  readonly title: string;
  readonly markdown: string;
}

/** Without `approved`, the answer says what would run, with a hash; with that hash as `approved`, it runs. */
export interface SetupParams {
  readonly approved?: string;
}

/** Without `base`, the answer lists the bases that may be meant. */
export interface JudgeBranchParams {
  readonly base?: string;
}

/** A base that a change can be judged against, and what is judged then. */
export interface BaseChoice {
  readonly name: string;
  readonly detail: string;
}

export const baselineActions = ['create', 'renew', 'update', 'show', 'remove'] as const;

export interface BaselineParams {
  /** If there is a baseline, `create` refuses and `renew` replaces it. */
  readonly action: (typeof baselineActions)[number];
}

export interface VerifyChangeParams {
  /** Id of a kept change, or of its checkpoint. */
  readonly change: string;
}

export interface UndismissParams {
  /** Ids of the opportunities that are shown again. */
  readonly opportunities: readonly string[];
}

/** The dismissals in force, the newest first. */
export interface DismissalList {
  readonly dismissals: readonly {
    readonly opportunity: string;
    readonly rule: string | null;
    readonly path: string | null;
    /** The reason, in words. */
    readonly why: string;
    /** Name of the workspace folder. */
    readonly folder: string;
    /** When the dismissal ends automatically (milliseconds since the epoch), or null. */
    readonly until: number | null;
  }[];
}
