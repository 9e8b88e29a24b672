// Finds rules that say nearly the same as another one, so that a person may merge them.

import type { WrittenRule } from '../ruleBook.ts';
import { ruleLine } from '../ruleBook.ts';
import { subjectId, type Candidate } from './candidates.ts';

/** The least share of words that two rules have in common, of all their words, if one repeats the other. */
const MIN_OVERLAP = 0.7;
/** Words that change the meaning of a rule although everything else is the same. */
const OPPOSITES: ReadonlySet<string> = new Set([
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
 * Pairs of rules that are on and say nearly the same, the most alike first. The newer one of a pair is to go.
 * `sequences`: the event in the ledger that wrote each rule last, by the id of the rule.
 */
export function duplicatesIn(
  rules: readonly WrittenRule[],
  sequences: ReadonlyMap<string, number>,
): readonly Candidate[] {
  const open = rules.filter(({ state }) => state === 'on');
  const pairs = open.flatMap((kept, at) =>
    open.slice(at + 1).flatMap((other) => {
      const overlap = kept.file === other.file ? overlapOf(kept.text, other.text) : 0;
      return overlap >= MIN_OVERLAP ? [{ kept, other, overlap }] : [];
    }),
  );
  return pairs
    .toSorted((one, other) => other.overlap - one.overlap || (one.other.id < other.other.id ? -1 : 1))
    .map(({ kept, other }) => ({
      kind: 'skill' as const,
      id: subjectId('skill', `${kept.id} ${other.id}`),
      name: `merge-rules-${other.id.slice(-6)}`,
      description: `Two rules in ${kept.file} say nearly the same. This one stays: ${ruleLine(kept)} This one would be switched off: ${ruleLine(other)}`,
      file: kept.file,
      text: '',
      replaces: [other.id],
      events: [kept.id, other.id].flatMap((id) => sequences.get(id) ?? []),
    }));
}

/** The share of words in common; 0 if one of the rules negates what the other says. */
function overlapOf(one: string, other: string): number {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  if ([...OPPOSITES].some((word) => words.has(word) !== others.has(word))) return 0;
  const shared = [...words].filter((word) => others.has(word)).length;
  const all = new Set([...words, ...others]).size;
  return all === 0 ? 0 : shared / all;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .toLowerCase()
      .replace(/['’]/g, '')
      .split(/[^\p{L}\p{N}_]+/u)
      .filter((word) => word !== ''),
  );
}
