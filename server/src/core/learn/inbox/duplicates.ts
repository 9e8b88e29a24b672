// Finds pairs of rules with nearly the same text, so that a person may merge them.

import type { WrittenRule } from '../ruleBook.ts';
import { formatRuleLine } from '../renderRules.ts';
import { createSubjectId, type Candidate } from './candidates.ts';

/** Minimum share of the words of two rules that both have (Jaccard index); from here on, they are duplicates. */
const MIN_OVERLAP = 0.7;
/** Words that change the meaning of a rule. If only one of two rules has such a word, they are not duplicates. */
const NEGATING_WORDS: ReadonlySet<string> = new Set([
  'not',
  'never',
  'no',
  'dont',
  'without',
  'avoid',
  'only',
  'unless',
  'except',
]);

/**
 * Proposals to switch off the newer one of two similar rules, the most similar pairs first. Only rules that are on, in
 * the same file, are compared. `sequences`: by the id of each rule, the sequence of the event that wrote it last.
 */
export function findDuplicates(
  rules: readonly WrittenRule[],
  sequences: ReadonlyMap<string, number>,
): readonly Candidate[] {
  const activeRules = rules.filter(({ state }) => state === 'on');
  const pairs = activeRules.flatMap((older, index) =>
    activeRules.slice(index + 1).flatMap((newer) => {
      const overlap = older.file === newer.file ? computeOverlap(older.text, newer.text) : 0;
      return overlap >= MIN_OVERLAP ? [{ older, newer, overlap }] : [];
    }),
  );
  return pairs
    .toSorted((a, b) => b.overlap - a.overlap || (a.newer.id < b.newer.id ? -1 : 1))
    .map(({ older, newer }) => ({
      kind: 'skill' as const,
      id: createSubjectId('skill', `${older.id} ${newer.id}`),
      name: `merge-rules-${newer.id.slice(-6)}`,
      description:
        `Two rules in ${older.file} say nearly the same. This one stays: ${formatRuleLine(older)} This one would be ` +
        `switched off: ${formatRuleLine(newer)}`,
      file: older.file,
      text: '',
      replaces: [newer.id],
      events: [older.id, newer.id].flatMap((id) => sequences.get(id) ?? []),
    }));
}

/**
 * The number of common words divided by the number of different words of both; 0 if only one of the texts has one of
 * `NEGATING_WORDS`.
 */
function computeOverlap(text: string, otherText: string): number {
  if (!haveSameNegations(text, otherText)) return 0;
  const [words, otherWords] = [collectWords(text), collectWords(otherText)];
  const sharedCount = [...words].filter((word) => otherWords.has(word)).length;
  const unionSize = new Set([...words, ...otherWords]).size;
  return unionSize === 0 ? 0 : sharedCount / unionSize;
}

/** True if each of `NEGATING_WORDS` is in both texts or in neither of them. */
export function haveSameNegations(text: string, otherText: string): boolean {
  const [words, otherWords] = [collectWords(text), collectWords(otherText)];
  return [...NEGATING_WORDS].every((word) => words.has(word) === otherWords.has(word));
}

/** The different words of a text in lower case, without apostrophes. */
function collectWords(text: string): ReadonlySet<string> {
  return new Set(
    text
      .toLowerCase()
      .replace(/['’]/g, '')
      .split(/[^\p{L}\p{N}_]+/u)
      .filter((word) => word !== ''),
  );
}
