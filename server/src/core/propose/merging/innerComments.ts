// Reads the comments of statements, so that copies can be compared with them, and decides whether a comment of one copy
// is also true of the other.

import type { ts } from 'ts-morph';
import { findCommentsAbove, isDirectiveComment, listComments } from '../syntax/comments.ts';
import { splitIntoWords } from '../syntax/prose.ts';
import { findMissingComments } from './copyContext.ts';

/**
 * The refusal if only the second copy has a comment. The first copy cannot replace it, but the second may replace the
 * first.
 */
export const LOSES_COMMENT = 'A comment in one of the places is missing in the other.';

/**
 * Matches comments that belong to their place: directives for tools, marks of unfinished work, and words that refer to
 * the place of the comment or compare it with another one.
 */
const PLACE_PATTERN =
  /@|\b(?:eslint|biome|oxlint|tslint|jshint|prettier|istanbul|c8|v8|noinspection|ignore|region|todo|fixme|hack|xxx|here|above|below|before|later|unlike|only|instead|same|copy|copied|duplicate\w?)\b/i;

/** Collects the texts of the comments above a statement and inside it, with single spaces. */
export function collectCommentsAround(sourceFile: ts.SourceFile, statement: ts.Statement): string[] {
  const start = findCommentsAbove(sourceFile, statement)[0]?.start ?? statement.getStart(sourceFile);
  return listComments(sourceFile)
    .filter((comment) => comment.start >= start && comment.end <= statement.end)
    .map((comment) => comment.text.replaceAll(/\s+/g, ' '));
}

/**
 * The reason why `firstRun` cannot replace both copies because of their comments; null if it can. It can if it has all
 * comments of `secondRun` and its other comments are true of both. `differingPairs`: pairs of names and values in which
 * the copies may differ.
 */
export function explainCommentDifference(
  sourceFile: ts.SourceFile,
  firstRun: readonly ts.Statement[],
  secondRun: readonly ts.Statement[],
  differingPairs: readonly (readonly [string, string])[],
): string | null {
  if (findMissingComments(sourceFile, firstRun, secondRun).length > 0) return LOSES_COMMENT;
  const isTrueOfBoth = (comment: string) => isTrueOfBothCopies(comment, differingPairs);
  return findMissingComments(sourceFile, secondRun, firstRun).every(isTrueOfBoth)
    ? null
    : 'A comment in one of the places may not be true of the other.';
}

/**
 * True if a comment that only one of two copies has is true of both: it does not belong to its place, and contains no
 * word in which the copies differ.
 */
function isTrueOfBothCopies(comment: string, differingPairs: readonly (readonly [string, string])[]): boolean {
  const parsedComment = { text: comment, isLine: comment.startsWith('//'), start: 0, end: comment.length };
  if (PLACE_PATTERN.test(comment) || isDirectiveComment(parsedComment)) return false;
  const differingWords = new Set(
    differingPairs.flatMap(([first, second]) => {
      const [firstWords, secondWords] = [splitIntoWords(first), splitIntoWords(second)];
      return [
        ...firstWords.filter((word) => !secondWords.includes(word)),
        ...secondWords.filter((word) => !firstWords.includes(word)),
      ];
    }),
  );
  return splitIntoWords(comment).every(
    (word) =>
      !differingWords.has(word) && !differingWords.has(`${word}s`) && !differingWords.has(word.replace(/s$/, '')),
  );
}
