// Types of questions to language models and agents, and of their outcomes.

import type { Metric } from '../../model/bottlenecks.ts';
import type { AcceptanceFile } from '../../model/acceptance.ts';
import type { AgreedConsent, CodeConsent, MissingConsent, Usage } from '../../model/asks.ts';
import type { Millis, Proposal } from '../../model.ts';
import type { WorkScope } from '../../model/workScope.ts';
import type { Operation } from '../../operation.ts';
import type { ResearchAnswer, ResearchTool } from '../../ports/research.ts';
import type { PlaceWithoutResult } from '../propose/requests.ts';

/**
 * A task for a proposer. `opportunity`: the id of a place to improve. `words`: a person's request. `tests`: the path of
 * a file; asks for tests that notice mistakes in it which no test notices today. `fix`: part of the name of a failing
 * test, or its whole name with `isWholeName`; empty for the first test that fails. `acceptance` with `words`: tests
 * that a person has accepted for the request; they become part of the change unchanged. `acceptance` without `words`:
 * the text of a request whose acceptance test has to be written. `migration`: the description of a change in many
 * places, of which the answer makes two or three. `gain`: the resource of which the benchmark of the repository should
 * need less, with `about`: a description of the slow or large part, and `metric`: the figure to improve.
 */
export type TaskRequest =
  | { readonly opportunity: string }
  | { readonly words: string; readonly acceptance?: readonly AcceptanceFile[] }
  | { readonly acceptance: string }
  | { readonly migration: string }
  | { readonly tests: string }
  | { readonly fix: string; readonly isWholeName?: true }
  | { readonly gain: 'speed' | 'memory'; readonly about: string; readonly metric: Metric };

/** Section `research`: searching online for a question. */
export interface Research {
  /** The search program in the person's settings; null if there is none. */
  tool(): ResearchTool | null;
  /**
   * Records a person's answer, which holds until this session ends. Without an agreement, nothing is searched online.
   */
  allow(when: ResearchAnswer): void;
  /** The person's answer in this session; null if nobody was asked. */
  answer(): ResearchAnswer | null;
}

/** A request to ask for one change. */
export interface AskRequest extends Operation {
  readonly task: TaskRequest;
  /** The name of the proposer, such as `ollama:qwen2.5-coder` or `mailbox:DIR`; or several, separated by commas. */
  readonly proposer: string;
  /** True if earlier attempts at this task are neither counted nor shown; tokens of the day still count. */
  readonly ignoresEarlier?: boolean;
  /** Attempts at another wording of this task, which are shown and not counted. */
  readonly earlier?: readonly string[];
  /** True if the answer will be applied without asking. Then proposers with a used-up rate of changes are not asked. */
  readonly toApply?: boolean;
}

/** The outcome of asking for one change. */
export interface AskOutcome {
  readonly proposal: Proposal | null;
  /** The reason why there is no proposal, as a sentence; null if there is one. */
  readonly refused: string | null;
  /**
   * `task` or `all` if asking again is useless until a person acts: for this task, or for every task. Otherwise false.
   */
  readonly final: false | 'task' | 'all';
  /** Number of promising answers that are left. The next call files one of them without a question. */
  readonly left: number;
  /** Name of the model that answered; null if no model did, or if it is unknown. */
  readonly model: string | null;
  /** Tokens of the questions in this call; null if none was asked. */
  readonly usage: Usage | null;
  /** The id of the task, if it differs from the id of the request because a test was found by a part of its name. */
  readonly foundTask?: string;
  /** Set if nothing was sent, so that `refused` is not the outcome of an attempt. */
  readonly unasked?: true;
  /** The places of the questions that somebody answers later; undefined if there are none. */
  readonly leftAt?: readonly string[];
  /**
   * Set if nobody could be reached, or if a budget is used up. `until`: the time from which asking again is useful;
   * null if that requires another run or a person.
   */
  readonly postponed?: { readonly until: Millis | null };
}

/** Asks for the next worthwhile task, in these files or folders. */
export interface AskNextRequest extends Operation, WorkScope {
  readonly proposer: string;
  /** True if the answer will be applied without asking. Then proposers with a used-up rate of changes are not asked. */
  readonly toApply?: boolean;
}

/** The outcome of asking for the next worthwhile task. */
export interface AskNextOutcome {
  readonly proposal: Proposal | null;
  /** The tasks that gave no proposal, with the reasons. */
  readonly tried: readonly PlaceWithoutResult[];
  /** True if more tasks are left. */
  readonly hasMore: boolean;
  /** The reason why no further question is possible, such as a budget that is used up; null if more are possible. */
  readonly stopReason: string | null;
  /**
   * If no task is left: the reason why the tests, which most tasks need, do not run here, with advice. Undefined if
   * they run.
   */
  readonly hindrance?: string;
}

/** Section `consents`: the consents of people to sending code of this repository. */
export interface Consents {
  /** Records that a person has agreed that this is sent to this host. */
  agree(consent: CodeConsent): Promise<void>;
  /**
   * The host that would receive more than a person has agreed to, with what it would receive and what was agreed; null
   * if asking is allowed. Throws `usage`, if the list cannot be read, and `unavailable` if none of these proposers
   * could answer, because a key or a program is missing.
   */
  needed(proposer: string): Promise<MissingConsent | null>;
  /** The current consents, in the order in which a person first agreed. */
  all(): Promise<readonly AgreedConsent[]>;
  /**
   * Withdraws the consents for this destination, and for all others that share a host with it. Returns the withdrawn
   * consents. A question in progress is not ended. Throws `notFound` if there is no consent for this destination; the
   * error lists the current consents.
   */
  withdraw(destination: string): Promise<readonly AgreedConsent[]>;
  /** True if questions also contain code of other repositories on this machine. */
  sendsReferences(): boolean;
  /** A list of proposers, with each role replaced by its proposers. Throws `usage` if the list cannot be read. */
  withoutRoles(proposer: string): string;
}
