// The section `learned` of the façade, as its callers see it.

import type { FeedbackAnalysis } from '../../learn/feedback.ts';
import type { Lesson } from '../../learn/lessons.ts';
import type { WrittenRule } from '../../learn/ruleBook.ts';
import type { Strategy } from '../../learn/strategies.ts';
import type { FeedbackData, RuleFile, RuleState } from '../../model/feedback.ts';

/** A lesson with its effects, one sentence each. */
export interface KnownLesson extends Lesson {
  readonly effects: readonly string[];
}

/** A lesson with what shows it: events of the ledger, and comments in the code. */
export interface TracedLesson extends KnownLesson {
  readonly events: readonly {
    readonly sequence: number;
    readonly at: number;
    readonly type: string;
    readonly text: string;
  }[];
  readonly comments: readonly { readonly path: string; readonly reason: string | null }[];
}

/** Without a session, that of Selfware counts. */
export type NewFeedback = Omit<FeedbackData, 'session'> & { readonly session?: string };

export interface RuleText {
  readonly file: RuleFile;
  /** `writeRule` requires it, so that nobody writes without having read. */
  readonly version: string;
  /** The rules that are on, as Markdown. */
  readonly text: string;
  readonly rules: readonly WrittenRule[];
}

export interface NewRule {
  readonly file: RuleFile;
  readonly version: string;
  readonly text: string;
  readonly by: 'person' | 'agent';
  /** Sequences of events in the ledger that show that the rule is needed. */
  readonly events: readonly number[];
}

/** Section `learned`: what was learned from outcomes. */
export interface Learned {
  /** The newest lesson first. Those from comments in the code need an analysis. */
  lessons(): Promise<readonly KnownLesson[]>;
  /** A lesson with the events that show it. Throws `notFound`, and `usage` for an ambiguous beginning of an id. */
  trace(lesson: string): Promise<TracedLesson>;
  /** Takes a lesson back; call it for a person only. Returns what it was. Throws what `trace` throws. */
  forget(lesson: string): Promise<KnownLesson>;
  /** How well each recipe and proposer has done for each rule; most tries first. */
  strategies(): Promise<readonly Strategy[]>;
  /** Throws `usage` for an unknown kind or an unusable dimension. */
  record(feedback: NewFeedback): Promise<void>;
  analyseFeedback(signal: AbortSignal): Promise<FeedbackAnalysis>;
  /**
   * Looks at the feedback if it is time to; call it at every start and each hour. What is new becomes a notice. Null if it
   * is too early, or if there is nothing to act on.
   */
  lookAtFeedback(signal: AbortSignal): Promise<FeedbackAnalysis | null>;
  /** All rules that were written for this repository, removed ones included. */
  rules(): Promise<readonly WrittenRule[]>;
  /** The rules of one file, with the version that `writeRule` requires. Throws `usage` for an unknown file. */
  readRules(file: string): Promise<RuleText>;
  /** Throws `usage` for a text that is no rule or for events that do not exist, `stale` for another version. */
  writeRule(rule: NewRule): Promise<RuleText>;
  /** Switches a rule on or off, or removes it; call it for a person only. Throws `notFound`. */
  switchRule(rule: string, state: RuleState): Promise<WrittenRule>;
}
