// Provides a chunk store that is chosen and loaded on first use. An analysis, or a start with an unchanged index, does
// not load it.

import type { Notice } from '../../core/model.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { ChunkStore } from '../../core/ports/search.ts';

/** The functions that a lazy store needs to choose the real store. */
export interface LazyStoreParts {
  /** Called once, at the first use of the store. */
  choose(): Promise<{ readonly store: ChunkStore; readonly notice: Notice | null }>;
  /** Called if the store is not the configured one. */
  onNotice(notice: Notice): void;
  /**
   * The expected revision of the store that `choose` will probably return, found without loading it; null if the store
   * must be asked.
   */
  expect(
    profile: string,
    dimensions: number,
  ): Promise<{ readonly kind: ChunkStore['kind']; readonly revision: string } | null>;
}

/**
 * Creates the store. Before `open`, every call except `open` and `close` throws. A problem with the place of the store
 * is reported at the first use, not by `open`.
 */
export function createLazyStore({ choose, onNotice, expect }: LazyStoreParts): ChunkStore {
  let wantedProfile: { readonly profile: string; readonly dimensions: number } | null = null;
  let expected: ChunkStore['kind'] | null = null;
  let storeInUse: ChunkStore | null = null;
  let opening: Promise<ChunkStore> | null = null;
  const open = async ({ profile, dimensions }: NonNullable<typeof wantedProfile>): Promise<ChunkStore> => {
    if (!storeInUse) {
      const { store, notice } = await choose();
      storeInUse = store;
      if (notice) onNotice(notice);
    }
    await storeInUse.open(profile, dimensions);
    return storeInUse;
  };
  const openStore = (): Promise<ChunkStore> => {
    if (!wantedProfile) throw new SelfwareError('internal', 'The chunk store is not open.');
    const current = (opening ??= open(wantedProfile));
    // After a failure, the next call tries again, unless another profile has been opened meanwhile.
    current.catch(() => {
      if (opening === current) opening = null;
    });
    return current;
  };
  const requireStore = (): ChunkStore => {
    if (!storeInUse) throw new SelfwareError('internal', 'The chunk store is not open.');
    return storeInUse;
  };
  return {
    get kind() {
      return storeInUse?.kind ?? expected ?? requireStore().kind;
    },
    get shared() {
      // Only a store on this machine has an expected revision.
      return storeInUse === null && expected !== null ? false : requireStore().shared;
    },
    async open(profile, dimensions) {
      wantedProfile = { profile, dimensions };
      opening = null;
      expected = storeInUse ? null : ((await expect(profile, dimensions))?.kind ?? null);
    },
    async revision() {
      if (storeInUse || !wantedProfile) return (await openStore()).revision();
      const current = await expect(wantedProfile.profile, wantedProfile.dimensions);
      // Another process may have created the table since `open`.
      expected ??= current?.kind ?? null;
      return current?.revision ?? (await openStore()).revision();
    },
    ids: async () => (await openStore()).ids(),
    get: async (ids) => (await openStore()).get(ids),
    async *rows(signal) {
      yield* (await openStore()).rows(signal);
    },
    upsert: async (chunks) => (await openStore()).upsert(chunks),
    remove: async (ids) => (await openStore()).remove(ids),
    search: async (query) => (await openStore()).search(query),
    optimise: async (options) => (await openStore()).optimise(options),
    async close() {
      await opening?.catch(() => undefined);
      await storeInUse?.close();
    },
  };
}
