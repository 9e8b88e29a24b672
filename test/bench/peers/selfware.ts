// Selfware as one of the systems: the core's search over the same files.

import { createHashedEmbedder } from '../../../server/src/adapters/embeddings/hashedEmbedder.ts';
import { createLexicalStore } from '../../../server/src/adapters/lexical/lexicalStore.ts';
import { searchIndex } from '../../../server/src/core/index/search/search.ts';
import type { System } from './system.ts';

export const selfware: System = {
  name: 'Selfware',
  absent: null,
  async build({ records, chunks }, signal) {
    const embedder = createHashedEmbedder();
    const store = await createLexicalStore(':memory:');
    await store.open('bench', embedder.dimensions);
    for (const ofFile of chunks.values()) {
      const vectors = await embedder.embed(ofFile.map(({ path, symbol, text }) => `${path} ${symbol ?? ''}\n${text}`), signal);
      await store.upsert(ofFile.map((chunk, index) => ({ ...chunk, vector: vectors[index]! })));
    }
    return {
      search: async (query, top) => (await searchIndex({ chunks: store, embedder, records }, query, top, signal)).map(({ path, startLine, endLine }) => ({ path, lines: [startLine, endLine] })),
      close: () => void store.close(),
    };
  },
};
