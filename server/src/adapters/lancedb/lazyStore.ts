// A chunk store that is chosen and loaded when it is first opened: who only analyses or reads the ledger does without it.

import type { ChunkStore } from '../../core/indexPorts.ts';
import type { Notice } from '../../core/model.ts';
import { SelfwareError } from '../../util/typedError.ts';

/** `choose` runs once, with the first `open`; `onNotice` hears when another store serves than was asked for. Everything but `open` and `close` throws before. */
export function createLazyStore(choose: () => Promise<{ readonly store: ChunkStore; readonly notice: Notice | null }>, onNotice: (notice: Notice) => void): ChunkStore {
  let chosen: ChunkStore | null = null;
  const opened = (): ChunkStore => {
    if (!chosen) throw new SelfwareError('internal', 'The chunk store is not open.');
    return chosen;
  };
  return {
    get kind() {
      return opened().kind;
    },
    get shared() {
      return opened().shared;
    },
    async open(profile, dimensions) {
      if (!chosen) {
        const { store, notice } = await choose();
        chosen = store;
        if (notice) onNotice(notice);
      }
      await chosen.open(profile, dimensions);
    },
    ids: () => opened().ids(),
    get: (ids) => opened().get(ids),
    rows: (signal) => opened().rows(signal),
    upsert: (chunks) => opened().upsert(chunks),
    remove: (ids) => opened().remove(ids),
    search: (query) => opened().search(query),
    optimise: () => opened().optimise(),
    async close() {
      await chosen?.close();
    },
  };
}
