// Answers a question with places in the repository: lists by terms and by vectors, fused and weighed with what names and paths say.

import { throwIfCancelled } from '../../../util/typedError.ts';
import type { ChunkHit, ChunkStore, Embedder, FileRecord } from '../../indexPorts.ts';
import type { SearchHit } from '../../session.ts';
import { penaltiesOf, penaltyFactors } from './penalties.ts';
import { fileScores, nameIndexOf, type NameIndex } from './nameIndex.ts';
import { queryTerms, termsOf } from '../terms.ts';
import { COHERENT_CHUNKS, fileDecay, signalWeights, SMALLEST_LIKENESS, STORE_CANDIDATES as CANDIDATES, storeSymbolWeights as symbolWeights } from './weights.ts';

export interface SearchContext {
  readonly chunks: ChunkStore;
  readonly embedder: Embedder;
  readonly records: readonly FileRecord[];
}

type Signal = keyof typeof signalWeights;
type StoredChunk = FileRecord['chunks'][number];

interface Candidate {
  readonly chunk: StoredChunk;
  readonly record: FileRecord;
  readonly signals: Record<Signal, number>;
}

/** The best `top` places, best first. An empty question, or one without a word, finds nothing. */
export async function searchIndex({ chunks, embedder, records }: SearchContext, query: string, top: number, signal: AbortSignal): Promise<SearchHit[]> {
  const terms = queryTerms(query);
  if (terms.length === 0 || top <= 0 || records.length === 0) return [];
  const [vector] = await embedder.embed([query], signal);
  const { lexical, dense } = await chunks.search({ terms: terms.join(' '), vector: vector!, limit: Math.max(CANDIDATES, top) });
  throwIfCancelled(signal);

  const names = nameIndexOf(records);
  const named = namesIn(query);
  const isSymbol = named.length > 0 && named.length === query.trim().split(/\s+/).length;
  const candidates = gather(names, lexical, dense, named);
  measureNames([...candidates.values()], names, terms, named);
  const weights = isSymbol ? symbolWeights : signalWeights;
  const ranked = rank([...candidates.values()], penaltyFactors(terms), weights, isSymbol ? fileDecay.symbol : fileDecay.prose);
  return ranked.slice(0, top).map(({ candidate: { chunk }, score }) => ({ path: chunk.path, startLine: chunk.startLine, endLine: chunk.endLine, symbol: chunk.symbol, score, resolution: 'body' }));
}

