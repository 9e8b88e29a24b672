// Folds evidence into lessons. A lesson states what people or checks decided about changes of one kind, how often, and
// which events show it.

import { formatCount } from '../../util/counted.ts';
import { sha256 } from '../../util/hash.ts';
import type { Millis } from '../model.ts';
import { AUTHOR_LABELS, EXTERNAL_RECIPE, isAuthor } from '../model/authors.ts';

/**
 * The kinds of lessons. `dismissed`, `wrong`: a person stated that findings are no problem here, or are false
 * positives. `rejected`, `corrected`: a person rejected a change, or edited it in the review. `rewritten`: a later
 * commit writes the lines of a kept change differently. `rolledBack`: a change was rolled back, by a person or after
 * its probation. `refused`: a gate refused changes repeatedly. `suppressed`: comments in the code hide findings.
 * `kept`: changes were kept. `fixed`: a kept change fixed an error.
 */
const LESSON_KINDS = [
  'corrected',
  'rewritten',
  'rejected',
  'rolledBack',
  'wrong',
  'dismissed',
  'suppressed',
  'refused',
  'fixed',
  'kept',
] as const;
/** One of `LESSON_KINDS`. */
export type LessonKind = (typeof LESSON_KINDS)[number];

/** An event, or a comment in the code, from which a lesson is learned. */
export interface Evidence {
  readonly kind: LessonKind;
  /** Sequence of the event in the ledger; null for a comment in the code. */
  readonly sequence: number | null;
  /** The time of the event; null for a comment in the code. */
  readonly at: Millis | null;
  readonly rule: string;
  /** The recipe or the proposer that made the change; null for findings. */
  readonly by: string | null;
  readonly path: string | null;
  /** The gate that refused; null for evidence of another kind. */
  readonly gate: string | null;
  /** The rule of the repository's linter that refused; null for evidence of another kind. */
  readonly finding: string | null;
  /** The reason as the person or the gate stated it, or the title of the change; null if there is none. */
  readonly words: string | null;
  /** True if a check has given the reason, with its figures. Absent for the words of a person. */
  readonly isMeasured?: true;
  /** True if a person decided without typing a reason, so that `words` are Selfware's. */
  readonly isOwn?: true;
  readonly proposal: string | null;
  /** Id of the opportunity of a dismissed or suppressed finding; null otherwise. */
  readonly opportunity: string | null;
  /** The proposal that a person made from this one by editing it; null otherwise. */
  readonly replacedBy: string | null;
  /** The lines of the change compared with the lines of a later commit by a person; null otherwise. */
  readonly diff: string | null;
}

/** Evidence of one kind about changes of one kind, counted. */
export interface Lesson {
  /** Id that stays the same when evidence is added. */
  readonly id: string;
  readonly kind: LessonKind;
  readonly rule: string;
  readonly by: string | null;
  readonly gate: string | null;
  /** The rule of the repository's linter that refused changes, whatever their purpose; null for other lessons. */
  readonly finding: string | null;
  /** The lesson as one sentence. */
  readonly text: string;
  /** The words of the newest evidence; null if it has none. */
  readonly words: string | null;
  readonly count: number;
  readonly last: Millis | null;
  /** The evidence, oldest first. */
  readonly evidence: readonly Evidence[];
}

/**
 * Minimum amount of evidence for a lesson; 1 for kinds that are not listed. One refusal by a gate, or one kept change,
 * is not a lesson yet. A single finding of a linter is a lesson, because the linter finds the same in each such change.
 */
const MIN_COUNTS: Readonly<Partial<Record<LessonKind, number>>> = { refused: 2, kept: 2 };
/** Maximum number of quoted characters of a reason. */
const MAX_CHARACTERS = 200;

/** The lessons from this evidence, newest first. Lessons without a time, from comments in the code, come last. */
export function collectLessons(allEvidence: readonly Evidence[]): readonly Lesson[] {
  const groups = new Map<string, Evidence[]>();
  for (const item of allEvidence) {
    const key = createLessonKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups]
    .filter(([, { 0: first, length }]) => length >= (first!.finding === null ? (MIN_COUNTS[first!.kind] ?? 1) : 1))
    .map(([key, evidence]) => createLesson(key, evidence))
    .toSorted((a, b) => (b.last ?? 0) - (a.last ?? 0) || b.count - a.count || (a.id < b.id ? -1 : 1));
}

