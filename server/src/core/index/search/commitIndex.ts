// Commits as documents: what was changed for something like the question, and which files that touched.

import type { Commit } from '../../indexPorts.ts';
import { termsOf } from '../terms.ts';
import { nthLargest } from './nthLargest.ts';
import { createPostings, lengthOf, packTerms, type Scores } from './postings.ts';
import { createVocabulary } from './vocabulary.ts';
import { bm25, BUSY, MOST_FILES, TELLING } from './weights.ts';

export interface CommitIndex {
  /** Number of commits that can be found. */
  readonly count: number;
  /** For each file that commits with the terms in their subjects touched, how much they speak for it; a path may come several times. `scores`: all zero, and left so. */
  each(terms: readonly string[], scores: Scores, visit: (path: string, worth: number) => void): void;
}

export function createCommitIndex(commits: readonly Commit[]): CommitIndex {
  const telling = commits.filter(({ paths }) => paths.length <= MOST_FILES);
  const vocabulary = createVocabulary();
  const subjects = createPostings();
  const changes = new Map<string, number>();
  telling.forEach(({ subject, paths }, at) => {
    const terms = packTerms(termsOf(subject).map((term) => vocabulary.number(term)));
    subjects.add(at, terms, lengthOf(terms));
    for (const path of paths) changes.set(path, (changes.get(path) ?? 0) + 1);
  });
  return {
    count: telling.length,
    each(terms, scores, visit) {
      const { k1, b } = bm25.commits;
      for (const term of terms) subjects.score(vocabulary.find(term), 1, k1, b, scores);
      const found = best(scores);
      const most = found.length > 0 ? scores.values[found[0]!]! : 0;
      for (const at of found) {
        const { paths } = telling[at]!;
        for (const path of paths) visit(path, scores.values[at]! / most / Math.sqrt(paths.length) / changes.get(path)! ** BUSY);
      }
      for (let at = 0; at < scores.count; at++) scores.values[scores.touched[at]!] = 0;
      scores.count = 0;
    },
  };
}

/** Best first, of equal ones the newer. */
function best({ values, touched, count }: Scores): number[] {
  const some = new Float64Array(count);
  for (let at = 0; at < count; at++) some[at] = values[touched[at]!]!;
  const least = nthLargest(some, TELLING);
  const found: number[] = [];
  for (let at = 0; at < count; at++) if (some[at]! >= least) found.push(touched[at]!);
  return found.sort((a, b) => values[b]! - values[a]! || a - b).slice(0, TELLING);
}
