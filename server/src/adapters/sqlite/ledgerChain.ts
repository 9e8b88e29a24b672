// Computes the hash chain of events: each hash covers the event and the previous hash.

import { canonicalJson } from '../../util/canonicalJson.ts';
import { sha256 } from '../../util/hash.ts';
import type { StoredEvent } from '../../core/ports/ledger.ts';

/** The position before the first event. */
export const CHAIN_START: ChainPosition = { sequence: 0, hash: '0'.repeat(64) };

/** A position in the chain up to which everything was checked. */
export interface ChainPosition {
  readonly sequence: number;
  readonly hash: string;
}

/** A row as stored in the table: `data` is canonical JSON. */
export interface EventRow {
  readonly sequence: number;
  readonly id: string;
  readonly at: number;
  readonly type: string;
  readonly data: string;
  readonly previous: string;
  readonly hash: string;
}

/** The row that follows `lastPosition`. */
export function createNextRow(
  lastPosition: ChainPosition,
  event: { readonly id: string; readonly at: number; readonly type: string; readonly data: unknown },
): EventRow {
  const row = {
    sequence: lastPosition.sequence + 1,
    id: event.id,
    at: event.at,
    type: event.type,
    data: canonicalJson(event.data),
    previous: lastPosition.hash,
  };
  return { ...row, hash: computeHash(row) };
}

/** The reason why `row` does not follow `lastPosition`, as a sentence; null if it does. */
export function explainChainFlaw(lastPosition: ChainPosition, row: EventRow): string | null {
  if (row.sequence !== lastPosition.sequence + 1) return `Event ${lastPosition.sequence + 1} is missing.`;
  if (row.previous !== lastPosition.hash)
    return `Event ${row.sequence} does not follow event ${lastPosition.sequence}.`;
  if (row.hash !== computeHash(row)) return `Event ${row.sequence} was altered.`;
  return null;
}

/** The event in a row; null if its data is not valid JSON. */
export function parseEvent(row: EventRow): StoredEvent | null {
  const data = parseData(row.data);
  return data === undefined ? null : { ...row, data };
}

/** sha-256 over the previous hash and the canonical JSON of the other fields. Data that does not parse has no hash. */
function computeHash(row: Omit<EventRow, 'hash'>): string {
  const { sequence, id, at, type, previous } = row;
  const data = parseData(row.data);
  return data === undefined ? '' : sha256(previous + canonicalJson({ sequence, id, at, type, data }));
}

/** The value; undefined if the text is not JSON. */
function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
