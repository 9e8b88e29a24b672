// Questions to language models and agents, as the ledger tells of them.

/** Tokens as the provider counts them; `estimated`: the provider gave no count. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** Of `input`, read from the provider's cache. */
  readonly cached: number;
  readonly estimated: boolean;
}

/**
 * What a proposer is asked for: to realise an opportunity, what a person wants in their own words, tests that notice
 * mistakes in a file, or a fix for a test that fails.
 */
export const ASKED_KINDS = ['opportunity', 'request', 'tests', 'fix'] as const;

export interface AskedTask {
  readonly kind: (typeof ASKED_KINDS)[number];
  /** The same for the same task, whoever is asked: budgets and attempts are counted by it. */
  readonly id: string;
  readonly opportunity: string | null;
  readonly path: string | null;
}

/** Recorded before a proposer is asked: what a killed process left is told by it. */
export interface AskedData {
  readonly ask: string;
  readonly run: string;
  readonly task: AskedTask;
  /** As the person named it, such as `ollama:qwen2.5-coder`; never a secret. */
  readonly proposer: string;
  readonly promptTokens: number;
  readonly budget: { readonly replyTokens: number; readonly seconds: number };
  /** A person wants it tried from the beginning: earlier attempts count no longer. */
  readonly fresh?: true;
}

export interface AnsweredData {
  readonly ask: string;
  readonly task: AskedTask;
  readonly outcome: 'proposed' | 'refused' | 'failed' | 'cancelled';
  /** Why there is no proposal; what a failed gate says is with the proposal. */
  readonly reason: string | null;
  readonly proposal: string | null;
  readonly model: string | null;
  readonly usage: Usage | null;
  /** The notation of the reply, and how exactly its places were quoted. */
  readonly format: string | null;
  readonly rung: string | null;
  readonly millis: number;
}

/** Estimated tokens of a text; models differ by some 15 %. */
export function estimatedTokens(text: string): number {
  return Math.ceil(text.length / 3.5);
}
