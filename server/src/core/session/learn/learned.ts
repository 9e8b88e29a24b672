// The section `learned` of the façade, as its callers see it.

import type { FeedbackAnalysis } from '../../learn/feedback.ts';
import type { WrittenRule } from '../../learn/ruleBook.ts';
import type { Strategy } from '../../learn/strategies.ts';
import type { RuleState } from '../../model/feedback.ts';
import type { NewFeedback } from './feedback.ts';
import type { KnownLesson, TracedLesson } from './learning.ts';
import type { NewRule, RuleText } from './writtenRules.ts';

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
