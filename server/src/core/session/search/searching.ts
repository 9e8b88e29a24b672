// Synchronises the index in memory with the stored one, and queries it.

import { loadAllSearchedFiles, loadSearchedFiles } from '../../index/searchedFiles.ts';
import { findLabel } from './hitSymbol.ts';
import { computeHistorySignals } from '../../index/search/historySignals.ts';
import { searchIndex } from '../../index/search/search.ts';
import type { SearchedFile } from '../../index/search/searcher.ts';
import { findOwnVendorFolders } from '../../paths/ownFolder.ts';
import { describeError, SelfwareError, throwIfCancelled } from '../../../util/typedError.ts';
import { yieldNow } from '../../../util/yieldNow.ts';
import { notify, type SessionContext } from '../context.ts';
import type { SearchHit } from '../../index/search/hit.ts';
import type { FileRecord } from '../../ports/catalogue.ts';
import type { ScannedWindow } from '../../index/jobs.ts';
import { formatCount } from '../../../util/counted.ts';

/** Number of files that are put into the index in memory before waiting requests are served. */
const FILES_AT_ONCE = 100;
/** Maximum share of missing files that are loaded one by one. If more are missing, one scan of the store is cheaper. */
const SCAN_SHARE = 0.2;
/** Maximum number of commits that are read. Older ones show little about the current purpose of a file. */
const MAX_COMMITS = 10_000;
/** Stands for the content hash of a file that is indexed only by its lines. */
const PROVISIONAL_HASH = '';

/**
 * Lets searches read these files as plain text on disk, until `addSearchedFiles` or `syncIndex` puts them into the
 * index. Replaces the files of the last call.
 */
export function expectFiles({ state }: SessionContext, paths: readonly string[]): void {
  state.unseen.clear();
  for (const path of paths) state.unseen.add(path);
}

/**
 * Adds files that are being indexed to the index in memory. If they do not fit, the store is searched from then on.
 * Provisional entries are replaced later, at the latest by `syncIndex`.
 */
export function addSearchedFiles(
  context: SessionContext,
  files: readonly SearchedFile[],
  isProvisional: boolean,
): void {
  const { ports, state } = context;
  if (state.inStoreOnly) return;
  if (
    state.searcher.chunkCount + files.reduce((sum, { record }) => sum + record.chunks.length, 0) >
    context.chunksInMemory
  )
    return switchToStore(context);
  state.searcher.put(ports.embedder.source === 'model' ? files : files.map(removeVectors));
  for (const { record } of files) {
    state.searched.set(record.path, isProvisional ? PROVISIONAL_HASH : record.hash);
    state.unseen.delete(record.path);
  }
}

/** Switches to searching the store, by terms, vectors and names, if the repository has too many chunks for memory. */
function switchToStore(context: SessionContext): void {
  const { state, chunksInMemory } = context;
  state.inStoreOnly = true;
  state.searcher.remove([...state.searched.keys()]);
  state.searched.clear();
  notify(context, {
    severity: 'info',
    message: `This repository has more than ${formatCount(chunksInMemory, 'chunk')}: it is searched in the store, with fewer signals than smaller ones.`,
    action: 'Exclude what nobody searches for by .selfwareignore.',
  });
}

/**
 * Loads missing records into the index in memory and removes obsolete ones, so that it contains exactly these records.
 * If they do not fit into memory, the store is searched from then on.
 */
export async function syncIndex(
  context: SessionContext,
  records: readonly FileRecord[],
  signal: AbortSignal,
): Promise<void> {
  const { ports, state } = context;
  state.unseen.clear();
  if (state.inStoreOnly) return;
  const wantedPaths = new Set(records.map(({ path }) => path));
  const removedPaths = [...state.searched.keys()].filter((path) => !wantedPaths.has(path));
  state.searcher.remove(removedPaths);
  for (const path of removedPaths) state.searched.delete(path);
  const missingRecords = records.filter(({ path, hash }) => state.searched.get(path) !== hash);
  if (missingRecords.length === 0) return;
  const isMostMissing = missingRecords.length > records.length * SCAN_SHARE;
  // Checked before reading, because reading takes a minute and would be useless.
  if (isMostMissing && records.reduce((sum, { chunks }) => sum + chunks.length, 0) > context.chunksInMemory)
    return switchToStore(context);
  const files = isMostMissing
    ? await loadAllSearchedFiles(ports.chunks, missingRecords, signal)
    : await loadSearchedFiles(ports.chunks, missingRecords);
  for (let offset = 0; offset < files.length; offset += FILES_AT_ONCE) {
    addSearchedFiles(context, files.slice(offset, offset + FILES_AT_ONCE), false);
    await yieldNow();
    throwIfCancelled(signal);
  }
}