/**
 * A normalised form of the reason of a check, equal for similar reasons: without quotation marks, differences of case
 * and layout, a final full stop, and figures.
 */
export function normaliseReason(reason: string): string {
  return normaliseWords(reason.replace(/\d+(?:[.,:]\d+)*/g, '#'));
}

/**
 * A normalised form of a person's words: without quotation marks, differences of case and layout, and a final full
 * stop. Figures stay: “only for Node 18” is not “only for Node 22”.
 */
export function normaliseWords(words: string): string {
  return words
    .toLowerCase()
    .replace(/[“”"'`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
}

/** The key of a piece of evidence. All evidence with the same key becomes one lesson. */
function createLessonKey({ kind, rule, by, gate, finding, words, isMeasured }: Evidence): string {
  // A linter checks each change, whatever its purpose and author.
  if (finding !== null) return `${kind}\n${gate}\n${finding}`;
  // A gate words each refusal differently, so the gate itself is the key. A kept change has no text.
  if (kind === 'refused') return `${kind}\n${rule}\n${by}\n${gate}`;
  if (kind === 'kept' || kind === 'corrected' || kind === 'rewritten') return `${kind}\n${rule}\n${by}`;
  return `${kind}\n${rule}\n${(isMeasured ? normaliseReason : normaliseWords)(words ?? '')}`;
}

/** The lesson of evidence with the same key, oldest first; text and details come from the newest. */
function createLesson(key: string, evidence: readonly Evidence[]): Lesson {
  const newestEvidence = evidence.at(-1)!;
  const { kind, rule, by, gate, finding, words } = newestEvidence;
  const times = evidence.flatMap(({ at }) => (at === null ? [] : [at]));
  return {
    id: `l-${sha256(key).slice(0, 10)}`,
    kind,
    rule,
    by: finding === null ? by : null,
    gate,
    finding,
    text: formatLesson(newestEvidence, evidence.length),
    words,
    count: evidence.length,
    last: times.length === 0 ? null : Math.max(...times),
    evidence,
  };
}

/** The lesson as one sentence. `count`: number of times that the same thing happened. */
function formatLesson({ kind, rule, by, gate, finding, path, words }: Evidence, count: number): string {
  const quotation = words === null ? '.' : `: “${quote(words)}”`;
  const changes = `${formatCount(count, 'change', 'changes')} ${rule === EXTERNAL_RECIPE ? 'from outside Selfware' : `for ${rule}`}`;
  const findings = formatCount(count, 'finding', 'findings');
  switch (kind) {
    case 'dismissed':
      return `A person dismissed ${findings} of ${rule} as no problem here${quotation}`;
    case 'wrong':
      return `A person called ${findings} of ${rule} false positives${quotation}`;
    case 'suppressed':
      return `Comments in the code suppress ${findings} of ${rule}${quotation}`;
    case 'rejected':
      return `A person rejected ${changes}${quotation}`;
    case 'corrected':
      return `A person edited ${changes} in the review before applying.`;
    case 'rewritten':
      return `A later commit writes the lines of ${changes} differently.`;
    case 'rolledBack':
      return `${changes} ${count === 1 ? 'was' : 'were'} rolled back${quotation}`;
    case 'refused':
      if (finding !== null)
        return (
          `The linter of this repository refused ${formatCount(count, 'change', 'changes')} by its rule ${finding}, ` +
          `last for ${path ?? rule}${quotation}`
        );
      return `The gate ${gate ?? ''} refused ${changes} by ${formatAuthor(by)}, last${quotation}`;
    case 'fixed':
      return `A fix was kept${quotation}`;
    case 'kept':
      return `${changes} by ${formatAuthor(by)} were kept.`;
  }
}

/** Names a recipe, a proposer or a kind of author after the word "by". */
function formatAuthor(author: string | null): string {
  if (author === null) return 'an unknown author';
  return isAuthor(author) ? AUTHOR_LABELS[author] : author;
}

/** The text in one line, cut after `MAX_CHARACTERS` characters. */
function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS - 1)}…` : line;
}
