// Selects candidate chunks for a query and computes every signal by which they are ranked.

import type { SearchQuery } from './searchQuery.ts';
import { extractTerms } from '../terms/terms.ts';
import type { NearVectors } from './nearVectors.ts';
import { computeRarity, computeQueryShare, type Postings, type Scores, addScore, clearScores } from './postings.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { IndexedChunk, IndexedFile, RankingIndex } from './rankingIndex.ts';
import { findNthLargest } from './nthLargest.ts';
import { rateExactness, normaliseName } from './definitionNames.ts';
import { createPenaltyFactor } from './penalties.ts';
import {
  bm25,
  CANDIDATE_COUNT,
  FULL_PATH_SHARE,
  LEADING_FILES,
  NEAREST_COUNT,
  proseWeights,
  SIGNALS,
  MIN_COSINE,
  termWeights,
  type Signal,
} from './weights.ts';

/** Chunks with their signals: row i of every array belongs to chunks[i]. */
export interface MeasuredChunks<C> {
  readonly chunks: readonly C[];
  readonly signals: Readonly<Record<Signal, Float64Array>>;
  /** Factor for each chunk, below 1 if its file is penalised. */
  readonly penalties: Float64Array;
}

/** Arrays that are reused from query to query. */
export interface Scratch {
  /**
   * The scores with this name, for at least this many documents. They are all zero if their last user has cleared them.
   */
  scores(name: string, documents: number): Scores;
  /** An array of this length with arbitrary values. Valid until the next call. */
  numbers(count: number): Float64Array;
}

/** Finds the candidate chunks for a query and measures all signals of them. */
export function measureChunks(
  index: RankingIndex,
  query: SearchQuery,
  vector: Float32Array | null,
  scratch: Scratch,
): MeasuredChunks<IndexedChunk> {
  const wantedTerms = selectQueryTerms(query, index.vocabulary);
  const computeTermScores = (
    name: keyof (typeof termWeights)['exact'],
    postings: Postings,
    documents: number,
  ): Scores => {
    const scores = scratch.scores(name, documents);
    const { k1, b } = bm25[name];
    for (const { number, kind } of wantedTerms) postings.score(number, termWeights[kind][name], k1, b, scores);
    return scores;
  };
  const lexical = computeTermScores('lexical', index.lexical.postings, index.chunks.length);
  const path = computeTermScores('path', index.paths.postings, index.files.length);
  const bestPath = findLargestScore(path, index.files);
  const frequencies = query.terms.map((term) => index.paths.postings.frequency(index.vocabulary.find(term)));
  scaleScores(path, computePathShare(query, bestPath, frequencies, index.byPath.size) / bestPath);
  const fileTerms = scoreFilesByTerms(index, wantedTerms, scratch);
  const commits = scratch.scores('files', index.files.length);
  index.commits.score(
    query.terms,
    (position) => index.byPath.get(position)?.slot ?? -1,
    scratch.scores('commits', index.commits.count),
    commits,
  );
  const nearSearches: { readonly kind: Signal; readonly vectors: NearVectors; readonly queryVector: Float32Array }[] =
    [];
  const shippedQuery = index.shipped?.text.ofQuery(query.terms);
  if (index.shipped && shippedQuery)
    nearSearches.push({ kind: 'shipped', vectors: index.shipped.nearVectors, queryVector: shippedQuery });
  if (index.dense && vector && vector.length === index.dense.dimensions)
    nearSearches.push({ kind: 'dense', vectors: index.dense, queryVector: vector });
  const nameScores = scoreNamedChunks(index, query);

  const penalty = createPenaltyFactor(query.terms);
  const slotSet = new Set<number>(findCandidateSlots(index, lexical, path, commits, penalty, scratch));
  for (const { vectors, queryVector } of nearSearches)
    for (const slot of vectors.nearest(queryVector, NEAREST_COUNT, MIN_COSINE)) slotSet.add(slot);
  for (const slot of nameScores.keys()) slotSet.add(slot);
  for (const file of findBestDocuments(path, index.files)) addChunks(index.files[file]!, slotSet);

  // Sorted by slot, the chunks of a file follow one another.
  const slots = Uint32Array.from(slotSet).sort();
  const chunks: IndexedChunk[] = [];
  for (const slot of slots) chunks.push(index.chunks[slot]!);
  const signals = Object.fromEntries(SIGNALS.map((signal) => [signal, new Float64Array(slots.length)])) as Record<
    Signal,
    Float64Array
  >;
  const penalties = new Float64Array(slots.length);
  for (const { kind, vectors, queryVector } of nearSearches) signals[kind] = vectors.similarities(queryVector, slots);
  slots.forEach((slot, row) => {
    signals.lexical[row] = lexical.values[slot]!;
    signals.named[row] = nameScores.get(slot) ?? 0;
  });
  const wantedWords = new Set([
    ...query.terms,
    ...query.beginnings,
    ...query.names.flatMap((name) => extractTerms(name.join('.'))),
  ]);
  for (let from = 0, to = 0; from < chunks.length; from = to) {
    const { file } = chunks[from]!;
    while (to < chunks.length && chunks[to]!.file === file) to++;
    const { nameTerms } = file;
    const stem =
      nameTerms.length === 0 ? 0 : nameTerms.filter((term) => wantedWords.has(term)).length / nameTerms.length;
    const activity = Math.log1p(file.activity);
    const factor = penalty(file.penalties) * file.typesFactor;
    for (let row = from; row < to; row++) {
      signals.coherence[row] = fileTerms.values[file.slot]!;
      signals.path[row] = path.values[file.slot]!;
      signals.stem[row] = stem;
      signals.commits[row] = commits.values[file.slot]!;
      signals.activity[row] = activity;
      penalties[row] = factor;
    }
  }
  for (const scores of [lexical, path, fileTerms, commits]) clearScores(scores);
  return { chunks, signals, penalties };
}

