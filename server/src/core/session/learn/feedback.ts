// Records feedback, and analyses all feedback in the ledger. Corrections by people, failing providers and other things
// that have their own events also count as feedback (`feedbackEvents.ts`). They are not recorded a second time.

import { SelfwareError } from '../../../util/typedError.ts';
import { shorten, escapeInvisibleLine } from '../../../util/visible.ts';
import { analyseFeedback, type Feedback, type FeedbackAnalysis, type FeedbackFinding } from '../../learn/feedback.ts';
import { computeNextFeedbackAnalysis } from '../../learn/nextFeedbackAnalysis.ts';
import { FEEDBACK_KINDS } from '../../model/feedback.ts';
import { getOrCreateRunId } from '../ask/attemptRunId.ts';
import { notify, getProgramVersion, type SessionContext } from '../context.ts';
import { fileItem, findNextItem, nullIfUnusable } from './inbox/filing.ts';
import { recordLaterEdits } from './laterEdits.ts';
import type { NewFeedback } from './learnTypes.ts';
import { readEvents } from './lessonEvidence.ts';
import { FEEDBACK_EVENTS, collectFeedback } from './feedbackEvents.ts';
import { readAllRules } from './writtenRules.ts';

/** Number of newest commits among which commits that dealt with a finding are searched. */
const MAX_COMMITS = 500;
/** Maximum number of characters of a note. */
const MAX_NOTE_CHARACTERS = 500;
/** Maximum number of characters of a dimension. */
const MAX_DIMENSION_CHARACTERS = 200;
/** Maximum number of characters of the name of a session. */
const MAX_SESSION_CHARACTERS = 60;

/** Minimum time in milliseconds between two analyses that count, as long as no analysis has found anything. */
const MIN_PAUSE_MS = 3_600_000;
/** Maximum number of findings that a notice names. */
const MAX_NAMED = 3;

/** Records feedback. Throws `usage` for an unknown kind or an unusable dimension. */
export async function recordFeedback(
  context: SessionContext,
  { session = getOrCreateRunId(context), kind, dimension, value, note, count = 1, by, own = false }: NewFeedback,
): Promise<void> {
  if (!FEEDBACK_KINDS.includes(kind))
    throw new SelfwareError('usage', `There is no feedback of the kind ${String(kind)}.`, {
      action: `Use one of: ${FEEDBACK_KINDS.join(', ')}.`,
    });
  const shortDimension = dimension.replace(/\s+/g, ' ').trim();
  if (shortDimension === '' || shortDimension.length > MAX_DIMENSION_CHARACTERS)
    throw new SelfwareError(
      'usage',
      `A dimension has 1 to ${MAX_DIMENSION_CHARACTERS} characters, such as tool:search.`,
    );
  await context.ledger.record({
    type: 'feedbackRecorded',
    data: {
      session: shortenSessionName(session),
      kind,
      dimension: shortDimension,
      value,
      note: note?.slice(0, MAX_NOTE_CHARACTERS) ?? null,
      ...(count > 1 ? { count } : {}),
      ...(by === undefined ? {} : { by }),
      ...(own ? { program: getProgramVersion(context) } : {}),
    },
  });
}

/** Puts the name of a session, which an agent may have given, on one line, and shortens it. */
function shortenSessionName(name: string): string {
  return shorten(escapeInvisibleLine(name).trim(), MAX_SESSION_CHARACTERS);
}

/** Analyses all feedback in the ledger. Later commits show which findings somebody has dealt with. */
export async function analyseAllFeedback(context: SessionContext, signal: AbortSignal): Promise<FeedbackAnalysis> {
  return analyse(context, await readFeedback(context), signal);
}

/** The feedback in all events of the ledger. */
async function readFeedback({ ledger }: SessionContext): Promise<readonly Feedback[]> {
  return collectFeedback(readEvents(await ledger.query({ types: FEEDBACK_EVENTS })));
}

