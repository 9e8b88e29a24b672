// Parameters and answers of the commands for set-up, searches, judging a branch, the baseline, kept changes,
// dismissals, the inbox and lessons.

/** The result of a command, as a page of Markdown. */
export interface ReportPage {
  readonly title: string;
  readonly markdown: string;
}

/**
 * Parameters of the command `setup`. If `approved` is absent, the answer contains the plan with its hash. If it is that
 * hash, the plan runs.
 */
export interface SetupParams {
  readonly approved?: string;
}

/**
 * Parameters of a search for calls that break, or for missing tests. If `uri` is absent, the chosen folder is searched.
 */
export interface SearchOnRequestParams {
  /** The file to search. */
  readonly uri?: string;
}

/** Parameters of the command `judgeBranch`. If `base` is absent, the answer lists the possible bases. */
export interface JudgeBranchParams {
  readonly base?: string;
}

/** A commit with which a branch can be compared, and a description of the resulting change. */
export interface BaseChoice {
  readonly name: string;
  readonly detail: string;
}

/** The actions on the baseline. */
export const baselineActions = ['create', 'renew', 'update', 'show', 'remove'] as const;

/** Parameters of the command `baseline`. */
export interface BaselineParams {
  /** If there is a baseline, `create` refuses and `renew` replaces it. */
  readonly action: (typeof baselineActions)[number];
}

/** Parameters of the command `verifyChange`. */
export interface VerifyChangeParams {
  /** Id of a kept change, or of its checkpoint. */
  readonly change: string;
}

/** Parameters of the command `undismiss`. */
export interface UndismissParams {
  /** Ids of the opportunities that are shown again. */
  readonly opportunities: readonly string[];
}

/** The decision on a proposed tool, command or skill. `reason`: the reason for a rejection. */
export interface DecideInboxParams {
  readonly item: string;
  readonly verdict: 'applied' | 'rejected';
  readonly reason?: string;
  /** The details of the item as the person has seen them. */
  readonly shown?: readonly string[];
  /** True to allow a command that may write. */
  readonly mayWrite?: boolean;
}

/** Parameters of the command `forgetLesson`. */
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
    /** The time at which the dismissal ends, in milliseconds since the epoch; null if it does not end. */
    readonly until: number | null;
  }[];
}
