// If a model fails during a run, another embedder takes over under its own profile. Vectors of the two never share a
// table.

import { SelfwareError } from '../../util/typedError.ts';
import type { ChunkStore, Embedder } from '../../core/ports/search.ts';

/** A model with its store, and the embedder that takes over if the model fails. */
export interface FailoverParts {
  readonly embedder: Embedder;
  /** Takes over if the model fails, so it must not depend on anything that can fail. */
  readonly fallback: Embedder;
  readonly store: ChunkStore;
  /** Called once, when the store is open under the new profile. */
  readonly onFailure: (error: SelfwareError) => void;
}

/**
 * Pairs an embedder with its store. A failing call still throws, and its caller works with the old table. Before it
 * throws, the store is reopened under the fallback's profile. The next index run finds no chunks there, and embeds all
 * of them again.
 */
export function addFailover({ embedder, fallback, store, onFailure }: FailoverParts): {
  readonly embedder: Embedder;
  readonly store: ChunkStore;
} {
  /** The embedder in use; null while the store is being reopened, and permanently if that fails. */
  let activeEmbedder: Embedder | null = embedder;
  let servingEmbedder = embedder;
  let openedProfile: string | null = null;
  let takingOver: Promise<void> | null = null;
  const makerOfVector = new WeakMap<Float32Array, Embedder>();
  const takeOver = async (error: SelfwareError): Promise<void> => {
    activeEmbedder = null;
    if (openedProfile !== null)
      await store.open(openedProfile.replace(embedder.profile, fallback.profile), fallback.dimensions);
    activeEmbedder = servingEmbedder = fallback;
    onFailure(error);
  };
  /** Throws `unavailable` for vectors of an embedder that is no longer in use. */
  const throwIfReplaced = (maker: Embedder | undefined): void => {
    if (maker && maker !== activeEmbedder)
      throw new SelfwareError(
        'unavailable',
        'The embedding model has failed in the meantime; another model is used now.',
        {
          action: 'Index again.',
        },
      );
  };
  return {
    embedder: {
      get profile() {
        return servingEmbedder.profile;
      },
      get source() {
        return servingEmbedder.source;
      },
      get dimensions() {
        return servingEmbedder.dimensions;
      },
      get table() {
        return servingEmbedder.table;
      },
      ...(fallback.embedTerms && {
        embedTerms: (terms: readonly string[]) => {
          throwIfReplaced(fallback);
          const vectors = fallback.embedTerms!(terms);
          for (const vector of vectors) makerOfVector.set(vector, fallback);
          return vectors;
        },
      }),
      async embed(texts, signal) {
        const maker = servingEmbedder;
        try {
          const vectors = await maker.embed(texts, signal);
          throwIfReplaced(maker);
          for (const vector of vectors) makerOfVector.set(vector, maker);
          return vectors;
        } catch (error) {
          const hasFailed =
            error instanceof SelfwareError && (error.reason === 'unavailable' || error.reason === 'timedOut');
          if (hasFailed && maker === embedder) await (takingOver ??= takeOver(error));
          throw error;
        }
      },
    },
    // The kind of the store may be known only after it was opened, so properties are forwarded and not copied.
    store: Object.defineProperties({} as ChunkStore, {
      ...Object.getOwnPropertyDescriptors(store),
      open: {
        value: (profile: string, dimensions: number) => {
          openedProfile = profile;
          return store.open(profile, dimensions);
        },
      },
      upsert: {
        value: async (chunks: Parameters<ChunkStore['upsert']>[0]) => {
          for (const { vector } of chunks) throwIfReplaced(makerOfVector.get(vector));
          return store.upsert(chunks);
        },
      },
    }),
  };
}
