// The ledger and the texts of proposals.

import type { Millis } from '../model.ts';

/** An event as written. `hash` = sha-256 over the previous hash and the canonical JSON of the rest. */
export interface StoredEvent {
  readonly sequence: number;
  readonly id: string;
  readonly at: Millis;
  readonly type: string;
  readonly data: unknown;
  readonly previous: string;
  readonly hash: string;
}

export interface LedgerVerification {
  readonly events: number;
  readonly intact: boolean;
  /** First sequence that does not hold, and why. */
  readonly brokenAt: number | null;
  readonly reason: string | null;
}

/** Append-only, hash-chained. A damaged store throws `damaged` on append and is never emptied. */
export interface LedgerStore {
  /**
   * With `onlyAfter`, throws `stale` and writes nothing when the newest event is not of this sequence (0 = none yet).
   */
  append(
    event: { readonly id: string; readonly at: Millis; readonly type: string; readonly data: unknown },
    options?: { readonly onlyAfter?: number },
  ): Promise<StoredEvent>;
  read(query: {
    readonly after?: number;
    readonly types?: readonly string[];
    readonly limit?: number;
    readonly newestFirst?: boolean;
  }): Promise<readonly StoredEvent[]>;
  verify(): Promise<LedgerVerification>;
  close(): Promise<void>;
}

/** Texts by the sha-256 of their UTF-8 bytes. What the ledger names by hash lies here. */
export interface ContentStore {
  /** Returns the hash, in hex. */
  put(text: string): Promise<string>;
  /** Null = never stored. Throws `damaged` when the stored bytes do not have this hash. */
  get(hash: string): Promise<string | null>;
  /** Bytes that each text takes, as stored, by its hash. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  /**
   * Removes texts, but for those that were put within the last hour: somebody may be about to name them. Returns how
   * many.
   */
  remove(hashes: readonly string[]): Promise<number>;
}
