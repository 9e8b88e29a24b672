// Pairs as numbers: the vocabulary, and for each pair the terms of its words and of its code with their weights.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PairKind } from './pair.ts';

/** Longer code is cut: what comes late says little about what it is for. */
const MAX_CODE_TERMS = 200;
const MAX_WORDS = 40;

export interface Vocabulary {
  readonly terms: readonly string[];
  readonly numberOf: ReadonlyMap<string, number>;
  /** ln(pairs / pairs with the term). */
  readonly idf: Float32Array;
}

/** Lists of different lengths, end to end: list i lies in [starts[i], starts[i + 1]). */
export interface Bags {
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
}

export interface Dataset {
  readonly size: number;
  readonly words: Bags;
  readonly code: Bags;
  readonly repository: Uint16Array;
  readonly kinds: readonly PairKind[];
  readonly repositories: readonly string[];
}

export interface RawPair {
  readonly k: PairKind;
  readonly q: string;
  readonly c: string;
  readonly r: number;
}

export function repositoriesIn(dir: string): string[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -6))
    .sort();
}

export function readPairs(dir: string, repositories: readonly string[]): RawPair[] {
  return repositories.flatMap((name, r) =>
    readFileSync(join(dir, `${name}.jsonl`), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ ...(JSON.parse(line) as Omit<RawPair, 'r'>), r })),
  );
}

/**
 * The `size` terms that the most repositories share, the more frequent ones first; a term of few repositories teaches
 * nothing about others.
 */
export function vocabularyOf(pairs: readonly RawPair[], size: number, minRepositories: number): Vocabulary {
  const counts = new Map<string, { pairs: number; repositories: number; last: number; inWords: number }>();
  const count = (term: string, r: number, inWords: boolean): void => {
    const entry = counts.get(term);
    if (!entry) counts.set(term, { pairs: 1, repositories: 1, last: r, inWords: inWords ? 1 : 0 });
    else {
      entry.pairs++;
      if (inWords) entry.inWords++;
      if (entry.last !== r) {
        entry.repositories++;
        entry.last = r;
      }
    }
  };
  for (const { q, c, r } of pairs) {
    for (const term of new Set(c.split(' '))) count(term, r, false);
    for (const term of q.split(' ')) count(term, r, true);
  }
  const rank = ({
    pairs: total,
    repositories,
    inWords,
  }: {
    pairs: number;
    repositories: number;
    inWords: number;
  }): number => repositories * Math.sqrt(total + 4 * inWords);
  const chosen = [...counts]
    .filter(
      ([term, entry]) => entry.repositories >= minRepositories && /[a-z\u0080-\uffff]/.test(term) && term.length <= 40,
    )
    .sort(([a, left], [b, right]) => rank(right) - rank(left) || (a < b ? -1 : 1))
    .slice(0, size);
  const idf = Float32Array.from(chosen, ([, entry]) => Math.log((2 * pairs.length) / entry.pairs));
  return { terms: chosen.map(([term]) => term), numberOf: new Map(chosen.map(([term], index) => [term, index])), idf };
}

/**
 * In a share of the comments half of the words also stand in the code, as in an index, where comments are part of what
 * is found.
 */
export function echoed(pairs: readonly RawPair[], share: number, random: () => number): readonly RawPair[] {
  if (share === 0) return pairs;
  return pairs.map((pair) =>
    pair.k === 'doc' && random() < share
      ? {
          ...pair,
          c: `${pair.c} ${pair.q
            .split(' ')
            .filter(() => random() < 0.5)
            .join(' ')}`,
        }
      : pair,
  );
}

/** Pairs of which either side is empty in this vocabulary are left out. */
export function datasetOf(
  pairs: readonly RawPair[],
  repositories: readonly string[],
  { numberOf }: Vocabulary,
): Dataset {
  const words = growingBags();
  const code = growingBags();
  const repository: number[] = [];
  const kinds: PairKind[] = [];
  for (const { k, q, c, r } of pairs) {
    const wordBag = bagOf(q, numberOf, MAX_WORDS, false);
    const codeBag = bagOf(c, numberOf, MAX_CODE_TERMS, true);
    if (wordBag.size < 2 || codeBag.size < 4) continue;
    words.add(wordBag);
    code.add(codeBag);
    repository.push(r);
    kinds.push(k);
  }
  return {
    size: kinds.length,
    words: words.done(),
    code: code.done(),
    repository: Uint16Array.from(repository),
    kinds,
    repositories,
  };
}

/** As the product weighs them: 1 + ln(count) in code, 1 in a question. */
function bagOf(
  text: string,
  numberOf: ReadonlyMap<string, number>,
  limit: number,
  counted: boolean,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const term of text.split(' ')) {
    const number = numberOf.get(term);
    if (number === undefined) continue;
    const known = counts.get(number);
    if (known !== undefined) counts.set(number, known + 1);
    else if (counts.size < limit) counts.set(number, 1);
  }
  for (const [number, count] of counts) counts.set(number, counted ? 1 + Math.log(count) : 1);
  return counts;
}

function growingBags(): { add(bag: ReadonlyMap<number, number>): void; done(): Bags } {
  const starts = [0];
  let terms = new Uint32Array(1 << 20);
  let weights = new Float32Array(1 << 20);
  let length = 0;
  return {
    add(bag) {
      if (length + bag.size > terms.length) {
        const [oldTerms, oldWeights] = [terms, weights];
        terms = new Uint32Array(terms.length * 2);
        terms.set(oldTerms);
        weights = new Float32Array(weights.length * 2);
        weights.set(oldWeights);
      }
      for (const [term, weight] of bag) {
        terms[length] = term;
        weights[length++] = weight;
      }
      starts.push(length);
    },
    done: () => ({
      starts: Uint32Array.from(starts),
      terms: terms.slice(0, length),
      weights: weights.slice(0, length),
    }),
  };
}
