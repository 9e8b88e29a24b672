// Records and reads feedback. The ledger has events of its own for corrections by people, failing providers, commands
// that cannot be run and resumed work. These are read as feedback, and not recorded twice.

import { SelfwareError } from '../../../util/typedError.ts';
import { analyseFeedback, type Feedback, type FeedbackAnalysis } from '../../learn/feedback.ts';
import { nextLook } from '../../learn/looking.ts';
import type { RecordedEvent } from '../../ledger/events.ts';
import { FEEDBACK_KINDS } from '../../model/feedback.ts';
import { runOf } from '../ask/asking.ts';
import { notify, type SessionContext } from '../context.ts';
import { fileItem, nextItem, unlessUnusable } from './inbox/filing.ts';
import type { NewFeedback } from './learned.ts';
import { originsOf, readEvents } from './evidence.ts';

/** The types of events that are read as feedback. */
const FEEDBACK_EVENTS = [
  'feedbackRecorded',
  'proposed',
  'asked',
  'answered',
  'verified',
  'refused',
  'rejected',
  'rolledBack',
  'opportunityDismissed',
  'interrupted',
  'nightResumed',
  'ruleWritten',
] as const satisfies readonly RecordedEvent['type'][];
/** Number of newest commits in which is looked for those that dealt with a finding. */
const MAX_COMMITS = 500;
const MAX_NOTE_CHARACTERS = 500;
const MAX_DIMENSION_CHARACTERS = 200;

/** Records feedback. Throws `usage` for an unknown kind or an unusable dimension. */
export async function recordFeedback(
  context: SessionContext,
  { session = runOf(context), kind, dimension, value, note }: NewFeedback,
): Promise<void> {
  if (!FEEDBACK_KINDS.includes(kind))
    throw new SelfwareError('usage', `There is no feedback of the kind ${String(kind)}.`, {
      action: `Use one of: ${FEEDBACK_KINDS.join(', ')}.`,
    });
  const about = dimension.replace(/\s+/g, ' ').trim();
  if (about === '' || about.length > MAX_DIMENSION_CHARACTERS)
    throw new SelfwareError(
      'usage',
      `A dimension has 1 to ${MAX_DIMENSION_CHARACTERS} characters, such as tool:search.`,
    );
  await context.ledger.record({
    type: 'feedbackRecorded',
    data: { session, kind, dimension: about, value, note: note?.slice(0, MAX_NOTE_CHARACTERS) ?? null },
  });
}

/** Analyses all feedback in the ledger. Later commits show which findings somebody has dealt with. */
export async function feedbackAnalysis(context: SessionContext, signal: AbortSignal): Promise<FeedbackAnalysis> {
  return analyse(context, await readFeedback(context), signal);
}

async function readFeedback({ ledger }: SessionContext): Promise<readonly Feedback[]> {
  return feedbackIn(readEvents(await ledger.query({ types: FEEDBACK_EVENTS })));
}

async function analyse(
  { ports }: SessionContext,
  feedback: readonly Feedback[],
  signal: AbortSignal,
): Promise<FeedbackAnalysis> {
  const alone = analyseFeedback(feedback, [], ports.clock.now());
  if (alone.findings.length === 0 || (await ports.git.state())?.head == null) return alone;
  return analyseFeedback(feedback, await ports.history.commits(MAX_COMMITS, signal), ports.clock.now());
}

/** Maximum number of findings that a notice names. */
const MAX_NAMED = 3;

/**
 * Analyses the feedback if enough time has passed since the last analysis, also that of an earlier process. If the
 * findings have changed, adds a notice that names up to three that are open. Proposes at most one tool, command or
 * skill. Null if it is too early, or if there is nothing to act on and never was.
 */
export async function lookAtFeedback(context: SessionContext, signal: AbortSignal): Promise<FeedbackAnalysis | null> {
  const { ledger, ports } = context;
  const looks = readEvents(await ledger.query({ types: ['feedbackLooked'] })).flatMap((event) =>
    event.type === 'feedbackLooked' ? [{ at: event.at, digest: event.data.digest }] : [],
  );
  if (ports.clock.now() < nextLook(looks)) return null;
  const feedback = await readFeedback(context);
  const analysis = await analyse(context, feedback, signal);
  const found = { feedback, analysis, cycle: looks.length + 1 };
  const proposed = await unlessUnusable(context, () => nextItem(context, found, signal));
  const open = analysis.findings.filter(({ dealtWith }) => dealtWith === null);
  const last = looks.at(-1);
  if (!last && open.length === 0 && proposed === null) return null;
  await ledger.record({ type: 'feedbackLooked', data: { digest: analysis.digest, findings: open.length } });
  if (open.length > 0 && last?.digest !== analysis.digest)
    notify(context, {
      severity: 'info',
      message: open
        .slice(0, MAX_NAMED)
        .map(({ text }) => text)
        .join(' '),
      action: 'Run `selfware feedback`: it tells what goes wrong often.',
    });
  if (proposed) await unlessUnusable(context, () => fileItem(context, proposed));
  return analysis;
}

/** The feedback in these events, oldest first. */
export function feedbackIn(events: readonly RecordedEvent[]): readonly Feedback[] {
  const origins = originsOf(events);
  const questions = new Map(events.flatMap((event) => (event.type === 'asked' ? [[event.data.ask, event.data]] : [])));
  return events.flatMap((event): Feedback[] => {
    const { sequence, at } = event;
    const entry = (kind: Feedback['kind'], dimension: string, note: string | null = null): Feedback => ({
      sequence,
      at,
      session: '',
      kind,
      dimension,
      value: null,
      note,
    });
    switch (event.type) {
      case 'feedbackRecorded':
        return [{ sequence, at, ...event.data }];
      case 'answered': {
        const asked = questions.get(event.data.ask);
        const { outcome, reason, phantom } = event.data;
        if (!asked || (outcome !== 'failed' && !phantom)) return [];
        const what = phantom ? entry('self_heal_trigger', `phantom:${asked.proposer}`) : null;
        return [{ ...(what ?? entry('provider_error', asked.proposer, reason)), session: asked.run }];
      }
      case 'verified':
      case 'refused':
        return event.data.verdicts.flatMap(({ gate, outcome, evidence, reason, millis }) =>
          evidence['command'] === undefined && evidence['commands'] === undefined
            ? []
            : [
                {
                  ...entry(outcome === 'unknown' ? 'tool_failure' : 'tool_success', `gate:${gate}`),
                  value: millis,
                  note: outcome === 'unknown' ? reason : null,
                },
              ],
        );
      case 'rejected': {
        const { by, reason, replacedBy, correction, proposal } = event.data;
        if (by !== 'person' || (replacedBy !== undefined && !correction)) return [];
        return [entry('user_correction', ruleOf(proposal), reason)];
      }
      case 'rolledBack': {
        const { by, proposal, reason } = event.data;
        return by === 'person' && proposal !== null ? [entry('user_correction', ruleOf(proposal), reason)] : [];
      }
      case 'opportunityDismissed': {
        const { rule, kind, reason } = event.data;
        return rule === undefined || kind === 'later' || kind === 'generated'
          ? []
          : [entry('user_correction', rule, reason)];
      }
      case 'interrupted':
        return [entry('self_heal_trigger', 'verification')];
      case 'nightResumed':
        return [entry('self_heal_trigger', 'night')];
      case 'ruleWritten':
        return [entry('improvement_applied', event.data.file, event.data.text)];
      default:
        return [];
    }
  });

  function ruleOf(proposal: string): string {
    return origins.get(proposal)?.rule ?? 'change';
  }
}
