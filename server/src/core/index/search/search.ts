// Answers a query by searches in a chunk store, for repositories whose index is too large for memory.

import { throwIfCancelled } from '../../../util/typedError.ts';
import { extractTerms } from '../terms/terms.ts';
import { extractFileNameTerms } from './fileName.ts';
import { computePathShare, type MeasuredChunks } from './measure.ts';
import { scoreFiles, getNameIndex, type NameIndex } from './nameIndex.ts';
import { rateExactness, normaliseName } from './definitionNames.ts';
import { computePenalties, createPenaltyFactor, computeTypesFactor } from './penalties.ts';
import { parseQuery, type SearchQuery } from './searchQuery.ts';
import { rankChunks } from './rank.ts';
import {
  COHERENT_CHUNKS,
  proseWeights,
  SIGNALS,
  MIN_COSINE,
  STORED_CANDIDATES,
  symbolWeights,
  type Signal,
} from './weights.ts';
import type { SearchHit } from './hit.ts';
import type { FileRecord } from '../../ports/catalogue.ts';
import type { ChunkHit, ChunkStore, Embedder } from '../../ports/search.ts';

/** The stores and records that a search uses. */
export interface SearchContext {
  readonly chunks: ChunkStore;
  readonly embedder: Embedder;
  readonly records: readonly FileRecord[];
}

/** A candidate with its signals. */
interface ScoredChunk {
  readonly file: { readonly record: FileRecord };
  /** Index in `record.chunks`. */
  readonly position: number;
  readonly signals: Record<Signal, number>;
}

/** Answers a query: the best `top` chunks, best first. A query without a word finds nothing. */
export async function searchIndex(
  { chunks, embedder, records }: SearchContext,
  query: string,
  top: number,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const parsedQuery = parseQuery(query);
  if (parsedQuery.terms.length === 0 || top <= 0 || records.length === 0) return [];
  const [vector] = await embedder.embed([query], signal);
  const { lexical, dense } = await chunks.search({
    terms: parsedQuery.terms.join(' '),
    vector: vector!,
    limit: Math.max(STORED_CANDIDATES, top),
  });
  throwIfCancelled(signal);

  const names = getNameIndex(chunks, records);
  const candidates = gatherCandidates(names, lexical, dense, parsedQuery);
  measureFileSignals(candidates, names, parsedQuery);
  return rankChunks(
    measureCandidates(candidates, parsedQuery),
    parsedQuery.isSymbol ? symbolWeights : proseWeights,
    top,
  ).map(({ chunk: { file, position }, score }) => {
    const { path, startLine, endLine, symbol } = file.record.chunks[position]!;
    return { path, startLine, endLine, symbol, score, resolution: 'body' };
  });
}

/**
 * Gathers the hits of the search by terms (`lexical`) and by vectors (`dense`), and the chunks that define a name of
 * the query. Chunks to which no record refers are leftovers, which are ignored.
 */
function gatherCandidates(
  names: NameIndex,
  lexical: readonly ChunkHit[],
  dense: readonly ChunkHit[],
  query: SearchQuery,
): readonly ScoredChunk[] {
  const candidates = new Map<string, ScoredChunk>();
  const add = (record: FileRecord | undefined, id: string): ScoredChunk | null => {
    const existingCandidate = candidates.get(id);
    if (existingCandidate) return existingCandidate;
    const index = record ? record.chunks.findIndex((stored) => stored.id === id) : -1;
    if (!record || index < 0) return null;
    const candidate: ScoredChunk = {
      file: { record },
      position: index,
      signals: Object.fromEntries(SIGNALS.map((signal) => [signal, 0])) as Record<Signal, number>,
    };
    candidates.set(id, candidate);
    return candidate;
  };
  const addHits = (hits: readonly ChunkHit[], signal: 'lexical' | 'dense') => {
    for (const { id, path, score } of hits) {
      const candidate = add(names.byPath.get(path), id);
      if (candidate) candidate.signals[signal] = Math.max(0, score);
    }
  };
  addHits(lexical, 'lexical');
  addHits(
    dense.filter(({ id, score }) => candidates.has(id) || score >= MIN_COSINE),
    'dense',
  );
  for (const name of query.names) {
    for (const { record, symbol } of (names.definitions.get(normaliseName(name.at(-1)!)) ?? []).slice(
      0,
      STORED_CANDIDATES,
    )) {
      const chunk = record.chunks.find(
        ({ startLine, endLine }) => startLine <= symbol.nameRange.startLine && endLine >= symbol.nameRange.startLine,
      );
      const candidate = chunk && add(record, chunk.id);
      if (candidate) candidate.signals.named = Math.max(candidate.signals.named, rateExactness(symbol, name));
    }
  }
  return [...candidates.values()];
}

/** Sets the signals path, coherence and stem, which all chunks of a file share. */
function measureFileSignals(candidates: readonly ScoredChunk[], names: NameIndex, query: SearchQuery): void {
  const { terms, beginnings, names: queryNames } = query;
  const paths = scoreFiles(names.pathTerms, terms);
  const { counts, files } = names.pathTerms;
  const bestPath = [...paths.values()].reduce((best, score) => Math.max(best, score), 0) || 1;
  const frequencies = terms.map((term) => counts.get(term)?.size ?? 0);
  const pathFactor = computePathShare(query, bestPath, frequencies, files) / bestPath;
  const wantedTerms = new Set([
    ...terms,
    ...beginnings,
    ...queryNames.flatMap((fileNameTerms) => extractTerms(fileNameTerms.join('.'))),
  ]);
  const scoresByFile = new Map<string, number[]>();
  for (const { file, signals } of candidates) {
    const scores = scoresByFile.get(file.record.path);
    if (scores) scores.push(signals.lexical);
    else scoresByFile.set(file.record.path, [signals.lexical]);
  }
  const coherence = new Map(
    [...scoresByFile].map(([path, scores]) => [
      path,
      scores
        .sort((a, b) => b - a)
        .slice(0, COHERENT_CHUNKS)
        .reduce((sum, score) => sum + score, 0),
    ]),
  );
  for (const {
    file: { record },
    signals,
  } of candidates) {
    signals.path = (paths.get(record.path) ?? 0) * pathFactor;
    signals.coherence = coherence.get(record.path)!;
    const fileNameTerms = extractFileNameTerms(record.path);
    signals.stem = fileNameTerms.filter((term) => wantedTerms.has(term)).length / Math.max(1, fileNameTerms.length);
  }
}

/** The signals and penalties of the candidates, in the form that the ranking model expects. */
function measureCandidates(candidates: readonly ScoredChunk[], { terms }: SearchQuery): MeasuredChunks<ScoredChunk> {
  const factor = createPenaltyFactor(terms);
  return {
    chunks: candidates,
    signals: Object.fromEntries(
      SIGNALS.map((signal) => [signal, Float64Array.from(candidates, ({ signals }) => signals[signal])]),
    ) as Record<Signal, Float64Array>,
    penalties: Float64Array.from(
      candidates,
      ({ file }) => factor(computePenalties(file.record)) * computeTypesFactor(file.record),
    ),
  };
}
