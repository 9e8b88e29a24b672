// Analyses feedback: how often each tool fails, which answers people correct, which providers fail, and which of these
// problems are frequent enough to act on.

import { FEEDBACK_KINDS, type FeedbackData, type FeedbackKind } from '../model/feedback.ts';
import type { Millis } from '../model.ts';
import { formatCount } from '../../util/counted.ts';
import { quoteText } from '../../util/visible.ts';
import { sha256 } from '../../util/hash.ts';

/** A record of feedback as read from the ledger. */
export interface Feedback extends FeedbackData {
  readonly at: Millis;
  /** Sequence of the event in the ledger from which it was read. */
  readonly sequence: number;
}

/** How often a tool was called and failed. `dimension`: its name in the feedback, such as `tool:search`. */
export interface ToolFigures {
  readonly dimension: string;
  readonly calls: number;
  readonly failures: number;
}

/** A problem that is frequent enough to act on it. */
export interface FeedbackFinding {
  readonly kind: Extract<FeedbackKind, 'tool_failure' | 'user_correction' | 'provider_error'>;
  readonly dimension: string;
  readonly text: string;
  /** Sequences of the events that show it, oldest first. */
  readonly events: readonly number[];
  /**
   * The subject of a later commit that names the dimension, which suggests that somebody has dealt with it; null
   * if there is none.
   */
  readonly dealtWith: string | null;
}

/** The result of the analysis of feedback. */
export interface FeedbackAnalysis {
  /** By kind: the number of records of all time. */
  readonly counts: Readonly<Record<FeedbackKind, number>>;
  /** Figures of the last seven days; most failures first. */
  readonly tools: readonly ToolFigures[];
  /** The newest 20 failures, corrections and errors of all time, newest first. */
  readonly recent: readonly Feedback[];
  /** The newest 20 failures of tools of all time, newest first. */
  readonly failures: readonly Feedback[];
  /** Findings of the last seven days. */
  readonly findings: readonly FeedbackFinding[];
  /** Hash of the findings without their numbers. It changes only if there is something new to act on. */
  readonly digest: string;
}

/** Period of the findings: the last seven days. */
const WINDOW_MS = 7 * 86_400_000;
/** A tool becomes a finding only if it was called at least this often within the period. */
const MIN_CALLS = 5;
/** A tool becomes a finding only if more than this share of its calls failed within the period. */
const MAX_FAILURE_RATE = 0.2;
/** Minimum number of corrections with one dimension within the period for a finding. */
const MIN_CORRECTIONS = 3;
/** Minimum number of failures of a provider to answer within the period for a finding. */
const MIN_ERRORS = 3;
/** Maximum number of entries in `recent` and in `failures`. */
const MAX_RECENT = 20;
/** Quotation marks that mark a name in a sentence. */
const QUOTES = ['`', '"', "'"] as const;
/**
 * A name that no sentence contains by chance: several parts joined by other characters than spaces (`prefer-const`).
 */
const CLEAR_NAME = /[\p{L}\p{N}][^\p{L}\p{N}\s]+[\p{L}\p{N}]/u;

