// Feedback as plain data: records of successes and failures while people, agents and Selfware worked on a repository,
// and the rules that were written because of it.

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
/** The name of a kind of feedback. */
export type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

/** One record of feedback. */
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
  /** Number of calls that the record summarises. Absent for one. */
  readonly count?: number;
  /** Set if a person has recorded it on the command line. Absent for agents and scripts. */
  readonly by?: 'person';
  /**
   * The version of Selfware, if Selfware itself measured a call of one of its tools. Absent for reports of people and
   * agents.
   */
  readonly program?: string;
}

/** The files of rules, one for each subject: behaviour, tools, the person, knowledge, agents, code, security. */
export const RULE_FILES = ['SOUL', 'TOOLS', 'USER', 'MEMORY', 'AGENTS', 'CODE', 'SECURITY'] as const;
/** The name of a file of rules. */
export type RuleFile = (typeof RULE_FILES)[number];

/** The state of a rule. A rule is on only if a person wrote it or switched it on. */
export type RuleState = 'on' | 'off' | 'removed';

/** An event about rules in the ledger. */
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
        /**
         * The version of the shipped templates from which the rule was created; absent if it was not created from a
         * template.
         */
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
 * The outcome of a trial of a rule. `harmful`: the answers were significantly worse with the rule. `helpful`: they were
 * significantly better. `notWorse`: at least as many were correct. `unknown`: there were too few tasks, or fewer
 * correct answers, which may be noise.
 */
export type TrialOutcome = 'helpful' | 'notWorse' | 'harmful' | 'unknown';

/** The result of a trial of a rule. */
export interface RuleTrial {
  readonly rule: string;
  readonly proposer: string;
  readonly outcome: TrialOutcome;
  /** The explanation of the outcome, in one or two sentences. */
  readonly reason: string;
  /** Number of tasks that could be judged both with and without the rule. */
  readonly tasks: number;
  /** Number of correct answers without the rule. */
  readonly without: number;
  /** Number of correct answers with the rule. */
  readonly with: number;
  /** The success rate with the rule minus that without it; null if it is unknown. */
  readonly gain: number | null;
  /** The lower limit of the 95 % interval of `gain`; null if it is unknown. */
  readonly low: number | null;
  /** The upper limit of the 95 % interval of `gain`; null if it is unknown. */
  readonly high: number | null;
  /** Number of tokens of all questions and answers. */
  readonly tokens: number;
}

/** The data of the event that the feedback was analysed without being asked. */
export interface FeedbackLookData {
  /** Hash of the findings, without their counts, of the last analysis that reported something new. */
  readonly digest: string;
  /** Number of open findings. */
  readonly findings: number;
  /** The open findings that were reported to a person. Absent in records of older versions. */
  readonly told?: readonly string[];
  /** Set if no analysis so far has found or proposed anything. */
  readonly quiet?: true;
}
