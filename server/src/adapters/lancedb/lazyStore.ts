// A chunk store that is chosen and loaded on first use. Analysis alone, or a start with an unchanged index, does
// without it.
import type { Notice } from '../../core/model.ts';
import { SelfwareError } from '../../util/typedError.ts';
import type { ChunkStore } from '../../core/ports/search.ts';

export interface LazyStoreParts {
  /** Runs once, when the store is first needed. */
  choose(): Promise<{ readonly store: ChunkStore; readonly notice: Notice | null }>;
  /** Hears when another store serves than was asked for. */
  onNotice(notice: Notice): void;
  /**
   * What the store that `choose` will most likely give would say of its revision, found without loading it; null = ask
   * the store.
   */
  expect(
    profile: string,
    dimensions: number,
  ): Promise<{ readonly kind: ChunkStore['kind']; readonly revision: string } | null>;
}

/**
 * Everything but `open` and `close` throws before `open`; problems of the place show when the store is first needed.
 */
export function createLazyStore({ choose, onNotice, expect }: LazyStoreParts): ChunkStore {
  let wanted: { readonly profile: string; readonly dimensions: number } | null = null;
  let expected: ChunkStore['kind'] | null = null;
  let chosen: ChunkStore | null = null;
  let opening: Promise<ChunkStore> | null = null;
  const open = async ({ profile, dimensions }: NonNullable<typeof wanted>): Promise<ChunkStore> => {
    if (!chosen) {
      const { store, notice } = await choose();
      chosen = store;
      if (notice) onNotice(notice);
    }
    await chosen.open(profile, dimensions);
    return chosen;
  };
  const opened = (): Promise<ChunkStore> => {
    if (!wanted) throw new SelfwareError('internal', 'The chunk store is not open.');
    opening ??= open(wanted);
    // The next one tries again.
    opening.catch(() => (opening = null));
    return opening;
  };
  const known = (): ChunkStore => {
    if (!chosen) throw new SelfwareError('internal', 'The chunk store is not open.');
    return chosen;
  };
  return {
    get kind() {
      return chosen?.kind ?? expected ?? known().kind;
    },
    get shared() {
      // Only of a store of this machine anything is expected.
      return chosen === null && expected !== null ? false : known().shared;
    },
    async open(profile, dimensions) {
      wanted = { profile, dimensions };
      opening = null;
      expected = chosen ? null : ((await expect(profile, dimensions))?.kind ?? null);
    },
    async revision() {
      if (chosen || !wanted) return (await opened()).revision();
      const told = await expect(wanted.profile, wanted.dimensions);
      // Another process may have made the table since `open`.
      expected ??= told?.kind ?? null;
      return told?.revision ?? (await opened()).revision();
    },
    ids: async () => (await opened()).ids(),
    get: async (ids) => (await opened()).get(ids),
    async *rows(signal) {
      yield* (await opened()).rows(signal);
    },
    upsert: async (chunks) => (await opened()).upsert(chunks),
    remove: async (ids) => (await opened()).remove(ids),
    search: async (query) => (await opened()).search(query),
    optimise: async (how) => (await opened()).optimise(how),
    async close() {
      await opening?.catch(() => undefined);
      await chosen?.close();
    },
  };
}