/** A term of the query. `number`: its number in the vocabulary. `kind`: its role in the query. */
type WantedTerm = { readonly number: number; readonly kind: keyof typeof termWeights };

/** The terms of the query in the vocabulary, each once. A term of several kinds gets the first kind that has it. */
function selectQueryTerms(query: SearchQuery, vocabulary: Vocabulary): readonly WantedTerm[] {
  const termsByNumber = new Map<number, WantedTerm>();
  const add = (kind: WantedTerm['kind'], terms: readonly string[]): void => {
    for (const term of terms) {
      const number = vocabulary.find(term);
      if (number >= 0 && !termsByNumber.has(number)) termsByNumber.set(number, { number, kind });
    }
  };
  add('exact', query.terms);
  add('compound', query.compounds);
  add('beginning', query.beginnings);
  return [...termsByNumber.values()];
}

/** Slots of the chunks with the best term scores; ties are all included. */
function findCandidateSlots(
  { fileOf, penaltiesOf, files }: RankingIndex,
  lexical: Scores,
  path: Scores,
  commits: Scores,
  penalty: (bits: number) => number,
  scratch: Scratch,
): number[] {
  let bestLexical = Number.MIN_VALUE;
  for (let index = 0; index < lexical.count; index++) {
    const slot = lexical.touched[index]!;
    if (lexical.values[slot]! > bestLexical && fileOf[slot]! >= 0) bestLexical = lexical.values[slot]!;
  }
  // By slot of a file: the part of the score that all chunks of the file share.
  const sharedScores = scratch.scores('shared', files.length);
  for (let index = 0; index < path.count; index++)
    sharedScores.values[path.touched[index]!] = path.values[path.touched[index]!]! * proseWeights.signals.path;
  for (let index = 0; index < commits.count; index++)
    sharedScores.values[commits.touched[index]!]! +=
      commits.values[commits.touched[index]!]! * proseWeights.signals.commits;
  const roughScores = scratch.numbers(lexical.count);
  for (let index = 0, file = -1, factor = 0; index < lexical.count; index++) {
    const slot = lexical.touched[index]!;
    if (fileOf[slot]! !== file) {
      file = fileOf[slot]!;
      factor = file < 0 ? 0 : penalty(penaltiesOf[file]!);
    }
    roughScores[index] = factor === 0 ? 0 : (lexical.values[slot]! / bestLexical + sharedScores.values[file]!) * factor;
  }
  sharedScores.values.fill(0, 0, files.length);
  const leastScore = findNthLargest(roughScores, CANDIDATE_COUNT);
  const slots: number[] = [];
  for (let index = 0; index < lexical.count; index++)
    if (roughScores[index]! > 0 && roughScores[index]! >= leastScore) slots.push(lexical.touched[index]!);
  return slots;
}

