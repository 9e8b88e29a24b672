// How well words find their code among the code of others, in repositories that were not learned from.

import { embedTerms } from '../../server/src/adapters/embeddings/staticEmbedder.ts';
import type { RawPair } from './dataset.ts';
import { randomOf, shuffle } from './random.ts';
import type { TermTable } from '../../server/src/core/ports/search.ts';

const CANDIDATES = 1_000;
const K1 = 2;
const B = 0.75;
/** Of the best score of BM25; as the vectors count in the product's ranking. */
const VECTOR_SHARE = 0.4;

export interface Found {
  /** Mean of 1 / rank, and the share of questions whose answer is among the first ten. */
  readonly mrr: number;
  readonly recallAt10: number;
}

export interface Comparison {
  readonly questions: number;
  readonly vectors: Found;
  readonly bm25: Found;
  readonly together: Found;
}

/** 1,000 pairs of a kind from any of the repositories; each must find its code among that of all. */
export function acrossRepositories(pairs: readonly RawPair[], kind: RawPair['k'], table: TermTable): Comparison {
  const pool = shuffle(
    pairs.filter(({ k }) => k === kind),
    randomOf(7),
  ).slice(0, CANDIDATES);
  return compare(
    pool.map(({ q }) => q.split(' ')),
    pool.map(({ c }) => c.split(' ')),
    pool.map((_, index) => index),
    table,
  );
}

/** The same within each repository; the mean over questions. */
export function withinRepositories(pairs: readonly RawPair[], kind: RawPair['k'], table: TermTable): Comparison {
  const byRepository = new Map<number, RawPair[]>();
  for (const pair of pairs) {
    if (pair.k !== kind) continue;
    const own = byRepository.get(pair.r);
    if (own) own.push(pair);
    else byRepository.set(pair.r, [pair]);
  }
  const parts = [...byRepository.values()]
    .filter((own) => own.length >= 50)
    .map((own) => acrossRepositories(own, kind, table));
  const questions = parts.reduce((sum, part) => sum + part.questions, 0);
  const mean = (of: (part: Comparison) => Found): Found => ({
    mrr: parts.reduce((sum, part) => sum + of(part).mrr * part.questions, 0) / questions,
    recallAt10: parts.reduce((sum, part) => sum + of(part).recallAt10 * part.questions, 0) / questions,
  });
  return {
    questions,
    vectors: mean((part) => part.vectors),
    bm25: mean((part) => part.bm25),
    together: mean((part) => part.together),
  };
}

/** `answers[i]` is the candidate that question i should find. */
export function compare(
  questions: readonly (readonly string[])[],
  candidates: readonly (readonly string[])[],
  answers: readonly number[],
  table: TermTable,
): Comparison {
  const vectors = candidates.map((terms) => embedTerms(table, terms));
  const lexical = bm25Of(candidates);
  const ranks = questions.map((terms, question) => {
    const wanted = embedTerms(table, [...new Set(terms)]);
    const likeness = vectors.map((vector) => dot(vector, wanted));
    const score = lexical(terms);
    const best = Math.max(...score) || 1;
    const answer = answers[question]!;
    return [
      rankIn(likeness, answer),
      rankIn(score, answer),
      rankIn(
        score.map((value, index) => value / best + VECTOR_SHARE * likeness[index]!),
        answer,
      ),
    ] as const;
  });
  const found = (column: 0 | 1 | 2): Found => ({
    mrr: ranks.reduce((sum, rank) => sum + 1 / rank[column], 0) / ranks.length,
    recallAt10: ranks.filter((rank) => rank[column] <= 10).length / ranks.length,
  });
  return { questions: ranks.length, vectors: found(0), bm25: found(1), together: found(2) };
}

/** Equal scores share the middle of their places, so that a method which scores all alike gains nothing. */
function rankIn(scores: readonly number[], answer: number): number {
  const own = scores[answer]!;
  let above = 0;
  let equal = 0;
  for (const score of scores) {
    if (score > own) above++;
    else if (score === own) equal++;
  }
  return above + (equal + 1) / 2;
}

function bm25Of(documents: readonly (readonly string[])[]): (question: readonly string[]) => number[] {
  const postings = new Map<string, [document: number, count: number][]>();
  documents.forEach((terms, document) => {
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const list = postings.get(term);
      if (list) list.push([document, count]);
      else postings.set(term, [[document, count]]);
    }
  });
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  return (question) => {
    const scores = documents.map(() => 0);
    for (const term of new Set(question)) {
      const list = postings.get(term) ?? [];
      const idf = Math.log(1 + (documents.length - list.length + 0.5) / (list.length + 0.5));
      for (const [document, count] of list)
        scores[document]! +=
          (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * documents[document]!.length) / mean));
    }
    return scores;
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}
