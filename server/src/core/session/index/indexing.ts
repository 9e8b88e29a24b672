// Updates the index of the repository, and selects what fits into the token budget of the semantic memory.

import { computeFolderHashes } from '../../index/merkle.ts';
import { refreshIndex, type RefreshResult } from '../../index/refresh.ts';
import { UNSEARCHABLE_PROBLEMS, type RefreshContext } from '../../index/refreshContext.ts';
import { refreshPaths, type RefreshedPaths } from '../../index/refreshPaths.ts';
import type { Notice, SkippedPath } from '../../model.ts';
import type { IndexReport } from '../../session.ts';
import { getRefreshLimits, notify, getProgramVersion, fallBackIfDamaged, type SessionContext } from '../context.ts';
import { SelfwareError } from '../../../util/typedError.ts';
import { setImports } from './imports.ts';
import { loadOrComputeFigures, storeImage, loadImage, type Figures } from './image.ts';
import { packRepository } from '../search/packing.ts';
import {
  syncIndex,
  describeFiles,
  expectFiles,
  isEmbedderFailure,
  readHistory,
  notifyEmbedderFailure,
  addSearchedFiles,
} from '../search/searching.ts';
import type { Operation, Report } from '../../operation.ts';
import type { ProcessMeter } from '../../ports/system.ts';
import { computeUse, type MeterState } from './processUse.ts';
import type { FileRecord } from '../../ports/catalogue.ts';

/** By session: the figures of the last indexed tree. */
const lastFigures = new WeakMap<SessionContext, Figures>();
/** The notice in a report about an index that another process is still writing. */
export const OTHER_PROCESS_INDEXES: Notice = {
  severity: 'info',
  message: 'Another Selfware process is indexing this repository; its index is used.',
  action: null,
};

/**
 * Walks the tree, refreshes the index and packs the semantic memory. While another process writes the index, reads the
 * part that was written.
 */
export async function indexRepository(
  context: SessionContext,
  operation: Operation,
  meter: ProcessMeter,
): Promise<IndexReport> {
  const { ports, state } = context;
  const startedAt = ports.clock.now();
  const cpuBefore = meter.cpuSeconds?.();
  const report: Report = (progress) => {
    operation.report?.(progress);
    context.emit({ type: 'progress', progress });
  };
  const lock = await ports.lock.acquire('index');
  let embedded = 0;
  let reused = 0;
  let skipped: readonly SkippedPath[] = [];
  let changed: readonly string[] | null = null;
  let changedChunks: number | null = null;
  let searchableAt: number | null = null;
  let isFirstIndex = false;
  try {
    if (lock) {
      state.notices = state.notices.filter((notice) => notice !== OTHER_PROCESS_INDEXES);
      // The stored index answers questions while it is being updated.
      if (!state.lastIndex) isFirstIndex = await loadStoredIndex(context, operation.signal);
      const refreshed = await refreshWithFallback(context, report, operation.signal);
      ({ embedded, reused, skipped, searchableAt } = refreshed);
      changed = state.lastIndex ? refreshed.changedPaths : null;
      await setRecords(context, refreshed.records);
      changedChunks = countChunks(state.records, refreshed.changedPaths);
    } else {
      notify(context, OTHER_PROCESS_INDEXES);
      // The report names the store in use. If nothing was written, no other call has opened it.
      await ports.chunks.revision();
      const records = await readSearchableRecords(context);
      await loadImage(context, records);
      await setRecords(context, records);
    }
  } finally {
    await lock?.release();
  }

  await syncIndex(context, [...state.records.values()], operation.signal);
  searchableAt ??= ports.clock.now();
  await readHistory(context, operation.signal);
  const { treeHash, figures } = await computeTreeFigures(context, true, operation.signal);
  describeFiles(context);
  await storeImage(context);
  const { symbols, chunks, layers } = figures;
  const semantic = layers.semantic;
  const indexReport: IndexReport = {
    files: state.records.size,
    symbols,
    chunks,
    tokens: semantic?.tokens ?? 0,
    budgetTokens: semantic ? semantic.budget + (semantic.borrowed ?? 0) : 0,
    borrowedTokens: semantic?.borrowed ?? 0,
    embedded,
    reused,
    skipped,
    seconds: (ports.clock.now() - startedAt) / 1000,
    searchableSeconds: (searchableAt - startedAt) / 1000,
    peakRssMb: meter.peakRssMb(),
    treeHash,
    store: ports.chunks.kind,
    embedder: ports.embedder.profile,
    ...(lock ? {} : { otherWrites: true as const }),
    notices: state.notices,
  };
  const isFirstReport = state.lastIndex === null;
  state.lastIndex = indexReport;
  if (isFirstReport || changed?.length)
    await recordIndexed(context, indexReport, isFirstIndex && reused === 0, changedChunks, { meter, cpuBefore });
  return indexReport;
}

/**
 * Updates only the given files. Falls back to a full refresh for new files, before the first index, while another
 * process writes the index, and whenever updating single files is not enough.
 */