function addChunks({ firstChunk, chunkCount }: IndexedFile, to: Set<number>): void {
  for (let index = 0; index < chunkCount; index++) to.add(firstChunk + index);
}

/**
 * The value of the best path for a query: how much of the query it matches. In a query that is a name, every part of a
 * path that matches is meant, so its value is 1. `frequencies`: for each term of the query, the number of paths with
 * it.
 */
export function computePathShare(
  { isSymbol }: SearchQuery,
  bestScore: number,
  frequencies: readonly number[],
  files: number,
): number {
  return isSymbol ? 1 : Math.min(1, computeQueryShare(bestScore, frequencies, files) / FULL_PATH_SHARE);
}

/** The BM25 score of each whole file for the terms, computed from its chunks. By slot of the file. */
function scoreFilesByTerms(
  { lexical: { postings }, files, byPath, fileOf }: RankingIndex,
  terms: readonly WantedTerm[],
  scratch: Scratch,
): Scores {
  const { k1, b } = bm25.file;
  const scores = scratch.scores('fileTerms', files.length);
  const counts = scratch.scores('countsOfFiles', files.length);
  const perLength = (k1 * b * byPath.size) / Math.max(1, postings.totalLength());
  for (const { number, kind } of terms) {
    const weight = termWeights[kind].lexical;
    if (weight === 0) continue;
    postings.forEachDocument(number, (slot, count) => {
      if (fileOf[slot]! >= 0) addScore(counts, fileOf[slot]!, count);
    });
    const rarity = weight * computeRarity(counts.count, byPath.size) * (k1 + 1);
    for (let index = 0; index < counts.count; index++) {
      const slot = counts.touched[index]!;
      const count = counts.values[slot]!;
      addScore(scores, slot, (rarity * count) / (count + k1 * (1 - b) + perLength * files[slot]!.termCount));
    }
    clearScores(counts);
  }
  return scores;
}

function scaleScores({ values, touched, count }: Scores, factor: number): void {
  for (let index = 0; index < count; index++) values[touched[index]!]! *= factor;
}

/** The `LEADING_FILES` documents with the best scores, without removed ones; ties are all included. */
function findBestDocuments({ values, touched, count }: Scores, documents: readonly unknown[]): number[] {
  const scores = new Float64Array(count);
  for (let index = 0; index < count; index++)
    if (documents[touched[index]!] !== null) scores[index] = values[touched[index]!]!;
  const leastScore = findNthLargest(scores, LEADING_FILES);
  const bestDocuments: number[] = [];
  for (let index = 0; index < count; index++)
    if (scores[index]! > 0 && scores[index]! >= leastScore) bestDocuments.push(touched[index]!);
  return bestDocuments;
}

/** The best score of a document that is not removed; 1 if none has a score. */
function findLargestScore({ values, touched, count }: Scores, documents: readonly unknown[]): number {
  let largestScore = 0;
  for (let index = 0; index < count; index++)
    if (documents[touched[index]!] !== null) largestScore = Math.max(largestScore, values[touched[index]!]!);
  return largestScore || 1;
}

/** By slot: how exactly a chunk defines a name of the query (0–1). Chunks that define none are absent. */
function scoreNamedChunks(index: RankingIndex, query: SearchQuery): Map<number, number> {
  const scores = new Map<number, number>();
  for (const name of query.names) {
    const lastPart = name.at(-1)!;
    index.names.postings.forEachDocument(index.vocabulary.find(normaliseName(lastPart)), (slot) => {
      const chunk = index.chunks[slot];
      if (!chunk) return;
      const { startLine, endLine } = chunk.file.record.chunks[chunk.position]!;
      for (const symbol of chunk.file.record.symbols) {
        if (
          symbol.nameRange.startLine < startLine ||
          symbol.nameRange.startLine > endLine ||
          normaliseName(symbol.name) !== normaliseName(lastPart)
        )
          continue;
        const matchScore = rateExactness(symbol, name);
        scores.set(slot, Math.max(scores.get(slot) ?? 0, matchScore));
      }
    });
  }
  return scores;
}
