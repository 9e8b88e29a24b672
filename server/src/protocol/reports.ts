// Parameters and answers of the commands for set-up, judging a branch, the baseline, kept changes and dismissals.

/** The result of a command, as a page of Markdown. */
export interface ReportPage {
  readonly title: string;
  readonly markdown: string;
}

/**
 * Parameters of the set-up. Without `approved`, the answer contains the plan with its hash; with that hash as
 * `approved`, the plan runs.
 */
export interface SetupParams {
  readonly approved?: string;
}

/** Parameters of a search for calls that break, or for missing tests. Without `uri`, the chosen folder is searched. */
export interface SearchOnRequestParams {
  /** The file to search. */
  readonly uri?: string;
}

/** Parameters of judging a branch. Without `base`, the answer lists the possible bases. */
export interface JudgeBranchParams {
  readonly base?: string;
}

/** A base for judging a change, and a description of that change. */
export interface BaseChoice {
  readonly name: string;
  readonly detail: string;
}

/** The actions on the baseline. */
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

/** The decision on a proposed tool, command or skill. `reason`: the reason for a rejection. */
export interface DecideInboxParams {
  readonly item: string;
  readonly verdict: 'applied' | 'rejected';
  readonly reason?: string;
  /** The details that the person was shown. */
  readonly shown?: readonly string[];
  /** Allows a command that is not known to only read. */
  readonly mayWrite?: boolean;
}

export interface ForgetLessonParams {
  /** Id of the lesson that no longer counts. */
  readonly lesson: string;
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
