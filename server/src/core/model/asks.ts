// Questions to language models and agents, as the ledger records them.

/** Tokens as the provider counts them; `estimated`: the provider gave no count. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** The part of `input` that came from the provider's cache. */
  readonly cached: number;
  readonly estimated: boolean;
}

/** The cost of a proposal from a model: all attempts at its task, up to the answer that became the proposal. */
export interface Cost {
  readonly usage: Usage;
  readonly attempts: number;
  /** Models that answered. */
  readonly models: readonly string[];
}

/**
 * The kinds of tasks for a proposer: to realise an opportunity, to do what a person requests in their own words, to
 * write tests that notice mistakes in a file, or to fix a failing test.
 */
export const ASKED_KINDS = ['opportunity', 'request', 'tests', 'fix'] as const;

export interface AskedTask {
  readonly kind: (typeof ASKED_KINDS)[number];
  /** Identifies the task, whichever proposer is asked. Budgets and attempts are counted by this id. */
  readonly id: string;
  readonly opportunity: string | null;
  readonly path: string | null;
  /** The rule of the opportunity. Missing for other tasks, and in records of older versions. */
  readonly rule?: string;
}

/** Recorded before a proposer is asked, so that a question of a killed process can be found. */
export interface AskedData {
  readonly ask: string;
  readonly run: string;
  readonly task: AskedTask;
  /** The name as the person gave it, such as `ollama:qwen2.5-coder`; never a secret. */
  readonly proposer: string;
  readonly promptTokens: number;
  readonly budget: { readonly replyTokens: number; readonly seconds: number };
  /** A person has requested a fresh start: earlier attempts no longer count. */
  readonly fresh?: true;
}

export interface AnsweredData {
  readonly ask: string;
  readonly task: AskedTask;
  readonly outcome: 'proposed' | 'refused' | 'failed' | 'cancelled';
  /** Why there is no proposal. The messages of a failed gate are stored with the proposal. */
  readonly reason: string | null;
  readonly proposal: string | null;
  readonly model: string | null;
  readonly usage: Usage | null;
  /** The notation of the reply, and how exactly it quoted its places. */
  readonly format: string | null;
  readonly rung: string | null;
  readonly millis: number;
  /** The reply announced a change and made none. */
  readonly phantom?: true;
}

/** Estimated tokens of a text; models differ by some 15 %. */
export function estimatedTokens(text: string): number {
  return Math.ceil(text.length / 3.5);
}
