// Copies events from one ledger of a repository to another: the events that an unattended run needs, and the events
// that lessons are learned from.

import type { ContentStore, LedgerStore, StoredEvent } from '../ports/ledger.ts';
import { SelfwareError } from '../../util/typedError.ts';
import { readRecordedEvent, type RecordedEvent } from './events.ts';
import { checkFollows, emptyState, fold, type StrengthOf } from './folds.ts';

/** The stores of a ledger: its events, and the texts that they name. */
export interface LedgerParts {
  readonly store: LedgerStore;
  readonly contents: ContentStore;
}

/**
 * Copies the events that `isWanted` accepts and that `target` does not have, oldest first, and the texts of proposed
 * edits. Skips events that are malformed or of an unknown type, and an event that must not follow in `target`. Stops
 * early if another process writes to `target`; the next import copies the remaining events. Returns the number of
 * copied events.
 */
export async function importEvents(
  source: LedgerParts,
  target: LedgerParts,
  isWanted: (event: RecordedEvent) => boolean,
  strengthOf: StrengthOf,
): Promise<number> {
  const existingEvents = await target.store.read({});
  const ids = new Set(existingEvents.map(({ id }) => id));
  let state = fold(emptyState, existingEvents, strengthOf);
  let copiedCount = 0;
  for (const stored of await source.store.read({})) {
    const event = readRecordedEvent(stored);
    if (ids.has(stored.id) || event === null || event === 'malformed' || !isWanted(event) || !mayFollow(event))
      continue;
    await copyTexts(event, source.contents, target.contents);
    const appendedEvent = await appendOrNull(stored);
    if (appendedEvent === null) break;
    state = fold(state, [appendedEvent], strengthOf);
    copiedCount += 1;
  }
  return copiedCount;

  function mayFollow(event: RecordedEvent): boolean {
    try {
      checkFollows(state, event);
      return true;
    } catch (error) {
      if (error instanceof SelfwareError) return false;
      throw error;
    }
  }

  /** The appended event; null if another process has written to `target` since its events were read. */
  async function appendOrNull({ id, at, type, data }: StoredEvent): Promise<StoredEvent | null> {
    try {
      return await target.store.append({ id, at, type, data }, { onlyAfter: state.last });
    } catch (error) {
      if (error instanceof SelfwareError && error.reason === 'stale') return null;
      throw error;
    }
  }
}

async function copyTexts(event: RecordedEvent, from: ContentStore, to: ContentStore): Promise<void> {
  if (event.type !== 'proposed') return;
  for (const { before, after } of event.data.proposal.edits)
    for (const hash of [before, after]) {
      const text = hash === null ? null : await from.get(hash);
      if (text !== null) await to.put(text);
    }
}
