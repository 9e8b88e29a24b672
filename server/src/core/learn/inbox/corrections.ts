// Finds corrections that people, agents or scripts have made more than once, and proposes a rule for each. The rule is
// off until a person accepts it.

import { formatCount } from '../../../util/counted.ts';
import { formatIsoDay } from '../../../util/isoDay.ts';
import { quoteText } from '../../../util/visible.ts';
import { EXTERNAL_RECIPE } from '../../model/authors.ts';
import type { Millis } from '../../model.ts';
import type { Feedback } from '../feedback.ts';
import { explainRefusedText } from '../checkRuleText.ts';
import { normaliseWords, type Evidence } from '../lessons.ts';
import { deriveName, selectNewestEvents, createSubjectId, type Candidate } from './candidates.ts';
import { haveSameNegations } from './duplicates.ts';

/** A reason that somebody stated against a change or an answer. */
export interface Correction {
  readonly sequence: number;
  readonly at: Millis;
  /** The rule of a change that was turned down; otherwise the dimension of recorded feedback. */
  readonly rule: string;
  readonly words: string;
  /** The change that was turned down; null if the correction was recorded as feedback. */
  readonly proposal: string | null;
  /** True if a person said it to Selfware; false if an agent or a script recorded it, which may quote a person. */
  readonly isByPerson: boolean;
}

/** Number of different changes, or of records of feedback, with the same correction before it becomes a rule. */
const MIN_CHANGES = 2;
/**
 * Minimum cosine at which two reasons about changes for one rule count as the same. Measured on 16 pairs of reasons:
 * four of the seven pairs with the same meaning reach it, and so do two of the nine others (an opposite, and the same
 * reason for another platform). Therefore, the proposal quotes both reasons.
 */
const MIN_SIMILARITY = 0.6;
/** Minimum number of characters of a reason that has only one word: “no” cannot become a rule. */
const MIN_CHARACTERS = 8;
/** Maximum number of reasons that are quoted. */
const MAX_QUOTED = 2;
/** Maximum number of characters of a quoted reason. */
const MAX_CHARACTERS = 130;
/** Maximum number of dates that are named. */
const MAX_DATES = 5;

/** Matches the beginning of the description of a rule from repeated corrections. */
export const CORRECTION_PREFIX_PATTERN = /^(?:You turned down|The same was corrected|Agents or scripts recorded) /;

/** True for a rule from corrections that quotes no person. */
export function isFromAgents({ description }: Pick<Candidate, 'description'>): boolean {
  return description.startsWith('Agents or scripts recorded ');
}

/** The corrections in the evidence of lessons: changes that a person rejected or rolled back with a typed reason. */
export function collectCorrections(evidence: readonly Evidence[]): readonly Correction[] {
  return evidence.flatMap(({ kind, sequence, at, rule, words, proposal, isMeasured, isOwn }): Correction[] => {
    const isTurnedDown = kind === 'rejected' || kind === 'rolledBack';
    if (!isTurnedDown || isMeasured || isOwn || sequence === null || at === null || proposal === null) return [];
    return words === null || !isReason(words) ? [] : [{ sequence, at, rule, words, proposal, isByPerson: true }];
  });
}

/** The corrections that were recorded as feedback with a note. */
export function collectNotedCorrections(feedback: readonly Feedback[]): readonly Correction[] {
  return feedback.flatMap(({ kind, sequence, at, session, dimension, note, by }): Correction[] =>
    kind === 'user_correction' && session !== '' && note !== null && isReason(note)
      ? [{ sequence, at, rule: dimension, words: note, proposal: null, isByPerson: by === 'person' }]
      : [],
  );
}

/**
 * A rule for each correction that was made on at least two different changes, most frequent first. Corrections by a
 * person and those that agents or scripts recorded are counted and quoted separately; if both are frequent enough, the
 * rule quotes the person's. `similarity`: the cosine of two reasons in their normalised form.
 */
