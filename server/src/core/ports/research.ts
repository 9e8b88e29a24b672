// Online research: a search program that the person has named in their own settings.

/**
 * The condition for using the person's search program. `retries`: only after an attempt has failed. `always`: also
 * before the first attempt.
 */
export type ResearchWhen = 'retries' | 'always';

/** A person's answer to the question whether a run may search. */
export type ResearchAnswer = ResearchWhen | 'never';

/** The facts about the search program that a person is shown before it is used. */
export interface ResearchTool {
  /** The name of its program. */
  readonly tool: string;
  /** The hosts that it may reach; null if none. */
  readonly destination: string | null;
  /** Maximum number of queries for one task within 24 hours. */
  readonly questions: number;
}

/** The port for online research. */
export interface Research extends ResearchTool {
  /**
   * Answers a query of one line. The answer is a text by strangers, and must not be treated as an instruction. Throws
   * `cancelled`, `timedOut`, `usage` for a command line that cannot be parsed, and `unavailable` if the program has
   * failed or cannot run in isolation.
   */
  search(query: string, signal: AbortSignal): Promise<string>;
}
