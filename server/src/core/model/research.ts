// The types of online research, as the ledger records it.

/** A search result that was shown in a question to a model, and its source. */
export interface ResearchSource {
  /** The name of the program that was asked. */
  readonly tool: string;
  readonly query: string;
  /** Addresses that the answer names. */
  readonly addresses: readonly string[];
  /** SHA-256 of the answer as it was shown. */
  readonly hash: string;
}

/** An event of online research in the ledger. */
export type ResearchEvent =
  /** A query is about to leave this machine. `task`: the id of the task, or the failing test. */
  | {
      readonly type: 'researched';
      readonly data: {
        readonly research: string;
        readonly run: string;
        readonly task: string;
        readonly tool: string;
        readonly destination: string | null;
        readonly query: string;
      };
    }
  /**
   * A query has ended. `withheld`: nothing was sent, because the query might reveal something or was asked too often,
   * so there is no event `researched`. `source`: null if there is no answer.
   */
  | {
      readonly type: 'researchEnded';
      readonly data: {
        readonly research: string;
        readonly task: string;
        readonly outcome: 'answered' | 'failed' | 'cancelled' | 'withheld';
        readonly reason: string | null;
        readonly source: ResearchSource | null;
      };
    };
