// Requests to the memory, for any LSP client: search, and the context of a task.

/** Parameters of `selfware/search`. */
export interface SearchParams {
  readonly query: string;
  /** Default 10, at most 200. */
  readonly top?: number;
  /** URI of a document or folder. Its repository answers; without it, the first repository. */
  readonly uri?: string;
}

/** The results of a search. Line numbers start at 1. */
export interface SearchAnswer {
  readonly hits: readonly {
    readonly uri: string;
    readonly path: string;
    readonly startLine: number;
    readonly endLine: number;
    readonly symbol: string | null;
    readonly score: number;
  }[];
  /** The reason why there is no answer, as a sentence; null if there is one. */
  readonly trouble: string | null;
}

/** Parameters of `selfware/context`: a task in words. */
export interface ContextParams {
  readonly task: string;
  /** SelfImprovement (default), CodeAnalysis, Debugging, Conversation, CodeGeneration, Refactoring, Learning. */
  readonly taskType?: string;
  /** Tokens of the whole context window. Default: the setting. */
  readonly budget?: number;
  readonly uri?: string;
}

/** The pack as `selfware context --json` prints it, or the reason why there is none. */
export interface ContextAnswer {
  readonly pack: unknown;
  readonly trouble: string | null;
}
