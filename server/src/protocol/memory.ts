// Requests to the memory, for any LSP client: search, and the context of a task.

/** Parameters of `selfware/search`. */
export interface SearchParams {
  readonly query: string;
  /** Maximum number of results. Default 10, at most 200. */
  readonly top?: number;
  /** URI of a document or folder whose repository is searched; if absent, the first repository. */
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
  /**
   * The type of the task: SelfImprovement (default), CodeAnalysis, Debugging, Conversation, CodeGeneration, Refactoring
   * or Learning.
   */
  readonly taskType?: string;
  /** Number of tokens of the complete context window. Default: the setting. */
  readonly budget?: number;
  /** URI of a document or folder whose repository is used; if absent, the first repository. */
  readonly uri?: string;
}

/** The pack as `selfware context --json` prints it, or the reason why there is none. */
export interface ContextAnswer {
  readonly pack: unknown;
  /** The reason why there is no pack, as a sentence; null if there is one. */
  readonly trouble: string | null;
}
