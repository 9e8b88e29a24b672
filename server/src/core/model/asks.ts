// Questions to language models and agents, as the ledger records them.

import { sha256 } from '../../util/hash.ts';
import type { Millis } from '../model.ts';
import type { ResearchSource } from './research.ts';

/**
 * The tokens of a question (`input`) and its answer (`output`), as the provider counted them. `estimated`: true if the
 * provider reported no numbers, so that they are estimated.
 */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** The part of `input` that came from the provider's cache. */
  readonly cached: number;
  /** The part of `input` that the provider has stored in its cache; absent for none. */
  readonly written?: number;
  readonly estimated: boolean;
  /**
   * The tokens that count for the limits; if absent, the sum of `input` and `output`. Set for agents, which send most
   * of their text again with each message.
   */
  readonly limited?: number;
}

/**
 * The data that a destination receives. `excerpts`: files in questions, without texts that look like secrets. `tree`:
 * every file of the repository, unchanged. `references`: code of other repositories on this machine. `packages`: the
 * names of direct dependencies, for a registry. `lockedPackages`: names and versions of all packages of the lock file,
 * for a registry.
 */
export type SentData = 'excerpts' | 'tree' | 'references' | 'packages' | 'lockedPackages';

/** A destination and the data that it may receive. A person agrees to both together. */
export interface CodeConsent {
  readonly destination: string;
  readonly sends: readonly SentData[];
}

/** A consent that was given and not withdrawn. `since`: the time at which a person first agreed. */
export interface AgreedConsent extends CodeConsent {
  readonly since: Millis;
}

/**
 * A consent that is still needed. `agreed`: the data to which a person has already agreed for this destination, which
 * are not all that is needed.
 */
export interface MissingConsent extends CodeConsent {
  readonly agreed: readonly SentData[];
}

/**
 * Prices of a million tokens, in a currency that the person chose. If `cached` or `written` is absent, the price of
 * `input` applies.
 */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached?: number | undefined;
  readonly written?: number | undefined;
}

/**
 * The cost of a proposal: all attempts at its task, up to the answer that became the proposal, or that gave the
 * examples of its recipe.
 */
export interface Cost {
  readonly usage: Usage;
  readonly attempts: number;
  /** In the currency of the prices; null if the price of a question was unknown. */
  readonly money: number | null;
  /** Models that answered. */
  readonly models: readonly string[];
  /** The results of online research in the questions; absent if there were none. */
  readonly research?: readonly ResearchSource[];
  /**
   * The learned recipe whose examples had this cost, which counts once for all proposals of the recipe; absent if only
   * this proposal had the cost.
   */
  readonly recipe?: string;
  /**
   * With `recipe`: the question whose answer contained the examples. Several recipes may have been learned from one
   * answer.
   */
  readonly ask?: string;
}

/** The cost of questions within the last 24 hours. */
export interface Spending {
  readonly tokens: number;
  /** In the currency of the prices, for the questions whose price was known. */
  readonly money: number;
  readonly questions: number;
  /** Number of questions whose price was unknown. */
  readonly unpriced: number;
  /** Tokens of the output of commands that were omitted from these questions. */
  readonly savedTokens: number;
}

/** The cost of all questions of a night. */
export interface NightSpending {
  readonly questions: number;
  readonly input: number;
  readonly output: number;
  /** True if a provider did not report the usage of a question. */
  readonly isEstimated: boolean;
  /** In the currency of the prices, for the questions whose price was known. */
  readonly money: number;
  /** Number of questions whose price was unknown. */
  readonly unpriced: number;
  /** The limit of money; null if there was none, or if the questions belong to several orders, each with its own. */
  readonly maxCost: number | null;
}

/**
 * The kinds of tasks for a proposer. `opportunity`: realise an opportunity. `request`: do a request of a person.
 * `tests`: write tests that notice mistakes in a file. `fix`: fix a failing test. `acceptance`: write the acceptance
 * test of a request. `migration`: make the first edits of a migration. `speed` and `memory`: make the benchmark faster,
 * or smaller in memory. `canary`: a task that cannot be solved.
 */
const ASKED_KINDS = [
  'opportunity',
  'request',
  'tests',
  'fix',
  'acceptance',
  'migration',
  'speed',
  'memory',
  'canary',
] as const;

/** The kinds whose answers are shown to a person instead of being filed as proposals. */
export const SHOWN_KINDS: ReadonlySet<AskedTask['kind']> = new Set(['acceptance', 'migration']);

/** A task that a proposer was asked to do. */
export interface AskedTask {
  readonly kind: (typeof ASKED_KINDS)[number];
  /** Identifies the task, whichever proposer is asked. Budgets and attempts are counted by this id. */
  readonly id: string;
  readonly opportunity: string | null;
  readonly path: string | null;
  /** The rule of the opportunity. Absent for other tasks, and in records of older versions. */
  readonly rule?: string;
  /** The beginning of a request in words. Absent for other tasks, and in records of older versions. */
  readonly words?: string;
}

/**
 * A file in a question, with the SHA-256 of the text that was sent. `isPart`: set if that text is not the complete
 * file, or if secrets were removed from it.
 */
export interface ShownFileHash {
  readonly path: string;
  readonly hash: string;
  readonly isPart?: true;
}

