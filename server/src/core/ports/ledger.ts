// The ports for the ledger, and for the texts to which its events refer.

import type { Millis } from '../model.ts';

/** An event as it is stored. */
export interface StoredEvent {
  readonly sequence: number;
  readonly id: string;
  readonly at: Millis;
  readonly type: string;
  readonly data: unknown;
  /** The hash of the previous event. */
  readonly previous: string;
  /** sha-256 of the previous hash and the canonical JSON of the other fields. */
  readonly hash: string;
}

/** The result of verifying the hash chain. `events`: number of events. */
export interface LedgerVerification {
  readonly events: number;
  readonly intact: boolean;
  /** Sequence of the first invalid event; null if there is none. */
  readonly brokenAt: number | null;
  /** The reason why that event is invalid, as a sentence; null if there is none. */
  readonly reason: string | null;
}

/** An append-only, hash-chained store of events. A damaged store throws `damaged` on append and is never emptied. */
export interface LedgerStore {
  /**
   * Appends an event. If `onlyAfter` is given and the newest event has another sequence, nothing is written and `stale`
   * is thrown; 0 means that there is no event yet.
   */
  append(
    event: { readonly id: string; readonly at: Millis; readonly type: string; readonly data: unknown },
    options?: { readonly onlyAfter?: number },
  ): Promise<StoredEvent>;
  read(query: {
    /** Only events with a higher sequence. */
    readonly after?: number;
    readonly types?: readonly string[];
    readonly limit?: number;
    readonly newestFirst?: boolean;
  }): Promise<readonly StoredEvent[]>;
  verify(): Promise<LedgerVerification>;
  close(): Promise<void>;
}

/** Stores texts under the sha-256 of their UTF-8 bytes, by which the events of the ledger refer to them. */
export interface ContentStore {
  /** Stores a text, and returns its hash in hex. */
  put(text: string): Promise<string>;
  /**
   * The text with this hash; null if it was never stored. Throws `damaged` if the stored bytes do not have this hash.
   */
  get(hash: string): Promise<string | null>;
  /** Stored size of each text in bytes, by its hash. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  /**
   * Removes texts, except those stored within the last hour, because an event may be about to refer to them. Returns
   * the number of removed texts.
   */
  remove(hashes: readonly string[]): Promise<number>;
}
