// An index of a real folder on real stores, for the tests of this folder.

import { join } from 'node:path';
import { createHashedEmbedder } from '../../../server/src/adapters/embeddings/hashedEmbedder.ts';
import { createWorkingTree } from '../../../server/src/adapters/files/workingTree.ts';
import { createGrammarsFromNodeModules } from '../../../server/src/adapters/grammars/grammars.ts';
import { createLancedbStore } from '../../../server/src/adapters/lancedb/lancedbStore.ts';
import { createLexicalStore } from '../../../server/src/adapters/lexical/lexicalStore.ts';
import { createCatalogue } from '../../../server/src/adapters/sqlite/catalogue.ts';
import { createInProcessJobs } from '../../../server/src/adapters/workers/inProcessJobs.ts';
import { createFileRecord, type IndexedFileResult, type LoadedFile } from '../../../server/src/core/index/inspect.ts';
import { createParser } from '../../../server/src/core/index/parse/parser.ts';
import { refreshIndex, type RefreshResult } from '../../../server/src/core/index/refresh.ts';
import type { RefreshContext } from '../../../server/src/core/index/refreshContext.ts';
import { searchIndex } from '../../../server/src/core/index/search/search.ts';
import type { Progress } from '../../../server/src/core/operation.ts';
import type { SearchHit } from '../../../server/src/core/index/search/hit.ts';
import type { Jobs } from '../../../server/src/core/jobs.ts';

export interface TestIndex {
  readonly context: RefreshContext;
  readonly progress: Progress[];
  refresh(options?: { readonly signal?: AbortSignal; readonly maxBytes?: number }): Promise<RefreshResult>;
  search(query: string, top?: number): Promise<readonly SearchHit[]>;
  close(): Promise<void>;
}

const never = new AbortController().signal;
/** Chunks; so few that a small tree takes several writes. */
const WRITTEN_AT_ONCE = 20;

export function plainJobs(
  inspect?: (
    files: readonly LoadedFile[],
    next: () => Promise<IndexedFileResult[]>,
  ) => Promise<readonly IndexedFileResult[]>,
): Jobs {
  const parser = createParser(createGrammarsFromNodeModules());
  const plain = async (files: readonly LoadedFile[]) => {
    const output: IndexedFileResult[] = [];
    for (const file of files) output.push(await createFileRecord(parser, file));
    return output;
  };
  return createInProcessJobs({ inspect: (files) => (inspect ? inspect(files, () => plain(files)) : plain(files)) });
}

/** `change` may wrap parts, e.g. to count calls or to fail at one of them. */
export async function openIndex(
  rootDir: string,
  stateDir: string,
  options: {
    readonly store?: 'lancedb' | 'lexical';
    readonly change?: (context: RefreshContext) => RefreshContext;
  } = {},
): Promise<TestIndex> {
  const embedder = createHashedEmbedder();
  const catalogue = createCatalogue(join(stateDir, 'catalogue.db'));
  await catalogue.open('test');
  const chunks =
    options.store === 'lancedb'
      ? await createLancedbStore(join(stateDir, 'lancedb'))
      : await createLexicalStore(join(stateDir, 'chunks.db'));
  await chunks.open(embedder.profile, embedder.dimensions);
  const plain: RefreshContext = {
    files: await createWorkingTree(rootDir),
    catalogue,
    chunks,
    embedder,
    jobs: plainJobs(),
    log: { write: () => undefined },
    clock: { now: () => 0 },
    writtenAtOnce: WRITTEN_AT_ONCE,
  };
  const context = options.change?.(plain) ?? plain;
  const progress: Progress[] = [];
  return {
    context,
    progress,
    refresh: ({ signal = never, maxBytes = 1024 * 1024 } = {}) =>
      refreshIndex(context, { maxBytes, exclude: [] }, (step) => progress.push(step), signal),
    search: async (query, top = 10) =>
      searchIndex(
        { chunks, embedder, records: (await catalogue.all()).filter((record) => record.chunks.length > 0) },
        query,
        top,
        never,
      ),
    async close() {
      await catalogue.close();
      await chunks.close();
    },
  };
}
