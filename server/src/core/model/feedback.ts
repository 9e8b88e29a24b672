// Feedback as plain data: what went well or badly while people, agents and Selfware worked on a repository; and the
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
  /** Whoever worked: the id of a session of Selfware, or the name that an agent gives its own. */
  readonly session: string;
  readonly kind: FeedbackKind;
  /** What it is about, such as `tool:search` or `output-hygiene`. */
  readonly dimension: string;
  /** A figure that goes with it, such as milliseconds; null = none. */
  readonly value: number | null;
  /** Details in words; null if there are none. */
  readonly note: string | null;
  /** The version of Selfware, if it measured a call of one of its tools. Missing: somebody reports something. */
  readonly program?: string;
}

/** What a rule is about: behaviour, tools, the person, knowledge, agents, code, security. */
export const RULE_FILES = ['SOUL', 'TOOLS', 'USER', 'MEMORY', 'AGENTS', 'CODE', 'SECURITY'] as const;
export type RuleFile = (typeof RULE_FILES)[number];

/** A rule is on only if a person wrote it or switched it on. */
export type RuleState = 'on' | 'off' | 'removed';

export type RuleEvent =
  /**
   * A rule was added; if it has the text of an earlier rule, that rule was broken again. `version`: that of the file,
   * as it was read before. `events`: what shows that it is needed.
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
        /** A file or folder: the rule is told for tasks there. Missing: everywhere. */
        readonly place?: string;
        /** The version of the shipped templates that the rule comes from. Missing: it comes from none. */
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
   * A person has accepted a file of rules that the repository brings along, by its hash; null = it is off. `refused`: the
   * hash of the text that the person keeps off.
   */
  | {
      readonly type: 'broughtRules';
      readonly data: { readonly path: string; readonly hash: string | null; readonly refused?: string };
    };

/**
 * `harmful`: worse beyond noise. `helpful`: better beyond noise. `notWorse`: at least as many right. `unknown`: too few
 * tasks, or fewer right, which may be noise.
 */
export type TrialOutcome = 'helpful' | 'notWorse' | 'harmful' | 'unknown';

export interface RuleTrial {
  readonly rule: string;
  readonly proposer: string;
  readonly outcome: TrialOutcome;
  /** One or two sentences. */
  readonly reason: string;
  /** Numbers of tasks that could be judged both with and without the rule, and how many were right. */
  readonly tasks: number;
  readonly without: number;
  readonly with: number;
  /** The difference of the success rates and its 95 % interval; null = unknown. */
  readonly gain: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Tokens of all questions and answers. */
  readonly tokens: number;
}