/** The code that the question showed to the author of a proposal. `messages`: SHA-256 of the complete question. */
export interface ShownCode {
  readonly messages: string;
  readonly files: readonly ShownFileHash[];
}

/**
 * A question to a proposer. The event is recorded before the question is sent, so that a question of a killed process
 * can be found.
 */
export interface AskedData {
  readonly ask: string;
  readonly run: string;
  /**
   * The time at which the unattended run began that asked the question; absent for other questions. It identifies the
   * run across its restarts.
   */
  readonly night?: Millis;
  readonly task: AskedTask;
  /** The name of the proposer in the settings, such as `ollama:qwen2.5-coder`; never a secret. */
  readonly proposer: string;
  readonly promptTokens: number;
  /** SHA-256 of the messages as they were sent, and thus of all code in them; absent in records of older versions. */
  readonly shown?: string;
  /**
   * The files in the messages. Absent for agents, which read the repository themselves, and in records of older
   * versions.
   */
  readonly files?: readonly ShownFileHash[];
  readonly budget: {
    readonly replyTokens: number;
    readonly seconds: number;
    /** Only for an agent: the number of tokens that its traffic may use. */
    readonly trafficTokens?: number;
    /** Only for an agent, and if money is limited: the money that its traffic may use. */
    readonly trafficMoney?: number;
  };
  /**
   * True if the question loads its model into the memory of a server on this machine; false if an earlier question or
   * another program has loaded it already. Absent if that is unknown, and for all other proposers.
   */
  readonly loads?: boolean;
  /** Set if a person has requested a fresh start: earlier attempts no longer count. */
  readonly fresh?: true;
  /**
   * Questions with the same round ask for several answers to one question, and count as one attempt. If absent, the
   * question is its own round.
   */
  readonly round?: string;
  /** The price at that time; absent if it is unknown. */
  readonly price?: Price;
  /** The results of online research in the question; absent if there were none. */
  readonly research?: readonly ResearchSource[];
  /**
   * Tokens of the output of commands that were omitted from the question; absent if it quotes no output, and in older
   * records.
   */
  readonly savedTokens?: number;
}

/**
 * The end of a question. A later event with the same `ask` replaces an earlier one, because a spare answer may later
 * become a proposal.
 */
export interface AnsweredData {
  readonly ask: string;
  readonly task: AskedTask;
  /** `spare`: the answer is promising, but another answer to the same question was used first. */
  readonly outcome: 'proposed' | 'spare' | 'refused' | 'failed' | 'cancelled';
  /** Identifies the edits of an answer that was judged before it was filed. */
  readonly content?: string;
  /** The reason why there is no proposal. The messages of a failed gate are stored with the proposal. */
  readonly reason: string | null;
  readonly proposal: string | null;
  /** The ids of the recipes that were learned from the edits, if they are examples of a migration. */
  readonly recipes?: readonly string[];
  readonly model: string | null;
  readonly usage: Usage | null;
  /** The notation of the reply. */
  readonly format: string | null;
  /** The level of exactness with which the reply's edits were located; null if there is none. */
  readonly rung: string | null;
  readonly millis: number;
  /** Set if the reply announced a change but contained none. */
  readonly phantom?: true;
  /**
   * Set if the proposer could not be reached or did not answer, so that the same question may be answered later. If
   * `usage` is null, the question has cost nothing, and does not count as an attempt. `until`: the time until which the
   * server asked to wait; null if it named none.
   */
  readonly outage?: { readonly until: Millis | null };
  /** The gate that refused the answer before it was filed; absent if none did, and in records of older versions. */
  readonly gate?: string;
  /** Set if the answer only repeats the edits of another answer or proposal; absent in records of older versions. */
  readonly duplicate?: true;
  /**
   * The reason code of the error (`ErrorReason`) if the question failed; absent otherwise, and in records of older
   * versions.
   */
  readonly failure?: string;
}

/** A task that waits for a person, because all attempts have failed. */
export interface Intervention {
  readonly task: AskedTask;
  readonly attempts: number;
  /** The reason why each attempt failed, oldest first. */
  readonly tried: readonly string[];
  /** The causes of the failures, most frequent first, one sentence each. */
  readonly learned: readonly string[];
  /** Corrections that a person could make, one sentence each. */
  readonly corrections: readonly string[];
}

/** A task whose attempts have all failed so far. */
export interface FailedTask {
  readonly task: AskedTask;
  /** The time of the last question, in milliseconds. */
  readonly askedAt: number;
  /** The answers that count, oldest first. */
  readonly answers: readonly AnsweredData[];
  /** Number of attempts; several answers to one question count as one. */
  readonly rounds: number;
  /** Number of attempts without a recorded end, because their process died. */
  readonly crashes: number;
  /** True if no model or agent is asked until a person acts. */
  readonly waits: boolean;
}

/** The id of the task of a request in words. */
export function computeRequestTaskId(requestText: string): string {
  return sha256(`request ${requestText.trim()}`).slice(0, 16);
}

/**
 * The name of a training command as the destination of a consent. It contains a hash of the command, so that a changed
 * command needs a new consent.
 */
export function createTrainingDestination(command: string): string {
  return `command ${sha256(command).slice(0, 16)}`;
}

/** True for the destinations of `createTrainingDestination`. */
export function isTrainingDestination(destination: string): boolean {
  return /^command [\da-f]{16}$/.test(destination);
}