/** Reads the history again if HEAD has moved. */
export async function readHistory({ ports, state }: SessionContext, signal: AbortSignal): Promise<void> {
  const head = (await ports.git.state())?.head ?? null;
  if (state.commitsAt === head) return;
  state.commits = await ports.history.commits(MAX_COMMITS, signal);
  state.commitsAt = head;
}

/** Gives the index in memory the signals from imports and history, which affect the ranking of files. */
export function describeFiles({ state }: SessionContext): void {
  if (state.inStoreOnly) return;
  // The image of this tree already contains the vendor folders.
  const isDescribed = state.imageTree !== null && state.imageTree === state.treeHash;
  const vendorsOfRepository = isDescribed ? null : findOwnVendorFolders(state.imports);
  state.searcher.setSignals({ ownVendors: vendorsOfRepository, ...computeHistorySignals(state.commits) });
}

/**
 * The best places for a query, at most `top`, best first, each with the symbol that it is about. The index must have
 * been synchronised by `syncIndex` once before.
 */
export async function search(
  context: SessionContext,
  query: string,
  top: number,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const hits = await findPlaces(context, query, top, signal);
  return hits.map((hit) => {
    const record = context.state.records.get(hit.path);
    return record ? { ...hit, symbol: findLabel(hit, record.symbols, query) ?? hit.symbol } : hit;
  });
}

/**
 * Finds places: in the store if the repository is too large for memory; otherwise in memory and in the files that are
 * not indexed yet.
 */
async function findPlaces(
  context: SessionContext,
  query: string,
  top: number,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  if (context.state.inStoreOnly)
    return searchIndex({ ...context.ports, records: [...context.state.records.values()] }, query, top, signal);
  const vector = await findVector(context, query, signal);
  throwIfCancelled(signal);
  const hits = context.state.searcher.search({ text: query, vector, top });
  return context.state.unseen.size === 0 ? hits : addUnseenHits(context, hits, query, top, signal);
}

/**
 * Adds places in files that the index has not reached. The scores of both searches cannot be compared, so their best
 * results rank equally.
 */
async function addUnseenHits(
  { ports, state }: SessionContext,
  foundHits: readonly SearchHit[],
  query: string,
  top: number,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const unseen = new Set(state.unseen);
  const indexedHits = foundHits.filter(({ path }) => !unseen.has(path));
  let scannedWindows: readonly ScannedWindow[];
  try {
    scannedWindows = await ports.jobs.run(
      'scan',
      { rootDir: ports.files.rootDir, paths: [...unseen], query, top },
      signal,
    );
  } catch (error) {
    if (signal.aborted || !(error instanceof SelfwareError)) throw error;
    ports.log.write('warn', 'Files that are not indexed yet could not be searched.', error);
    return indexedHits;
  }
  const scale = (indexedHits[0]?.score ?? 1) / (scannedWindows[0]?.score ?? 1);
  const hits = scannedWindows.map(
    ({ score, ...window }): SearchHit => ({ ...window, symbol: null, score: score * scale, resolution: 'body' }),
  );
  return [...indexedHits, ...hits].sort((a, b) => b.score - a.score).slice(0, top);
}

/**
 * The vector of a query. Null for an empty query, and for the shipped embedder, whose vectors add nothing to the terms.
 * Also null if the model fails; then a notice is added, and the search continues without vectors.
 */
async function findVector(context: SessionContext, query: string, signal: AbortSignal): Promise<Float32Array | null> {
  const { ports } = context;
  if (ports.embedder.source === 'terms' || query.trim() === '') return null;
  try {
    return (await ports.embedder.embed([query], signal))[0] ?? null;
  } catch (error) {
    if (signal.aborted || !isEmbedderFailure(error)) throw error;
    notifyEmbedderFailure(context, error);
    return null;
  }
}

/** True if the embedding model cannot be reached or does not answer. */
export function isEmbedderFailure(error: unknown): boolean {
  return error instanceof SelfwareError && (error.reason === 'unavailable' || error.reason === 'timedOut');
}

/** Adds a notice that the embedding model failed. */
export function notifyEmbedderFailure(context: SessionContext, error: unknown): void {
  notify(context, {
    severity: 'warning',
    message: `The embedding model failed: ${describeError(error)} The shipped one is used until the next start.`,
    action: 'Fix the embedder and restart to use it again.',
  });
}

/** Removes vectors that are computed from the terms, because they add nothing to the ranking. */
function removeVectors({ chunks, ...file }: SearchedFile): SearchedFile {
  return { ...file, chunks: chunks.map((chunk) => ({ ...chunk, vector: null })) };
}
