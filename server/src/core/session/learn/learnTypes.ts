// Types of the façade's section `learned`, as its callers see it.

import type { FeedbackAnalysis } from '../../learn/feedback.ts';
import type { RepositoryRuleFile } from '../../learn/repositoryRules.ts';
import type { Lesson, LessonKind } from '../../learn/lessons.ts';
import type { WrittenRule } from '../../learn/ruleBook.ts';
import type { Strategy } from '../../learn/strategies.ts';
import type { Operation } from '../../operation.ts';
import type { ProposerOrder } from '../../learn/proposerOrder.ts';
import type { ProposerRole } from '../../proposers/roles.ts';
import type { FeedbackData, RuleFile, RuleState, RuleTrial } from '../../model/feedback.ts';

/**
 * A lesson with its effects, one sentence each. Rules also count as lessons: `rule` is a rule that was written for this
 * repository, and `brought` is a file of rules that the repository contains.
 */
export interface KnownLesson extends Omit<Lesson, 'kind'> {
  readonly kind: LessonKind | 'rule' | 'brought';
  readonly effects: readonly string[];
  /** False if the lesson has no effect, so that there is nothing to forget. */
  readonly forgettable: boolean;
  /** True for a rule that no model sees before a person has decided on it. */
  readonly waits?: true;
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

/** The order in which the proposers of a role are asked. */
export interface RoleOrder extends ProposerOrder {
  readonly role: ProposerRole;
}

/** Feedback to record. Without `session`, it belongs to this session of Selfware. */
export type NewFeedback = Omit<FeedbackData, 'session' | 'program'> & {
  readonly session?: string;
  /** True for a call that Selfware itself has measured. */
  readonly own?: boolean;
};

/** The rules of one file. */
export interface RuleText {
  readonly file: RuleFile;
  /** The version of the file. `writeRule` requires it, so that nobody overwrites rules without having read them. */
  readonly version: string;
  /** The rules that are switched on, as Markdown. */
  readonly text: string;
  readonly rules: readonly WrittenRule[];
  /** A note for a person that the configuration enforces the rule that was added. Absent if it does not. */
  readonly hint?: string;
}

/** A rule to add. */
export interface NewRule {
  readonly file: RuleFile;
  readonly version: string;
  readonly text: string;
  readonly by: 'person' | 'agent';
  /** Sequences of events in the ledger that show that the rule is needed. */
  readonly events: readonly number[];
  /** The file or folder of the rule; undefined for the whole repository. */
  readonly place?: string;
}

/** A request to try a rule. */
export interface TrialRequest extends Operation {
  readonly rule: string;
  readonly proposer: string;
  /** Maximum number of recorded tasks. */
  readonly tasks: number;
  /** Number of used tokens from which on no further task is begun. */
  readonly tokens: number;
}

/** Section `learned`: lessons from outcomes, feedback, and the rules for models and agents. */
export interface LearnedSection {
  /** The lessons, newest first. Lessons from comments in the code require an analysis. */
  lessons(): Promise<readonly KnownLesson[]>;
  /** A lesson with the events that show it. Throws `notFound`, and `usage` if several ids begin with `lesson`. */
  trace(lesson: string): Promise<TracedLesson>;
  /**
   * Forgets a lesson, and returns it. Call this for a person only. Throws `usage` if it has no effect, and the errors
   * of `trace`.
   */
  forget(lesson: string): Promise<KnownLesson>;
  /** The success of each recipe and proposer for each rule, those with the most trials first. */
  strategies(): Promise<readonly Strategy[]>;
  /**
   * For each role with several proposers, and each rule for which one of them was tried: the order in which they are
   * asked, with what is known of each.
   */
  orders(): Promise<readonly RoleOrder[]>;
  /** Records feedback. Throws `usage` for an unknown kind or an unusable dimension. */
  record(feedback: NewFeedback): Promise<void>;
  /** Analyses all feedback in the ledger. */
  analyseFeedback(signal: AbortSignal): Promise<FeedbackAnalysis>;
  /**
   * Analyses the feedback if enough time has passed. Call this at every start and each hour. A notice names new
   * findings. Null if it is too early, or if there is nothing to analyse.
   */
  lookAtFeedback(signal: AbortSignal): Promise<FeedbackAnalysis | null>;
  /** All rules that were written for this repository, removed ones included. */
  rules(): Promise<readonly WrittenRule[]>;
  /** The rules of one file, with the version that `writeRule` requires. Throws `usage` for an unknown file. */
  readRules(file: string): Promise<RuleText>;
  /**
   * Adds a rule. Throws `usage` for a text that is not a rule and for events that do not exist, and `stale` if
   * `version` is not the current version of the file.
   */
  writeRule(rule: NewRule): Promise<RuleText>;
  /** Switches a rule on or off, or removes it. Call this for a person only. Throws `notFound`. */
  switchRule(rule: string, state: RuleState): Promise<WrittenRule>;
  /** Adds the shipped templates that were not added before, and returns the new rules. Call this for a person only. */
  seedRules(): Promise<readonly WrittenRule[]>;
  /**
   * Files of rules that the repository brings along, with a person's decisions on them. Without an index, the tree is
   * walked for files with unknown names; `isQuick` skips them.
   */
  repositoryRules(isQuick?: boolean): Promise<readonly RepositoryRuleFile[]>;
  /**
   * Accepts the text with this hash. Call this for a person only. Throws `notFound`, `stale` if the file has another
   * text, and `usage` for one that is too long.
   */
  acceptRepositoryRules(path: string, hash: string): Promise<void>;
  /**
   * Keeps the current text of a file off. Call this for a person only. Throws `notFound`, and `stale` if the file has
   * another text than the one with the hash `shownHash`.
   */
  refuseRepositoryRules(path: string, shownHash?: string): Promise<void>;
  /**
   * Lets a model answer recorded tasks with and without a rule. A rule that makes answers worse is switched off. With
   * too few recorded tasks nothing is asked, and the outcome is unknown. Throws `notFound`, `usage`, `forbidden`,
   * `unavailable`, `locked` while another trial is running, `cancelled`, and the errors of opening a proposer.
   */
  tryRule(request: TrialRequest): Promise<RuleTrial>;
}
