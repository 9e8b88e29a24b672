// Indexes commits as documents: finds commits whose subjects are similar to a query, and scores the files that they
// touched.

import { extractTerms } from '../terms/terms.ts';
import { findNthLargest } from './nthLargest.ts';
import {
  createPostings,
  countOccurrences,
  packTerms,
  type Scores,
  computeQueryShare,
  addScore,
  clearScores,
} from './postings.ts';
import { createVocabulary } from './vocabulary.ts';
import { bm25, BUSY_FILE_POWER, MAX_FILES_OF_COMMIT, COUNTED_COMMITS } from './weights.ts';
import type { Commit } from '../../ports/git.ts';

/** An index of commits. */
export interface CommitIndex {
  /** Number of commits that can be found. */
  readonly count: number;
  /**
   * Scores files from 0 to 1 by the commits whose subjects have the terms. `fileOf` returns the number of a file by
   * its path, or -1 if the file is gone. `into` receives the scores by number of file. `scores`: a scratch array by
   * number of commit. Both must be all zero before; `scores` is all zero again afterwards.
   */
  score(terms: readonly string[], fileOf: (path: string) => number, scores: Scores, into: Scores): void;
}

/** A file that commits touched. */
interface TouchedFile {
  readonly path: string;
  /** Number of commits that touched it. */
  changes: number;
}

/** Number of the best commits that are examined: more than are counted, because the files of some may all be gone. */
const EXAMINED_COMMITS = 4 * COUNTED_COMMITS;

/** Indexes the commits, except those that touch more files than `MAX_FILES_OF_COMMIT`. */
export function createCommitIndex(commits: readonly Commit[]): CommitIndex {
  const smallCommits = commits.filter(({ paths }) => paths.length <= MAX_FILES_OF_COMMIT);
  const vocabulary = createVocabulary();
  const subjects = createPostings();
  const files = new Map<string, TouchedFile>();
  const touchedFiles = smallCommits.map(({ paths }) => paths.map((path) => countChange(files, path)));
  smallCommits.forEach(({ subject }, index) => {
    const terms = packTerms(extractTerms(subject).map((term) => vocabulary.number(term)));
    subjects.add(index, terms, countOccurrences(terms));
  });
  return {
    count: smallCommits.length,
    score(terms, fileOf, scores, into) {
      const { k1, b } = bm25.commits;
      for (const term of terms) subjects.score(vocabulary.find(term), 1, k1, b, scores);
      let countedCommits = 0;
      let bestScore = 0;
      const existingFiles: { readonly file: number; readonly changes: number }[] = [];
      for (const index of findBestDocuments(scores)) {
        existingFiles.length = 0;
        for (const { path, changes } of touchedFiles[index]!) {
          const file = fileOf(path);
          if (file >= 0) existingFiles.push({ file, changes });
        }
        if (existingFiles.length === 0) continue;
        bestScore = Math.max(bestScore, scores.values[index]!);
        for (const { file, changes } of existingFiles)
          addScore(into, file, scores.values[index]! / Math.sqrt(existingFiles.length) / changes ** BUSY_FILE_POWER);
        if (++countedCommits === COUNTED_COMMITS) break;
      }
      // The largest score becomes the share of the query that the best commit matches: weak matches count little.
      const frequencies = terms.map((term) => subjects.frequency(vocabulary.find(term)));
      scaleTo(into, computeQueryShare(bestScore, frequencies, smallCommits.length));
      clearScores(scores);
    },
  };
}

/** Adds 1 to the changes of the file at this path, and returns the file. */
function countChange(files: Map<string, TouchedFile>, path: string): TouchedFile {
  let file = files.get(path);
  if (!file) files.set(path, (file = { path, changes: 0 }));
  file.changes++;
  return file;
}

/** At most `EXAMINED_COMMITS` documents with the highest scores, best first; of equal ones, the newer first. */
function findBestDocuments({ values, touched, count }: Scores): number[] {
  const denseScores = new Float64Array(count);
  for (let index = 0; index < count; index++) denseScores[index] = values[touched[index]!]!;
  const leastScore = findNthLargest(denseScores, EXAMINED_COMMITS);
  const documents: number[] = [];
  for (let index = 0; index < count; index++) if (denseScores[index]! >= leastScore) documents.push(touched[index]!);
  return documents.sort((a, b) => values[b]! - values[a]! || a - b).slice(0, EXAMINED_COMMITS);
}

/** Scales all values so that the largest becomes the given one. */
function scaleTo({ values, touched, count }: Scores, largest: number): void {
  let largestValue = 0;
  for (let index = 0; index < count; index++) largestValue = Math.max(largestValue, values[touched[index]!]!);
  for (let index = 0; index < count; index++) values[touched[index]!]! *= largest / largestValue;
}
