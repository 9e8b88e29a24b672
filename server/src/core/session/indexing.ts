// Brings the memory of the repository up to date, packs it into the token budget and scores the tree.

import { importGraph } from '../index/graph/importGraph.ts';
import { refreshIndex } from '../index/refresh.ts';
import { packContext } from '../memory/pack.ts';
import type { Notice, Skipped } from '../model.ts';
import type { FileRecord } from '../indexPorts.ts';
import { scoreTree } from '../score/score.ts';
import type { IndexReport, Operation } from '../session.ts';
import { notify, unlessDamaged, type SessionContext } from './context.ts';

const otherIsIndexing: Notice = { severity: 'info', message: 'Another Selfware process is indexing this repository; its index is read.', action: null };

/** Walks, refreshes, packs and scores. With another process writing the index, reads what that one has written. */
export async function indexRepository(context: SessionContext, operation: Operation, peakRssMb: () => number): Promise<IndexReport> {
  const { ports, state, settings } = context;
  const startedAt = ports.clock.now();
  const lock = await ports.lock.acquire('index');
  let embedded = 0;
  let reused = 0;
  let skipped: readonly Skipped[] = [];
  let changed: readonly string[] | null = null;
  try {
    if (lock) {
      state.notices = state.notices.filter((notice) => notice !== otherIsIndexing);
      const refreshed = await refreshIndex(
        { files: ports.files, catalogue: ports.catalogue, chunks: ports.chunks, embedder: ports.embedder, jobs: ports.jobs, log: ports.log, clock: ports.clock },
        { maxBytes: settings['index.maxFileKilobytes'] * 1024, exclude: settings['index.exclude'] },
        (progress) => {
          operation.report?.(progress);
          context.emit({ type: 'progress', progress });
        },
        operation.signal,
      );
      ({ embedded, reused, skipped } = refreshed);
      changed = state.lastIndex ? refreshed.changedPaths : null;
      setRecords(context, refreshed.records);
    } else {
      notify(context, otherIsIndexing);
      setRecords(context, (await ports.catalogue.all()).filter(({ trouble }) => trouble !== 'binary' && trouble !== 'not utf-8'));
    }
  } finally {
    await lock?.release();
  }

  const records = [...state.records.values()];
  const pack = await packContext(
    { records, inDegree: state.inDegree, read: null },
    { task: '', taskType: 'SelfImprovement', budget: settings['memory.contextTokens'], activeFiles: [] },
    operation.signal,
  );
  state.layers = pack.layers;
  state.points = scoreTree(records.map((record) => record.measures));
  const report: IndexReport = {
    files: records.length,
    symbols: records.reduce((sum, record) => sum + record.symbols.length, 0),
    chunks: records.reduce((sum, record) => sum + record.chunks.length, 0),
    tokens: pack.layers.semantic.tokens,
    budgetTokens: pack.layers.semantic.budget,
    embedded,
    reused,
    skipped,
    seconds: (ports.clock.now() - startedAt) / 1000,
    peakRssMb: peakRssMb(),
    store: ports.chunks.kind,
    embedder: ports.embedder.profile,
    notices: state.notices,
  };
  const first = state.lastIndex === null;
  state.lastIndex = report;
  if (first || changed?.length) {
    const { files, symbols, chunks, tokens, seconds } = report;
    await unlessDamaged(context, null, () => context.ledger.record({ type: 'indexed', data: { files, symbols, chunks, tokens, embedded, reused, seconds } }));
    await unlessDamaged(context, null, () => context.ledger.record({ type: 'points', data: { points: state.points } }));
    context.emit({ type: 'opportunities', paths: changed });
  }
  return report;
}

function setRecords(context: SessionContext, records: readonly FileRecord[]): void {
  context.state.records = new Map(records.map((record) => [record.path, record]));
  context.state.inDegree = importGraph(records).inDegree;
}
