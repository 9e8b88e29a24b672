// Opens an index of a folder as the kill tests need it: real stores, real files, real lock, and one of two profiles
// that can be told apart in every vector.

import { join } from 'node:path';
import { createHashedEmbedder } from '../../server/src/adapters/embeddings/hashedEmbedder.ts';
import { createWorkingTree } from '../../server/src/adapters/files/workingTree.ts';
import { createLancedbStore } from '../../server/src/adapters/lancedb/lancedbStore.ts';
import { createLexicalStore } from '../../server/src/adapters/lexical/lexicalStore.ts';
import { createCatalogue } from '../../server/src/adapters/sqlite/catalogue.ts';
import { refreshIndex } from '../../server/src/core/index/refresh.ts';
import type { RefreshContext } from '../../server/src/core/index/refreshContext.ts';
import { plainJobs } from '../unit/index/indexing.ts';
import type { Embedder } from '../../server/src/core/ports/search.ts';

export type StoreKind = 'lancedb' | 'lexical';
export type Profile = 'upright' | 'inverted';

const jobs = plainJobs();
export const never = new AbortController().signal;

/** `state` null = in memory, by the lexical store. */
export async function openIndexState(root: string, state: string | null, kind: StoreKind, profile: Profile) {
  const embedder = embedderOf(profile);
  const catalogue = createCatalogue(state === null ? ':memory:' : join(state, 'catalogue.db'));
  await catalogue.open('kill');
  const chunks =
    state !== null && kind === 'lancedb'
      ? await createLancedbStore(join(state, 'lancedb'), { keepVersionsMs: 0 })
      : await createLexicalStore(state === null ? ':memory:' : join(state, 'chunks.db'));
  await chunks.open(embedder.profile, embedder.dimensions);
  const context: RefreshContext = {
    files: await createWorkingTree(root),
    catalogue,
    chunks,
    embedder,
    jobs,
    log: { write: () => undefined },
    clock: { now: () => 0 },
  };
  return {
    context,
    refresh: (change: Partial<RefreshContext> = {}) =>
      refreshIndex({ ...context, ...change }, { maxBytes: 1024 * 1024, exclude: [] }, () => undefined, never),
    async close() {
      await catalogue.close();
      await chunks.close();
    },
  };
}

/** The inverted profile has every vector turned round. */
function embedderOf(profile: Profile): Embedder {
  const plain = createHashedEmbedder();
  if (profile === 'upright') return plain;
  return {
    ...plain,
    source: plain.source,
    profile: `${plain.profile}-inverted`,
    embed: async (texts, signal) => (await plain.embed(texts, signal)).map((vector) => vector.map((value) => -value)),
  };
}