/** Words of a question that are spelled like names in code: `parseUrl`, `read_file`, `Store.get`, `HTTPServer`. */
function namesIn(query: string): string[] {
  const words = query.match(/[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*/gu) ?? [];
  const single = words.length === 1;
  return words.filter((word) => single || /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}|[\p{L}\p{N}]_[\p{L}\p{N}]|[\p{L}\p{N}](\.|::|#|->)[\p{L}]/u.test(word));
}

/** Candidates of both lists and the definitions of names in the question. Chunks that no record names are leftovers. */
function gather(names: NameIndex, lexical: readonly ChunkHit[], dense: readonly ChunkHit[], named: readonly string[]): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  const add = (record: FileRecord | undefined, id: string): Candidate | null => {
    const known = candidates.get(id);
    if (known) return known;
    const chunk = record?.chunks.find((stored) => stored.id === id);
    if (!record || !chunk) return null;
    const candidate: Candidate = { record, chunk, signals: { lexical: 0, dense: 0, path: 0, definition: 0, coherence: 0, stem: 0, namedDefinition: 0 } };
    candidates.set(id, candidate);
    return candidate;
  };
  const take = (hits: readonly ChunkHit[], signal: 'lexical' | 'dense') => {
    for (const { id, path, score } of hits) {
      const candidate = add(names.byPath.get(path), id);
      if (candidate) candidate.signals[signal] = Math.max(0, score);
    }
  };
  take(lexical, 'lexical');
  take(dense.filter(({ id, score }) => candidates.has(id) || score >= SMALLEST_LIKENESS), 'dense');
  for (const name of named) {
    const path = name.toLowerCase().split(/\.|::|#|->/);
    for (const { record, symbol } of (names.definitions.get(path.at(-1)!) ?? []).slice(0, CANDIDATES)) {
      const chunk = record.chunks.find(({ startLine, endLine }) => startLine <= symbol.nameRange.startLine && endLine >= symbol.nameRange.startLine);
      const candidate = chunk && add(record, chunk.id);
      if (!candidate) continue;
      const exactCase = symbol.name === name.split(/\.|::|#|->/).at(-1);
      const wholePath = path.length === 1 || symbol.path.toLowerCase().endsWith(path.join('.'));
      candidate.signals.namedDefinition = Math.max(candidate.signals.namedDefinition, (exactCase ? 1 : 0.7) * (wholePath ? 1 : 0.5) * (symbol.exported ? 1 : 0.9));
    }
  }
  return candidates;
}

function measureNames(candidates: readonly Candidate[], names: NameIndex, terms: readonly string[], named: readonly string[]): void {
  const paths = fileScores(names.pathTerms, terms);
  const definitions = fileScores(names.definitionTerms, terms);
  const wanted = new Set([...terms, ...named.map((name) => name.toLowerCase())]);
  const perFile = new Map<string, number[]>();
  for (const { record, signals } of candidates) {
    const scores = perFile.get(record.path);
    if (scores) scores.push(signals.lexical);
    else perFile.set(record.path, [signals.lexical]);
  }
  const coherence = new Map([...perFile].map(([path, scores]) => [path, scores.sort((a, b) => b - a).slice(0, COHERENT_CHUNKS).reduce((sum, score) => sum + score, 0)]));
  for (const { record, chunk, signals } of candidates) {
    signals.path = paths.get(record.path) ?? 0;
    signals.coherence = coherence.get(record.path)!;
    const fileTerms = new Set(termsOf(record.path.slice(record.path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')));
    signals.stem = [...fileTerms].filter((term) => wanted.has(term)).length / Math.max(1, fileTerms.size);
    const defined = new Set(record.symbols.filter(({ nameRange }) => nameRange.startLine >= chunk.startLine && nameRange.startLine <= chunk.endLine).flatMap(({ name }) => termsOf(name)));
    const share = terms.filter((term) => defined.has(term)).length / terms.length;
    signals.definition = (definitions.get(record.path) ?? 0) * (0.3 + 0.7 * share);
  }
}

function rank(candidates: readonly Candidate[], penalty: (bits: number) => number, weights: Readonly<Record<Signal, number>>, decay: number): { candidate: Candidate; score: number }[] {
  const kinds = Object.keys(weights) as Signal[];
  const best = Object.fromEntries(kinds.map((kind) => [kind, Math.max(...candidates.map(({ signals }) => signals[kind]), Number.MIN_VALUE)])) as Record<Signal, number>;
  const scored = candidates.map((candidate) => {
    const sum = kinds.reduce((total, kind) => total + (weights[kind] * candidate.signals[kind]) / best[kind], 0);
    return { candidate, score: sum * penalty(penaltiesOf(candidate.record)) };
  });
  scored.sort(byScore);
  const seen = new Map<string, number>();
  for (const entry of scored) {
    const before = seen.get(entry.candidate.record.path) ?? 0;
    seen.set(entry.candidate.record.path, before + 1);
    entry.score *= decay ** before;
  }
  return scored.sort(byScore);
}

function byScore(a: { candidate: Candidate; score: number }, b: { candidate: Candidate; score: number }): number {
  return b.score - a.score || (a.candidate.chunk.path < b.candidate.chunk.path ? -1 : a.candidate.chunk.path > b.candidate.chunk.path ? 1 : a.candidate.chunk.startLine - b.candidate.chunk.startLine);
}