/** Analyses this feedback. Commits are read only if there are findings and a commit. */
async function analyse(
  { ports }: SessionContext,
  feedback: readonly Feedback[],
  signal: AbortSignal,
): Promise<FeedbackAnalysis> {
  const analysis = analyseFeedback(feedback, [], ports.clock.now());
  if (analysis.findings.length === 0 || (await ports.git.state())?.head == null) return analysis;
  return analyseFeedback(feedback, await ports.history.commits(MAX_COMMITS, signal), ports.clock.now());
}

/**
 * Records which kept changes later commits have undone or rewritten. Then analyses the feedback if the next automatic
 * analysis is due (`learn/nextFeedbackAnalysis.ts`). A notice names up to three open findings that were not reported
 * yet; the next analysis names others. Files at most one item in the inbox. Null if no analysis is due, or if there is
 * nothing to analyse.
 */
export async function checkFeedback(context: SessionContext, signal: AbortSignal): Promise<FeedbackAnalysis | null> {
  const { ledger, ports } = context;
  await recordLaterEdits(context, signal);
  const earlierAnalyses = readEvents(await ledger.query({ types: ['feedbackLooked'] })).flatMap((event) =>
    event.type === 'feedbackLooked' ? [{ at: event.at, ...event.data }] : [],
  );
  const analysesWithResult = earlierAnalyses.filter(({ quiet = false }) => !quiet);
  if (ports.clock.now() < computeNextFeedbackAnalysis(analysesWithResult)) return null;
  const feedback = await readFeedback(context);
  const lastAnalysis = earlierAnalyses.at(-1);
  if (!lastAnalysis && feedback.length === 0 && (await readAllRules(context)).length === 0) return null;
  const analysis = await analyse(context, feedback, signal);
  // Every analysis counts, because the rules are compared with each other in every 24th one. As long as nothing was
  // ever found, there is an analysis at each start, of which one per hour counts.
  const countsAsCycle =
    analysesWithResult.length > 0 || !lastAnalysis || ports.clock.now() >= lastAnalysis.at + MIN_PAUSE_MS;
  const newCycle = { feedback, analysis, cycle: countsAsCycle ? earlierAnalyses.length + 1 : 1 };
  const proposedItem = await nullIfUnusable(context, () => findNextItem(context, newCycle, signal));
  const openFindings = analysis.findings.filter(({ dealtWith }) => dealtWith === null);
  const isQuiet = analysesWithResult.length === 0 && openFindings.length === 0 && proposedItem === null;
  if (isQuiet && !countsAsCycle) return analysis;
  const knownPatterns = openFindings.filter((finding) => wasReported(finding, analysis, lastAnalysis));
  const newFindings = openFindings.filter((finding) => !knownPatterns.includes(finding)).slice(0, MAX_NAMED);
  await ledger.record({
    type: 'feedbackLooked',
    data: {
      // Without news, the pause until the next analysis grows, even if a finding has ended.
      digest: newFindings.length > 0 || !lastAnalysis ? analysis.digest : lastAnalysis.digest,
      findings: openFindings.length,
      told: [...knownPatterns, ...newFindings].map(keyOf),
      ...(isQuiet ? { quiet: true } : {}),
    },
  });
  if (newFindings.length > 0)
    notify(context, {
      severity: 'info',
      message: newFindings.map(({ text }) => text).join(' '),
      action: 'Run `selfware feedback`: it tells what goes wrong often.',
    });
  if (proposedItem) await nullIfUnusable(context, () => fileItem(context, proposedItem));
  return analysis;
}

/** True if the finding was reported at the last analysis or before, and has been open since. */
function wasReported(
  finding: FeedbackFinding,
  { digest }: FeedbackAnalysis,
  lastAnalysis: { readonly digest: string; readonly told?: readonly string[] } | undefined,
): boolean {
  return lastAnalysis?.told?.includes(keyOf(finding)) ?? lastAnalysis?.digest === digest;
}

/** The key of a finding. It stays the same from one analysis to the next. */
function keyOf({ kind, dimension }: FeedbackFinding): string {
  return `${kind} ${dimension}`;
}
