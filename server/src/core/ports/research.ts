// Online research: a search program that the person has named in their own settings.

/** When the person's search program is asked. `retries`: only if an attempt has failed. `always`: also before that. */
export type ResearchWhen = 'retries' | 'always';

/** What a person has answered, asked whether it may search in this run. */
export type ResearchAnswer = ResearchWhen | 'never';

/** What a person is told about the search program before it is used. */
export interface ResearchTool {
  /** The name of its program. */
  readonly tool: string;
  /** The hosts that it may reach; null = none. */
  readonly destination: string | null;
  /** How often it may be asked about one task within 24 hours. */
  readonly questions: number;
}

export interface Research extends ResearchTool {
  /**
   * Answers a query of one line. The answer is foreign text. Throws `cancelled`, `timedOut`, `usage` for a command line
   * that cannot be read, and `unavailable` if the program cannot be run isolated or has failed.
   */
  search(query: string, signal: AbortSignal): Promise<string>;
}
