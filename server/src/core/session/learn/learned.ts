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

/** A lesson with its evidence: events of the ledger, and comments in the code. */
export interface TracedLesson extends KnownLesson {
  readonly events: readonly {
    readonly sequence: number;
    readonly at: number;
    readonly type: string;
    readonly text: string;
  }[];
  readonly comments: readonly { readonly path: string; readonly reason: string | null }[];
}

/** Feedback to record. If no session is named, that of Selfware counts. */
export type NewFeedback = Omit<FeedbackData, 'session'> & { readonly session?: string };

export interface RuleText {
  readonly file: RuleFile;
  /** The version of the file. `writeRule` requires it, so that nobody overwrites rules without having read them. */
  readonly version: string;
  /** The rules that are switched on, as Markdown. */
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
  /** The lessons, newest first. Lessons from comments in the code need an analysis. */
  lessons(): Promise<readonly KnownLesson[]>;
  /** A lesson with the events that show it. Throws `notFound`, and `usage` if several ids begin like this. */
  trace(lesson: string): Promise<TracedLesson>;
  /** Takes a lesson back, and returns it. Call this for a person only. Throws what `trace` throws. */
  forget(lesson: string): Promise<KnownLesson>;
  /** How well each recipe and proposer has done for each rule; those with the most trials first. */
  strategies(): Promise<readonly Strategy[]>;
  /** Records feedback. Throws `usage` for an unknown kind or an unusable dimension. */
  record(feedback: NewFeedback): Promise<void>;
  /** Analyses all feedback in the ledger. */
  analyseFeedback(signal: AbortSignal): Promise<FeedbackAnalysis>;
  /**
   * Analyses the feedback if enough time has passed. Call this at every start and each hour. If the findings have
   * changed, adds a notice.
   * Null if it is too early, or if there is nothing to act on and never was.
   */
  lookAtFeedback(signal: AbortSignal): Promise<FeedbackAnalysis | null>;
  /** All rules that were written for this repository, removed ones included. */
  rules(): Promise<readonly WrittenRule[]>;
  /** The rules of one file, with the version that `writeRule` requires. Throws `usage` for an unknown file. */
  readRules(file: string): Promise<RuleText>;
  /**
   * Adds a rule. Throws `usage` for a text that is not a rule and for events that do not exist, `stale` for another
   * version.
   */
  writeRule(rule: NewRule): Promise<RuleText>;
  /** Switches a rule on or off, or removes it. Call this for a person only. Throws `notFound`. */
  switchRule(rule: string, state: RuleState): Promise<WrittenRule>;
}
