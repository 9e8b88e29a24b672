// Questions to language models and agents, as the ledger records them.

import { sha256 } from '../../util/hash.ts';
import type { Millis } from '../model.ts';
import type { ResearchSource } from './research.ts';

/** Number of tokens according to the provider; `estimated`: true if the provider gave none. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** The part of `input` that came from the provider's cache. */
  readonly cached: number;
  /** The part of `input` that the provider has stored in its cache; absent for none. */
  readonly written?: number;
  readonly estimated: boolean;
  /** What counts for the limits of tokens, if it is not `input` and `output`: of an agent, which sends most again. */
  readonly limited?: number;
}

/**
 * What a destination receives: files in questions, without what looks like a secret; every file of the repository, as it
 * is; code of other repositories on this machine; to a registry, the names of direct dependencies, or names and versions of
 * all packages of the lock file.
 */
export type SentData = 'excerpts' | 'tree' | 'references' | 'packages' | 'lockedPackages';

/** What goes to a destination. A person agrees to both together. */
export interface CodeConsent {
  readonly destination: string;
  readonly sends: readonly SentData[];
}

/** A consent that was given and not withdrawn. `since`: when a person first agreed, in milliseconds. */
export interface AgreedConsent extends CodeConsent {
  readonly since: Millis;
}

/** A consent that is needed. `agreed`: what a person has agreed to for the same destination, which is not enough. */
export interface MissingConsent extends CodeConsent {
  readonly agreed: readonly SentData[];
}

/**
 * Prices of a million tokens, in a currency that the person chose. `cached`, `written`: the price of `input` if absent.
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
   * The learned recipe whose examples had this cost, once for all its proposals; absent if the cost is the proposal's
   * own.
   */
  readonly recipe?: string;
  /**
   * With `recipe`: the question that was answered with the examples. Several recipes may have been learned from its
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
  /** Questions whose price was unknown. */
  readonly unpriced: number;
  /** Tokens of the output of commands that these questions left out. */
  readonly savedTokens: number;
}

/** The cost of all questions of a night. */
export interface NightSpending {
  readonly questions: number;
  readonly input: number;
  readonly output: number;
  /** True if a provider did not report the usage of a question. */
  readonly isEstimated: boolean;
  /** In the unit of the prices, for the questions whose price was known. */
  readonly money: number;
  /** Number of questions whose price was unknown. */
  readonly unpriced: number;
  /** The limit of money; null if there was none, or if the questions belong to several orders, each with its own. */
  readonly maxCost: number | null;
}

/**
 * * The kinds of tasks for a proposer: to realise an opportunity, to do a request of a person, to write tests that
 * notice mistakes in a file, to fix a failing test, to write the acceptance test of a request, to make the first
 * places of a migration, to make the benchmark faster or smaller in memory, or a canary, which cannot be solved.
 */
export const ASKED_KINDS = [
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

/** A file in a question: the SHA-256 of what was sent of it. `isPart`: not the whole file as it is, or without secrets. */
export interface ShownFileHash {
  readonly path: string;
  readonly hash: string;
  readonly isPart?: true;
}

/** The code that the author of a proposal was shown. `messages`: SHA-256 of the whole question. */
export interface ShownCode {
  readonly messages: string;
  readonly files: readonly ShownFileHash[];
}

/** Recorded before a proposer is asked, so that a question of a killed process can be found. */
export interface AskedData {
  readonly ask: string;
  readonly run: string;
  /** When the unattended run began that asked; absent if no such run did. It identifies the run across its restarts. */
  readonly night?: Millis;
  readonly task: AskedTask;
  /** The name that the person gave it, such as `ollama:qwen2.5-coder`; never a secret. */
  readonly proposer: string;
  readonly promptTokens: number;
  /** SHA-256 of the messages as they were sent, so of all code that they show; absent in records of older versions. */
  readonly shown?: string;
  /** The files that the messages show. Absent for agents, which see the repository, and in records of older versions. */
  readonly files?: readonly ShownFileHash[];
  readonly budget: {
    readonly replyTokens: number;
    readonly seconds: number;
    /** Only of an agent: what its traffic may use of the limits of tokens, and of money if that is limited. */
    readonly trafficTokens?: number;
    readonly trafficMoney?: number;
  };
  /**
   * True if the question loads its model into the memory of a server on this machine; false if it was there already, be
   * it by an earlier question or by another program. Absent if that is unknown, and for all other proposers.
   */
  readonly loads?: boolean;
  /** A person has requested a fresh start: earlier attempts no longer count. */
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
  /** Tokens of the output of commands that the question leaves out; absent if it quotes none, and in older records. */
  readonly savedTokens?: number;
}

/** A later event with the same `ask` replaces an earlier one: a spare answer may become a proposal. */
export interface AnsweredData {
  readonly ask: string;
  readonly task: AskedTask;
  /** `spare`: promising, but another answer to the same question came first. */
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
  readonly rung: string | null;
  readonly millis: number;
  /** Set if the reply announced a change and made none. */
  readonly phantom?: true;
  /**
   * Set if the proposer could not be reached or did not answer, so that the same question may be answered later. It is
   * no attempt if `usage` is null: then it has cost nothing. `until`: the time until which the server asked to wait;
   * null if it named none.
   */
  readonly outage?: { readonly until: Millis | null };
  /** The gate that refused the answer before it was filed; absent if none did, and in records of older versions. */
  readonly gate?: string;
  /** Set if the answer only repeats edits that another answer or proposal has; absent in records of older versions. */
  readonly duplicate?: true;
  /** The kind of the error if the question failed (`ErrorReason`); absent in records of older versions. */
  readonly failure?: string;
}

/** A task that waits for a person, because all attempts have failed. */
export interface Intervention {
  readonly task: AskedTask;
  readonly attempts: number;
  /** The reason why each attempt failed, oldest first. */
  readonly tried: readonly string[];
  /** The points at which the attempts failed, most frequent first, one sentence each. */
  readonly learned: readonly string[];
  /** Corrections that a person could make, one sentence each. */
  readonly corrections: readonly string[];
}

/** A task at which all attempts so far have failed. */
export interface FailedTask {
  readonly task: AskedTask;
  /** The time of the last question, in milliseconds. */
  readonly askedAt: number;
  /** The answers that count, oldest first. */
  readonly answers: readonly AnsweredData[];
  readonly rounds: number;
  /** Number of attempts that never ended because their process died. */
  readonly deaths: number;
  /** True if no model or agent is asked until a person acts. */
  readonly waits: boolean;
}

/** The id of the task of a request in words. */
export function requestTaskId(requestText: string): string {
  return sha256(`request ${requestText.trim()}`).slice(0, 16);
}

/** A command that gets what was learned here, as a destination, so that another command is asked about again. */
export function trainingDestination(command: string): string {
  return `command ${sha256(command).slice(0, 16)}`;
}

/** True for the destinations of `trainingDestination`. */
export function isTrainingDestination(destination: string): boolean {
  return /^command [\da-f]{16}$/.test(destination);
}
