// Commits as documents: finds changes that are similar to the question, and the files that they touched.
import { termsOf } from '../terms/terms.ts';
import { nthLargest } from './nthLargest.ts';
import { createPostings, lengthOf, packTerms, type Scores } from './postings.ts';
import { createVocabulary } from './vocabulary.ts';
import { bm25, BUSY, MOST_FILES, TELLING } from './weights.ts';
import type { Commit } from '../../ports/git.ts';

export interface CommitIndex {
  /** Number of commits that can be found. */
  readonly count: number;
  /**
   * What commits whose subjects have the terms say of files, 0–1. `fileOf` gives the number of a file by its path, or
   * -1 when it is gone;
   * `scores` (for commits) and `into` (by number of file) are all zero; `scores` is left so.
   */
  score(terms: readonly string[], fileOf: (path: string) => number, scores: Scores, into: Scores): void;
}

interface Touched {
  readonly path: string;
  /** Number of commits that touched it. */
  changes: number;
}

/** As many of the commits that fit best are looked at: those whose files are all gone say nothing. */
const LOOKED_AT = 4 * TELLING;

export function createCommitIndex(commits: readonly Commit[]): CommitIndex {
  const small = commits.filter(({ paths }) => paths.length <= MOST_FILES);
  const vocabulary = createVocabulary();
  const subjects = createPostings();
  const files = new Map<string, Touched>();
  const touched = small.map(({ paths }) => paths.map((path) => countedIn(files, path)));
  small.forEach(({ subject }, at) => {
    const terms = packTerms(termsOf(subject).map((term) => vocabulary.number(term)));
    subjects.add(at, terms, lengthOf(terms));
  });
  return {
    count: small.length,
    score(terms, fileOf, scores, into) {
      const { k1, b } = bm25.commits;
      for (const term of terms) subjects.score(vocabulary.find(term), 1, k1, b, scores);
      let told = 0;
      let fit = 0;
      const living: { readonly file: number; readonly changes: number }[] = [];
      for (const at of best(scores)) {
        living.length = 0;
        for (const { path, changes } of touched[at]!) {
          const file = fileOf(path);
          if (file >= 0) living.push({ file, changes });
        }
        if (living.length === 0) continue;
        fit = Math.max(fit, scores.values[at]!);
        for (const { file, changes } of living)
          add(into, file, scores.values[at]! / Math.sqrt(living.length) / changes ** BUSY);
        if (++told === TELLING) break;
      }
      // When the best of them has little of the question, all of them together say little.
      const whole = terms.reduce(
        (sum, term) => sum + rarity(subjects.frequency(vocabulary.find(term)), small.length),
        0,
      );
      scale(into, Math.min(1, fit / whole));
      clear(scores);
    },
  };
}

function countedIn(files: Map<string, Touched>, path: string): Touched {
  let file = files.get(path);
  if (!file) files.set(path, (file = { path, changes: 0 }));
  file.changes++;
  return file;
}

/** Best first, of equal ones the newer. */
function best({ values, touched, count }: Scores): number[] {
  const some = new Float64Array(count);
  for (let at = 0; at < count; at++) some[at] = values[touched[at]!]!;
  const least = nthLargest(some, LOOKED_AT);
  const found: number[] = [];
  for (let at = 0; at < count; at++) if (some[at]! >= least) found.push(touched[at]!);
  return found.sort((a, b) => values[b]! - values[a]! || a - b).slice(0, LOOKED_AT);
}

/** What BM25 gives a subject of common length for having a term once. */
function rarity(frequency: number, count: number): number {
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}

function add(scores: Scores, at: number, value: number): void {
  if (scores.values[at] === 0) scores.touched[scores.count++] = at;
  scores.values[at]! += value;
}

/** Makes the largest the given value. */
function scale({ values, touched, count }: Scores, largest: number): void {
  let most = 0;
  for (let at = 0; at < count; at++) most = Math.max(most, values[touched[at]!]!);
  for (let at = 0; at < count; at++) values[touched[at]!]! *= largest / most;
}

function clear(scores: Scores): void {
  for (let at = 0; at < scores.count; at++) scores.values[scores.touched[at]!] = 0;
  scores.count = 0;
}
