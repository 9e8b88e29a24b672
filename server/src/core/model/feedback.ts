// Feedback as plain data: what went well or badly while people, agents and Selfware worked on a repository, and the
// rules that were written because of it.

/** The kinds of feedback. */
export const FEEDBACK_KINDS = [
  'tool_success',
  'tool_failure',
  'user_correction',
  'provider_error',
  'pattern_observed',
  'context_compaction',
  'improvement_applied',
  'self_heal_trigger',
] as const;
export type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

export interface FeedbackData {
  /** The worker: the id of a session of Selfware, or the name that an agent gives its own session. */
  readonly session: string;
  readonly kind: FeedbackKind;
  /** The subject, such as `tool:search` or `output-hygiene`. */
  readonly dimension: string;
  /** A figure, such as milliseconds; null if there is none. */
  readonly value: number | null;
  /** Details in words; null if there are none. */
  readonly note: string | null;
  /** Number of calls that the record stands for. Absent for one. */
  readonly count?: number;
  /** Set if a person has recorded it on the command line. Absent for agents and scripts. */
  readonly by?: 'person';
  /** The version of Selfware, if it measured a call of one of its tools. Absent if somebody reports something. */
  readonly program?: string;
}

/** Subjects of rules: behaviour, tools, the person, knowledge, agents, code, security. */
export const RULE_FILES = ['SOUL', 'TOOLS', 'USER', 'MEMORY', 'AGENTS', 'CODE', 'SECURITY'] as const;
export type RuleFile = (typeof RULE_FILES)[number];

/** A rule is on only if a person wrote it or switched it on. */
export type RuleState = 'on' | 'off' | 'removed';

export type RuleEvent =
  /**
   * A rule was added; if it has the text of an earlier rule, the earlier rule was violated. `version`: the version of
   * the file that was read before. `events`: the events for which the rule was written.
   */
  | {
      readonly type: 'ruleWritten';
      readonly data: {
        readonly file: RuleFile;
        readonly rule: string;
        readonly text: string;
        readonly by: 'person' | 'agent';
        readonly version: string;
        readonly events: readonly number[];
        /** A file or folder: questions about tasks there contain the rule. Absent for the whole repository. */
        readonly place?: string;
        /** The version of the shipped templates that the rule comes from. Absent if it comes from none. */
        readonly template?: number;
      };
    }
  /** A rule was switched on or off, or removed: by a person, or `off` by a trial that it failed. */
  | {
      readonly type: 'ruleSwitched';
      readonly data: { readonly rule: string; readonly state: RuleState; readonly by?: 'person' | 'trial' };
    }
  /** Recorded tasks were answered again with and without a rule. */
  | { readonly type: 'ruleTried'; readonly data: RuleTrial }
  /**
   * A person has accepted a file of rules that the repository contains, by its hash; null if it is off. `refused`: the
   * hash of the text that the person keeps off.
   */
  | {
      readonly type: 'broughtRules';
      readonly data: { readonly path: string; readonly hash: string | null; readonly refused?: string };
    };

/**
 * `harmful`: significantly worse. `helpful`: significantly better. `notWorse`: at least as many right answers.
 * `unknown`: too few tasks, or fewer right answers, which may be noise.
 */
export type TrialOutcome = 'helpful' | 'notWorse' | 'harmful' | 'unknown';

export interface RuleTrial {
  readonly rule: string;
  readonly proposer: string;
  readonly outcome: TrialOutcome;
  /** One or two sentences. */
  readonly reason: string;
  /** Number of tasks that could be judged both with and without the rule, and numbers of right answers. */
  readonly tasks: number;
  readonly without: number;
  readonly with: number;
  /** The difference of the success rates and its 95 % interval; null if unknown. */
  readonly gain: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Tokens of all questions and answers. */
  readonly tokens: number;
}

/** An automatic analysis of the feedback. */
export interface FeedbackLookData {
  /** Hash of the findings without counts, when something new was last told. */
  readonly digest: string;
  /** Number of open findings. */
  readonly findings: number;
  /** The open findings that were reported to a person. Absent in records of older versions. */
  readonly told?: readonly string[];
  /** Set if nothing was ever found or proposed until then. */
  readonly quiet?: true;
}