/** Analyses all feedback, oldest first. `commits`: the commits of the repository, in any order. */
export function analyseFeedback(
  feedback: readonly Feedback[],
  commits: readonly { readonly atMs: number; readonly subject: string }[],
  now: Millis,
): FeedbackAnalysis {
  const counts = Object.fromEntries(FEEDBACK_KINDS.map((kind) => [kind, 0])) as Record<FeedbackKind, number>;
  for (const { kind, count = 1 } of feedback) counts[kind] += count;
  const feedbackOfWeek = feedback.filter(({ at }) => at > now - WINDOW_MS);
  const tools = countToolFigures(feedbackOfWeek);
  const findings = [
    ...tools.flatMap(({ dimension, calls, failures }) =>
      calls >= MIN_CALLS && failures / calls > MAX_FAILURE_RATE
        ? [
            createFinding(
              'tool_failure',
              dimension,
              `${quoteText(dimension, 80)} failed in ${failures} of ${formatCount(calls, 'call')}.`,
            ),
          ]
        : [],
    ),
    ...selectFrequent(
      'user_correction',
      MIN_CORRECTIONS,
      (name, n) => `${quoteText(name, 80)} was corrected ${n} times.`,
    ),
    ...selectFrequent('provider_error', MIN_ERRORS, (name, n) => `${quoteText(name, 80)} failed to answer ${n} times.`),
  ];
  return {
    counts,
    tools,
    recent: selectNewest('tool_failure', 'user_correction', 'provider_error'),
    failures: selectNewest('tool_failure'),
    findings,
    digest: sha256(
      findings
        .map(({ kind, dimension, dealtWith }) => `${kind} ${dimension} ${dealtWith !== null}`)
        .toSorted()
        .join('\n'),
    ).slice(0, 12),
  };

  function selectNewest(...kinds: readonly FeedbackKind[]): readonly Feedback[] {
    return feedback
      .filter(({ kind }) => kinds.includes(kind))
      .slice(-MAX_RECENT)
      .toReversed();
  }

  function selectFrequent(
    kind: 'user_correction' | 'provider_error',
    minimum: number,
    textOf: (dimension: string, count: number) => string,
  ): readonly FeedbackFinding[] {
    const byDimension = new Map<string, number>();
    for (const entry of feedbackOfWeek)
      if (entry.kind === kind) byDimension.set(entry.dimension, (byDimension.get(entry.dimension) ?? 0) + 1);
    return [...byDimension]
      .filter(([, count]) => count >= minimum)
      .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .map(([dimension, count]) => createFinding(kind, dimension, textOf(dimension, count)));
  }

  function createFinding(kind: FeedbackFinding['kind'], dimension: string, text: string): FeedbackFinding {
    const matchingFeedback = feedbackOfWeek.filter((entry) => entry.kind === kind && entry.dimension === dimension);
    const newestAt = matchingFeedback.at(-1)?.at ?? now;
    const commit = commits.find(({ atMs, subject }) => atMs > newestAt && refersToDimension(subject, dimension));
    return {
      kind,
      dimension,
      text,
      events: matchingFeedback.map(({ sequence }) => sequence),
      dealtWith: commit?.subject ?? null,
    };
  }
}

/** The figures of each tool, those with most failures first. */
function countToolFigures(recent: readonly Feedback[]): readonly ToolFigures[] {
  const figures = new Map<string, { calls: number; failures: number }>();
  for (const { kind, dimension, count = 1 } of recent) {
    if (kind !== 'tool_success' && kind !== 'tool_failure') continue;
    const figure = figures.get(dimension) ?? { calls: 0, failures: 0 };
    figure.calls += count;
    if (kind === 'tool_failure') figure.failures += count;
    figures.set(dimension, figure);
  }
  return [...figures]
    .map(([dimension, figure]) => ({ dimension, ...figure }))
    .toSorted((a, b) => b.failures - a.failures || b.calls - a.calls || (a.dimension < b.dimension ? -1 : 1));
}

/**
 * True if the subject of a commit clearly names a dimension: by its full name, or by the part after the colon. Both are
 * written as they are, and a plain word such as `tests` is put in quotation marks.
 */
function refersToDimension(subject: string, dimension: string): boolean {
  const text = subject.toLowerCase();
  return [dimension, dimension.slice(dimension.indexOf(':') + 1)]
    .map((name) => name.toLowerCase())
    .some((name) =>
      CLEAR_NAME.test(name) ? containsName(text, name) : QUOTES.some((mark) => text.includes(`${mark}${name}${mark}`)),
    );
}

/** True if the text contains the name, and not only as a part of a longer one. */
function containsName(text: string, name: string): boolean {
  const isPart = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}_-]/u.test(sign);
  for (let index = text.indexOf(name); index >= 0; index = text.indexOf(name, index + 1))
    if (!isPart(text[index - 1]) && !isPart(text[index + name.length])) return true;
  return false;
}
