// Selects the lessons for a question to a model or an agent: those about the same rule, those that are similar to the
// task, and the newest lessons from findings of the linter.

import { createTwoFilesPatch } from 'diff';
import { collectLessons, type Lesson } from '../../learn/lessons.ts';
import { fallBackIfDamaged, type SessionContext } from '../context.ts';
import { readEvidence, QUOTED_KINDS } from './learning.ts';
import { createSimilarity } from './wordVectors.ts';

/** Maximum number of lessons in one question, not counting lessons from findings of the linter. */
const MAX_LESSONS = 6;
/**
 * Maximum number of lessons from findings of the linter in one question. They may concern any change, and one refusal
 * makes several of them. Their separate limit keeps them from displacing the lessons from people.
 */
const MAX_LINTER_LESSONS = 2;
/** Maximum number of lessons that are compared with the words of the task: the newest ones. */
const MAX_COMPARED = 200;
/**
 * Minimum cosine of a lesson about another rule. In a sample of 15 pairs of a lesson and a task, the three related
 * pairs had 0.32 to 0.72, and all others at most 0.20.
 */
const MIN_SIMILARITY = 0.3;
/** Maximum number of characters of the diff of a correction. */
const MAX_DIFF_CHARACTERS = 2_000;

/** The subject of a question, for which lessons are selected. */
export interface LessonQuery {
  /** The rule of the opportunity, or the kind of the task. Null for a request: only its words count. */
  readonly rule: string | null;
  /** The task in words. */
  readonly words: string;
}

/**
 * The lessons for a question, one paragraph each, the most relevant first. The newest lessons from findings of the
 * linter are at the end.
 */
export async function recallLessons(
  context: SessionContext,
  { rule, words }: LessonQuery,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const evidence = await fallBackIfDamaged(context, [], () => readEvidence(context));
  const quotedLessons = collectLessons(evidence).filter(({ kind }) => QUOTED_KINDS.has(kind));
  const linterLessons = quotedLessons.filter(({ finding }) => finding !== null).slice(0, MAX_LINTER_LESSONS);
  const comparedLessons = quotedLessons.filter(({ finding }) => finding === null).slice(0, MAX_COMPARED);
  const similarities =
    comparedLessons.length === 0 ? [] : await computeSimilarities(context, words, comparedLessons, signal);
  const relevantLessons = comparedLessons
    .map((lesson, index) => ({ lesson, weight: (lesson.rule === rule ? 1 : 0) + (similarities[index] ?? 0) }))
    .filter(({ lesson, weight }) => lesson.rule === rule || weight >= MIN_SIMILARITY)
    .toSorted((a, b) => b.weight - a.weight || b.lesson.count - a.lesson.count)
    .slice(0, MAX_LESSONS);
  return Promise.all(
    [...relevantLessons.map(({ lesson }) => lesson), ...linterLessons].map((lesson) =>
      createParagraph(context, lesson),
    ),
  );
}

/** The similarity (cosine) of each lesson to the words of the task. */
async function computeSimilarities(
  context: SessionContext,
  taskText: string,
  quotable: readonly Lesson[],
  signal: AbortSignal,
): Promise<readonly number[]> {
  const texts = quotable.map(({ words: lessonText, evidence }) => `${lessonText ?? ''} ${evidence.at(-1)?.path ?? ''}`);
  const similarity = await createSimilarity(context, [taskText, ...texts], signal);
  return texts.map((text) => similarity(taskText, text));
}

/**
 * The text of a lesson. A correction gets its last diff, if both proposals still have their texts; a change that was
 * later written differently gets the new text.
 */
async function createParagraph(context: SessionContext, lesson: Lesson): Promise<string> {
  const newest = lesson.evidence.at(-1);
  if (lesson.kind === 'rewritten' && newest?.diff) return `${lesson.text} The last one:\n${newest.diff}`;
  if (lesson.kind !== 'corrected' || !newest?.proposal || !newest.replacedBy) return lesson.text;
  const ledger = context.repositoryLedger ?? context.ledger;
  const [before, after] = [await ledger.proposal(newest.proposal), await ledger.proposal(newest.replacedBy)];
  const texts = new Map(before?.edits.map((edit) => [edit.path, edit.after ?? '']));
  const diff = (after?.edits ?? [])
    .flatMap(({ path, after: corrected }) => {
      const proposed = texts.get(path);
      return proposed === undefined || proposed === corrected
        ? []
        : [createTwoFilesPatch(path, path, proposed, corrected ?? '', '', '', { context: 1 })];
    })
    .join('\n');
  return diff === '' ? lesson.text : `${lesson.text} The last correction:\n${diff.slice(0, MAX_DIFF_CHARACTERS)}`;
}

/** True if the lesson quotes a gate, and an attempt in the question contains the same quotation. */
export function quotesAnyAttempt(attempts: readonly string[], lessonParagraph: string): boolean {
  const quotation = /^The gate [^“]*“([^]*?)…?”$/.exec(lessonParagraph)?.[1];
  return quotation !== undefined && attempts.some((attempt) => attempt.replace(/\s+/g, ' ').includes(quotation));
}