export async function indexPaths(
  context: SessionContext,
  paths: readonly string[],
  operation: Operation,
  meter: ProcessMeter,
): Promise<IndexReport> {
  const { ports, state } = context;
  const startedAt = ports.clock.now();
  const cpuBefore = meter.cpuSeconds?.();
  const lastReport = state.lastIndex;
  const lock = lastReport ? await ports.lock.acquire('index') : null;
  if (!lastReport || !lock) {
    await lock?.release();
    return indexRepository(context, operation, meter);
  }
  let refreshed: RefreshedPaths | null;
  try {
    refreshed = await refreshPaths(
      createRefreshContext(context),
      paths,
      state.records,
      getRefreshLimits(context),
      operation.signal,
    );
  } finally {
    await lock.release();
  }
  if (!refreshed) return indexRepository(context, operation, meter);
  const changedPaths = [
    ...refreshed.gone,
    ...refreshed.records.filter(({ path, hash }) => state.records.get(path)?.hash !== hash).map(({ path }) => path),
  ];
  const records = new Map(state.records);
  for (const path of refreshed.gone) records.delete(path);
  for (const record of refreshed.records) records.set(record.path, record);
  await setRecords(context, [...records.values()]);
  await syncIndex(context, [...records.values()], operation.signal);
  const { treeHash, figures } = await computeTreeFigures(context, false, operation.signal);
  const report: IndexReport = {
    ...lastReport,
    embedded: refreshed.embedded,
    reused: Math.max(0, figures.chunks - refreshed.embedded),
    files: records.size,
    seconds: (ports.clock.now() - startedAt) / 1000,
    peakRssMb: meter.peakRssMb(),
    treeHash,
    notices: state.notices,
  };
  state.lastIndex = report;
  if (changedPaths.length > 0)
    await recordIndexed(context, report, false, countChunks(state.records, changedPaths), { meter, cpuBefore });
  return report;
}

/**
 * Computes the tree's hash and figures. Packs again and updates `state.layers`, unless the tree is the one of the last
 * call. `usesStore`: true to read the figures from the store, and to store new ones.
 */
async function computeTreeFigures(
  context: SessionContext,
  usesStore: boolean,
  signal: AbortSignal,
): Promise<{ readonly treeHash: string | null; readonly figures: Figures }> {
  const { state } = context;
  const treeHash = computeFolderHashes(state.records.values()).get('') ?? null;
  const cachedFigures = lastFigures.get(context);
  if (cachedFigures && treeHash === state.treeHash) return { treeHash, figures: cachedFigures };
  state.treeHash = treeHash;
  const figures = await loadOrComputeFigures(context, usesStore, async () => {
    const records = [...state.records.values()];
    return {
      symbols: records.reduce((sum, record) => sum + record.symbols.length, 0),
      chunks: records.reduce((sum, record) => sum + record.chunks.length, 0),
      layers: (await packRepository(context, signal)).layers,
    };
  });
  state.layers = figures.layers;
  lastFigures.set(context, figures);
  return { treeHash, figures };
}

/**
 * Records the index in the ledger, unless the ledger is damaged or the repository is only searched. `isFromScratch`:
 * true if nothing was stored before. `changedChunks`: the chunks of changed files; null if these are unknown.
 */
async function recordIndexed(
  context: SessionContext,
  report: IndexReport,
  isFromScratch: boolean,
  changedChunks: number | null,
  meterState: MeterState,
): Promise<void> {
  if (context.isReference) return;
  const { files, symbols, chunks, tokens, embedded, reused, seconds, peakRssMb } = report;
  await fallBackIfDamaged(context, null, async () =>
    context.ledger.record({
      type: 'indexed',
      data: {
        files,
        symbols,
        chunks,
        tokens,
        embedded,
        reused,
        seconds,
        peakRssMb,
        ...computeUse(meterState),
        ...(changedChunks === null ? {} : { changedChunks }),
        ...(isFromScratch ? { scratch: isFromScratch, program: getProgramVersion(context) } : {}),
      },
    }),
  );
}

/**
 * Refreshes the index. If the embedding model fails and another embedder takes over, refreshes again, because the store
 * of the other embedder is then open, and empty.
 */
async function refreshWithFallback(
  context: SessionContext,
  report: Report,
  signal: AbortSignal,
): Promise<RefreshResult> {
  const { ports } = context;
  const refresh = () => refreshIndex(createRefreshContext(context), getRefreshLimits(context), report, signal);
  const { profile } = ports.embedder;
  try {
    return await refresh();
  } catch (error) {
    if (signal.aborted || !isEmbedderFailure(error) || ports.embedder.profile === profile) throw error;
    notifyEmbedderFailure(context, error);
    return refresh();
  }
}

function createRefreshContext(context: SessionContext): RefreshContext {
  return {
    ...context.ports,
    onUnindexed: (paths) => expectFiles(context, paths),
    onSearchable: (files, isProvisional) => addSearchedFiles(context, files, isProvisional),
  };
}

/**
 * Loads the stored index into memory. True if the stored index is empty. A damaged index is only logged, because the
 * following refresh rebuilds it; the result is false then.
 */
async function loadStoredIndex(context: SessionContext, signal: AbortSignal): Promise<boolean> {
  try {
    const records = await readSearchableRecords(context);
    await loadImage(context, records);
    await syncIndex(context, records, signal);
    return records.length === 0;
  } catch (error) {
    if (!(error instanceof SelfwareError && error.reason === 'damaged')) throw error;
    context.ports.log.write('warn', 'The stored chunks cannot be read; they are built again.', error);
    return false;
  }
}

/** The stored records of files that can be searched: not of binary or unreadable files, for example. */
async function readSearchableRecords({ ports }: SessionContext): Promise<FileRecord[]> {
  return (await ports.catalogue.all()).filter(({ trouble }) => !UNSEARCHABLE_PROBLEMS.has(trouble));
}

/** The number of chunks of these files; files that no longer exist have none. */
function countChunks(records: ReadonlyMap<string, FileRecord>, paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (records.get(path)?.chunks.length ?? 0), 0);
}

/** Replaces the records and the imports of the session. */
async function setRecords(context: SessionContext, records: readonly FileRecord[]): Promise<void> {
  context.state.records = new Map(records.map((record) => [record.path, record]));
  await setImports(context, records);
}
