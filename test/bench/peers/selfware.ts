// Selfware as one of the measured search systems: the searcher in memory over the same files as the peers.

import { createSearcher } from '../../../server/src/core/index/search/createSearcher.ts';
import { computeHistorySignals } from '../../../server/src/core/index/search/historySignals.ts';
import type { SearchedFile, Searcher } from '../../../server/src/core/index/search/searcher.ts';
import type { Chunk } from '../../../server/src/core/model.ts';
import { embedder, createSearchedFiles, termTable } from '../support/embedding.ts';
import { createTally, type Tally } from '../support/tally.ts';
import type { System } from './system.ts';
import type { Commit } from '../../../server/src/core/ports/git.ts';
import type { FileRecord } from '../../../server/src/core/ports/catalogue.ts';

/** The system. */
export const selfware: System = {
  name: 'Selfware',
  absent: null,
  async build({ records, chunks, commits }, signal) {
    const searcher = await createSearcherOfRecords(
      records.map((record) => ({ record, chunks: chunks.get(record.path) ?? [] })),
      commits,
      createTally(),
      signal,
    );
    return {
      search: async (query, top) =>
        searcher.search({ text: query, vector: (await embedder.embed([query], signal))[0] ?? null, top }),
    };
  },
};

/** Creates the searcher with the files and the history. The costs of its steps are added to `tally`. */
export async function createSearcherOfRecords(
  files: readonly { readonly record: FileRecord; readonly chunks: readonly Chunk[] }[],
  commits: readonly Commit[],
  tally: Tally,
  signal: AbortSignal,
): Promise<Searcher> {
  return createFilledSearcher(await createSearchedFiles(files, embedder.source, signal), commits, tally);
}

/** Like `createSearcherOfRecords`, for files in the form in which a session passes them. */
export function createFilledSearcher(
  searched: readonly SearchedFile[],
  commits: readonly Commit[],
  tally: Tally,
): Searcher {
  const searcher = createSearcher({ table: termTable });
  tally.add('index in memory', () => searcher.put(searched));
  tally.add('describe', () => searcher.setSignals({ ownVendors: [], ...computeHistorySignals(commits) }));
  return searcher;
}
