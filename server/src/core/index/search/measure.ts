// Measures every signal of the chunks that might answer a question.

import type { Question } from './question.ts';
import { termsOf } from '../terms.ts';
import type { LearnedVectors } from './learned.ts';
import type { NearVectors } from './nearVectors.ts';
import type { Postings, Scores } from './postings.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { IndexedChunk, RankingIndex } from './rankingIndex.ts';
import { nthLargest } from './nthLargest.ts';
import { exactness, plainName } from './names.ts';
import { penaltyFactors } from './penalties.ts';
import { bm25, CANDIDATES, COHERENT_CHUNKS, LEADING, NEAREST, proseWeights, SIGNALS, SMALLEST_LIKENESS, termWeights, type Signal } from './weights.ts';

/** Chunks with their signals: row i of each is about chunks[i]. */
export interface Measured<C> {
  readonly chunks: readonly C[];
  readonly signals: Readonly<Record<Signal, Float64Array>>;
  /** Factor for what speaks against the file. */
  readonly penalties: Float64Array;
}

/** Reused from question to question. */
export interface Scratch {
  /** Arrays for so many documents, all zero. */
  scores(name: string, documents: number): Scores;
}

export function measure(index: RankingIndex, learned: LearnedVectors | null, question: Question, vector: Float32Array | null, scratch: Scratch): Measured<IndexedChunk> {
  const wanted = wantedTerms(question, index.vocabulary);
  const scored = (name: keyof typeof bm25, postings: Postings, documents: number): Scores => {
    const scores = scratch.scores(name, documents);
    const { k1, b } = bm25[name];
    for (const { number, kind } of wanted) postings.score(number, termWeights[kind][name], k1, b, scores);
    return scores;
  };
  const lexical = scored('lexical', index.lexical, index.chunks.length);
  const definition = scored('definition', index.definitions, index.chunks.length);
  const path = scored('path', index.paths, index.files.length);
  const subjects = scored('subjects', index.subjects, index.subjectFiles.length);
  const near: { readonly kind: Signal; readonly vectors: NearVectors; readonly question: Float32Array }[] = [];
  const learnedQuestion = learned?.text.ofQuestion(question.terms);
  if (learned && learnedQuestion) near.push({ kind: 'learned', vectors: learned.near, question: learnedQuestion });
  const shippedQuestion = index.shipped?.text.ofQuestion(question.terms);
  if (index.shipped && shippedQuestion) near.push({ kind: 'shipped', vectors: index.shipped.near, question: shippedQuestion });
  if (index.dense && vector && vector.length === index.dense.dimensions) near.push({ kind: 'dense', vectors: index.dense, question: vector });
  const named = namedScores(index, question);

  const penalty = penaltyFactors(question.terms);
  const slots = new Set<number>(best(index, lexical, path, subjects, penalty));
  // What was learned weighs candidates; a scan of its own would cost as much as all the rest and find next to nothing new.
  const finding = near.length > 1 ? near.filter(({ kind }) => kind !== 'learned') : near;
  for (const { vectors, question: asked } of finding) {
    for (const { slot, likeness } of vectors.nearest(asked, NEAREST)) if (likeness >= SMALLEST_LIKENESS) slots.add(slot);
  }
  for (const slot of named.keys()) slots.add(slot);
  for (const slot of leading(definition, index.chunks)) slots.add(slot);
  for (const file of leading(path, index.files)) for (const slot of index.files[file]!.chunkSlots) slots.add(slot);

  const chunks: IndexedChunk[] = [];
  const signals = Object.fromEntries(SIGNALS.map((signal) => [signal, new Float64Array(slots.size)])) as Record<Signal, Float64Array>;
  const wantedWords = new Set([...question.terms, ...question.beginnings, ...question.names.flatMap((name) => termsOf(name.join('.')))]);
  const perFile = new Map<number, number[]>();
  let row = 0;
  for (const slot of slots) {
    const chunk = index.chunks[slot]!;
    const { file } = chunk;
    chunks.push(chunk);
    signals.lexical[row] = lexical.values[slot]!;
    signals.definition[row] = definition.values[slot]!;
    signals.activity[row] = Math.log1p(file.activity);
    signals.path[row] = path.values[file.slot]!;
    signals.subjects[row] = subjects.values[file.subjectSlot]!;
    signals.inDegree[row] = Math.log1p(file.inDegree);
    signals.named[row] = named.get(slot) ?? 0;
    signals.stem[row] = file.stem.length === 0 ? 0 : file.stem.filter((term) => wantedWords.has(term)).length / file.stem.length;
    for (const { kind, vectors, question: asked } of near) signals[kind][row] = Math.max(0, vectors.likeness(slot, asked));
    const scores = perFile.get(file.slot);
    if (scores) scores.push(signals.lexical[row]!);
    else perFile.set(file.slot, [signals.lexical[row]!]);
    row++;
  }
  const coherence = new Map([...perFile].map(([file, scores]) => [file, scores.sort((a, b) => b - a).slice(0, COHERENT_CHUNKS).reduce((sum, score) => sum + score, 0)]));
  chunks.forEach(({ file }, at) => (signals.coherence[at] = coherence.get(file.slot)!));
  for (const scores of [lexical, definition, path, subjects]) clear(scores);
  return { chunks, signals, penalties: Float64Array.from(chunks, ({ file }) => penalty(file.penalties)) };
}

