// Creates the façade's `memory` section: index, search and dependency graph of the repository, and search in other
// repositories.

import { findSymbols } from '../../index/symbolSearch.ts';
import type { Memory } from '../../session.ts';
import type { SessionContext } from '../context.ts';
import type { Freshness } from '../freshness.ts';
import { answerGraph } from '../index/graph.ts';
import { loadSelfModel, readTextOrNull } from './packing.ts';
import { search } from './searching.ts';

/** Creates the section of one session. */
export function createMemorySection(context: SessionContext, { index, openStore }: Freshness): Memory {
  const { operations, ports, state } = context;
  return {
    index: (operation) => operations.run((signal) => index({ ...operation, signal }), operation.signal),
    update: (paths, operation) => operations.run((signal) => index({ ...operation, signal }, paths), operation.signal),
    search: (query, top, signal) => search(context, query, top, signal),
    references: async () => (await ports.references?.list()) ?? [],
    searchReferences: async (query, top, operation) => (await ports.references?.search(query, top, operation)) ?? [],
    compact: (operation) =>
      operations.run(async () => {
        await openStore();
        const lock = await ports.lock.acquire('index');
        try {
          if (lock) await ports.chunks.optimise();
        } finally {
          await lock?.release();
        }
      }, operation.signal),
    symbols: async (query, limit) => findSymbols(state.records.values(), query, limit, state.inDegree),
    graph: (request, signal) => answerGraph(context, request, signal),
    text: async (path) => (state.records.has(path) ? readTextOrNull(context, path) : null),
    model: (signal) => loadSelfModel(context, signal),
  };
}
