// Brings the memory of the repository up to date, packs it into the token budget and scores the tree.

import { folderHashes } from '../index/merkle.ts';
import { notText, refreshIndex } from '../index/refresh.ts';
import { packContext } from '../memory/pack.ts';
import type { Notice, Skipped } from '../model.ts';
import type { FileRecord } from '../indexPorts.ts';
import { scoreTree } from '../score/score.ts';
import type { IndexReport, Operation, Report } from '../session.ts';
import { notify, unlessDamaged, type SessionContext } from './context.ts';
import { bringUp, setRecords, takeIn, teach } from './searching.ts';

const otherIsIndexing: Notice = { severity: 'info', message: 'Another Selfware process is indexing this repository; its index is read.', action: null };

/** Walks, refreshes, packs and scores. With another process writing the index, reads what that one has written. */
export async function indexRepository(context: SessionContext, operation: Operation, peakRssMb: () => number): Promise<IndexReport> {
  const { ports, state, settings } = context;
  const startedAt = ports.clock.now();
  const report: Report = (progress) => {
    operation.report?.(progress);
    context.emit({ type: 'progress', progress });
  };
  const lock = await ports.lock.acquire('index');
  let embedded = 0;
  let reused = 0;
  let skipped: readonly Skipped[] = [];
  let changed: readonly string[] | null = null;
  let searchableAt: number | null = null;
  try {
    if (lock) {
      state.notices = state.notices.filter((notice) => notice !== otherIsIndexing);
      // What was stored answers from the start, while the rest is brought up to date.
      if (!state.lastIndex) await bringUp(context, await searchableRecords(context), operation.signal);
      const refreshed = await refreshIndex(
        { ...ports, onSearchable: (files, provisional) => takeIn(context, files, provisional) },
        { maxBytes: settings['index.maxFileKilobytes'] * 1024, exclude: settings['index.exclude'] },
        report,
        operation.signal,
      );
      ({ embedded, reused, skipped, searchableAt } = refreshed);
      changed = state.lastIndex ? refreshed.changedPaths : null;
      setRecords(context, refreshed.records);
    } else {
      notify(context, otherIsIndexing);
      setRecords(context, await searchableRecords(context));
    }
  } finally {
    await lock?.release();
  }

  const records = [...state.records.values()];
  await bringUp(context, records, operation.signal);
  searchableAt ??= ports.clock.now();
  const treeHash = folderHashes(records).get('') ?? null;
  const same = treeHash === state.treeHash && state.lastIndex !== null;
  if (!same) {
    const pack = await packContext(
      { records, inDegree: state.inDegree, read: null },
      { task: '', taskType: 'SelfImprovement', budget: settings['memory.contextTokens'], activeFiles: [] },
      operation.signal,
    );
    state.layers = pack.layers;
    state.points = scoreTree(records.map((record) => record.measures));
    state.treeHash = treeHash;
  }
  await teach(context, { ...operation, report });
  const done: IndexReport = {
    files: records.length,
    symbols: records.reduce((sum, record) => sum + record.symbols.length, 0),
    chunks: records.reduce((sum, record) => sum + record.chunks.length, 0),
    tokens: state.layers?.semantic.tokens ?? 0,
    budgetTokens: state.layers?.semantic.budget ?? 0,
    embedded,
    reused,
    skipped,
    seconds: (ports.clock.now() - startedAt) / 1000,
    searchableSeconds: (searchableAt - startedAt) / 1000,
    peakRssMb: peakRssMb(),
    treeHash,
    store: ports.chunks.kind,
    embedder: ports.embedder.profile,
    notices: state.notices,
  };
  const first = state.lastIndex === null;
  state.lastIndex = done;
  if (first || changed?.length) {
    const { files, symbols, chunks, tokens, seconds } = done;
    await unlessDamaged(context, null, () => context.ledger.record({ type: 'indexed', data: { files, symbols, chunks, tokens, embedded, reused, seconds } }));
    await unlessDamaged(context, null, () => context.ledger.record({ type: 'points', data: { points: state.points } }));
    context.emit({ type: 'opportunities', paths: changed });
  }
  return done;
}

async function searchableRecords({ ports }: SessionContext): Promise<FileRecord[]> {
  return (await ports.catalogue.all()).filter(({ trouble }) => !notText.has(trouble));
}
