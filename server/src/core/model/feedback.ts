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
      };
    }
  /** A person has switched a rule on or off, or removed it. */
  | { readonly type: 'ruleSwitched'; readonly data: { readonly rule: string; readonly state: RuleState } };