export function findRepeatedCorrections(
  corrections: readonly Correction[],
  similarity: (words: string, otherWords: string) => number,
): readonly Candidate[] {
  const groups: (readonly [first: Correction, ...later: Correction[]])[] = [];
  for (const correction of corrections) {
    const index = groups.findIndex(([first]) => isSameCorrection(first, correction, similarity));
    if (index < 0) groups.push([correction]);
    else groups[index] = [...groups[index]!, correction];
  }
  return groups
    .flatMap((group) => {
      const [correctionsOfPersons, otherCorrections] = [
        group.filter(isOfPerson),
        group.filter((correction) => !isOfPerson(correction)),
      ];
      const countedCorrections = [correctionsOfPersons, otherCorrections].find(
        (corrections) => countChanges(corrections) >= MIN_CHANGES,
      );
      return countedCorrections ? [{ voices: countedCorrections, changes: countChanges(countedCorrections) }] : [];
    })
    .toSorted((a, b) => b.changes - a.changes)
    .map(({ voices, changes }) => createRule(voices, changes))
    .filter(({ text }) => explainRefusedText(text) === null);
}

function isOfPerson({ isByPerson }: Correction): boolean {
  return isByPerson;
}

/** Number of different changes; each correction that was recorded as feedback counts as one. */
function countChanges(corrections: readonly Correction[]): number {
  return new Set(corrections.map(({ proposal, sequence }) => proposal ?? sequence)).size;
}

/** The words of each correction, in the form in which they are compared; each once. */
export function collectWords(corrections: readonly Correction[]): readonly string[] {
  return [...new Set(corrections.map(({ words }) => normaliseWords(words)))];
}

/** True if the words can be a reason: at least two words, or `MIN_CHARACTERS` characters, with a letter. */
function isReason(words: string): boolean {
  const normalised = normaliseWords(words);
  return /\p{L}/u.test(normalised) && (/\p{L}\P{L}+\p{L}/u.test(normalised) || normalised.length >= MIN_CHARACTERS);
}

/** True for equal words about any change, and for similar words with the same figures about changes for one rule. */
function isSameCorrection(
  left: Correction,
  right: Correction,
  similarity: (words: string, otherWords: string) => number,
): boolean {
  const [words, otherWords] = [normaliseWords(left.words), normaliseWords(right.words)];
  if (words === otherWords) return true;
  return (
    left.rule === right.rule &&
    collectFigures(words) === collectFigures(otherWords) &&
    haveSameNegations(words, otherWords) &&
    similarity(words, otherWords) >= MIN_SIMILARITY
  );
}

/** The figures in a text, sorted. */
function collectFigures(words: string): string {
  return (words.match(/\d+/g) ?? []).toSorted().join();
}

/**
 * The rule that is proposed for a group of equal corrections, as a skill. Its id comes from the first reason, so that
 * it stays the same when others are added. `group`: not empty; either all corrections are by a person, or none is.
 */
function createRule(group: readonly Correction[], changes: number): Extract<Candidate, { readonly kind: 'skill' }> {
  const first = group[0]!;
  const rules = [...new Set(group.map(({ rule }) => rule))];
  const isByPerson = first.isByPerson;
  const isTurnedDown = group.every(({ proposal }) => proposal !== null);
  const rule = isTurnedDown && rules.length === 1 && first.rule !== EXTERNAL_RECIPE ? first.rule : null;
  // The newest wording of each reason.
  const reasons = new Map(group.map(({ words }) => [normaliseWords(words), words.replace(/\s+/g, ' ').trim()]));
  const quotedReasons = [...reasons.values()]
    .slice(-MAX_QUOTED)
    .map((words) => quoteText(words.replace(/\.$/, ''), MAX_CHARACTERS));
  const days = [...new Set(group.map(({ at }) => formatIsoDay(at)))];
  const dates = days.length > MAX_DATES ? `from ${days[0]} to ${days.at(-1)}` : `on ${days.join(', ')}`;
  return {
    kind: 'skill',
    id: createSubjectId('skill', `correction ${normaliseWords(first.words)}`),
    name: deriveName(first.words),
    description: isTurnedDown
      ? `You turned down ${formatCount(changes, 'change')} ${rules.length === 1 ? `for ${first.rule}` : `for ${rules.length} rules`} ` +
        `${dates}, and said ${quotedReasons.join(' and ')}.`
      : isByPerson
        ? `The same was corrected ${changes} times ${dates}: ${quotedReasons.join(' and ')}.`
        : `Agents or scripts recorded the same correction ${changes} times ${dates}: ${quotedReasons.join(' and ')}.`,
    file: 'CODE',
    text: `${rule === null ? 'Before any change' : `Before a change for ${rule}`}, heed what ${isByPerson ? 'a person said of earlier ones' : 'agents or scripts recorded as a correction'}: ${quotedReasons.join(', ')}.`,
    replaces: [],
    events: selectNewestEvents(group.map(({ sequence }) => sequence)),
  };
}