type Wanted = { readonly number: number; readonly kind: keyof typeof termWeights };

/** What is looked for, each term once, as the first kind it is of. */
function wantedTerms(question: Question, vocabulary: Vocabulary): readonly Wanted[] {
  const wanted = new Map<number, Wanted>();
  const add = (kind: Wanted['kind'], terms: readonly string[]): void => {
    for (const term of terms) {
      const number = vocabulary.find(term);
      if (number >= 0 && !wanted.has(number)) wanted.set(number, { number, kind });
    }
  };
  add('asked', question.terms);
  add('compound', question.compounds);
  add('beginning', question.beginnings);
  return [...wanted.values()];
}

/** Chunks with the best terms, all of those that are equally good. */
function best({ fileOf, files, subjectFiles }: RankingIndex, lexical: Scores, path: Scores, subjects: Scores, penalty: (bits: number) => number): number[] {
  let bestLexical = Number.MIN_VALUE;
  for (let at = 0; at < lexical.count; at++) {
    const slot = lexical.touched[at]!;
    if (fileOf[slot]! >= 0 && lexical.values[slot]! > bestLexical) bestLexical = lexical.values[slot]!;
  }
  const ofPath = proseWeights.signals.path / largest(path, files);
  const ofSubjects = proseWeights.signals.subjects / largest(subjects, subjectFiles);
  /** By file: what its chunks have in common, and the factor for all. */
  const shared = new Float64Array(files.length);
  const factors = new Float64Array(files.length);
  const rough = new Float64Array(lexical.count);
  for (let at = 0; at < lexical.count; at++) {
    const slot = lexical.touched[at]!;
    const fileSlot = fileOf[slot]!;
    if (fileSlot < 0) continue;
    if (factors[fileSlot] === 0) {
      const file = files[fileSlot]!;
      factors[fileSlot] = penalty(file.penalties);
      shared[fileSlot] = path.values[fileSlot]! * ofPath + subjects.values[file.subjectSlot]! * ofSubjects;
    }
    rough[at] = (lexical.values[slot]! / bestLexical + shared[fileSlot]!) * factors[fileSlot]!;
  }
  const least = nthLargest(rough, CANDIDATES);
  const slots: number[] = [];
  for (let at = 0; at < lexical.count; at++) if (rough[at]! > 0 && rough[at]! >= least) slots.push(lexical.touched[at]!);
  return slots;
}

/** Living documents with the best scores, all of those that are equally good. */
function leading({ values, touched, count }: Scores, documents: readonly unknown[]): number[] {
  const scores = new Float64Array(count);
  for (let at = 0; at < count; at++) if (documents[touched[at]!] !== null) scores[at] = values[touched[at]!]!;
  const least = nthLargest(scores, LEADING);
  const best: number[] = [];
  for (let at = 0; at < count; at++) if (scores[at]! > 0 && scores[at]! >= least) best.push(touched[at]!);
  return best;
}

/** The best score of a living document, or 1 when none has one. */
function largest({ values, touched, count }: Scores, documents: readonly unknown[]): number {
  let most = 0;
  for (let at = 0; at < count; at++) if (documents[touched[at]!] !== null) most = Math.max(most, values[touched[at]!]!);
  return most || 1;
}

/** Chunks that define what the question names, and how exactly. */
function namedScores(index: RankingIndex, question: Question): Map<number, number> {
  const scores = new Map<number, number>();
  for (const name of question.names) {
    const last = name.at(-1)!;
    index.names.each(index.vocabulary.find(plainName(last)), (slot) => {
      const chunk = index.chunks[slot];
      if (!chunk) return;
      const { startLine, endLine } = chunk.file.record.chunks[chunk.at]!;
      for (const symbol of chunk.file.record.symbols) {
        if (symbol.nameRange.startLine < startLine || symbol.nameRange.startLine > endLine || plainName(symbol.name) !== plainName(last)) continue;
        const exactly = exactness(symbol, name);
        scores.set(slot, Math.max(scores.get(slot) ?? 0, exactly));
      }
    });
  }
  return scores;
}

function clear(scores: Scores): void {
  for (let at = 0; at < scores.count; at++) scores.values[scores.touched[at]!] = 0;
  scores.count = 0;
}
