// Reads feedback from events of the ledger, including events that were recorded for other purposes.

import type { RecordedEvent } from '../../ledger/events.ts';
import type { Feedback } from '../../learn/feedback.ts';
import { collectOrigins } from './lessonEvidence.ts';

/** The types of events that are read as feedback. */
export const FEEDBACK_EVENTS = [
  'feedbackRecorded',
  'proposed',
  'asked',
  'answered',
  'verified',
  'refused',
  'rejected',
  'rolledBack',
  'reworked',
  'opportunityDismissed',
  'interrupted',
  'nightResumed',
  'ruleWritten',
] as const satisfies readonly RecordedEvent['type'][];

/** The feedback in these events, in their order. `session` is empty unless the event names one. */
export function collectFeedback(events: readonly RecordedEvent[]): readonly Feedback[] {
  const origins = collectOrigins(events);
  const questions = new Map(events.flatMap((event) => (event.type === 'asked' ? [[event.data.ask, event.data]] : [])));
  return events.flatMap((event): Feedback[] => {
    const { sequence, at } = event;
    const createEntry = (kind: Feedback['kind'], dimension: string, note: string | null = null): Feedback => ({
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
        const question = questions.get(event.data.ask);
        const { outcome, reason, phantom } = event.data;
        if (!question || (outcome !== 'failed' && !phantom)) return [];
        const phantomEvent = phantom ? createEntry('self_heal_trigger', `phantom:${question.proposer}`) : null;
        return [
          { ...(phantomEvent ?? createEntry('provider_error', question.proposer, reason)), session: question.run },
        ];
      }
      case 'verified':
      case 'refused':
        return event.data.verdicts.flatMap(({ gate, outcome, evidence, reason, millis }) =>
          evidence['command'] === undefined && evidence['commands'] === undefined
            ? []
            : [
                {
                  ...createEntry(outcome === 'unknown' ? 'tool_failure' : 'tool_success', `gate:${gate}`),
                  value: millis,
                  note: outcome === 'unknown' ? reason : null,
                },
              ],
        );
      case 'rejected': {
        const { by, reason, replacedBy, correction, proposal } = event.data;
        if (by !== 'person' || (replacedBy !== undefined && !correction)) return [];
        return [createEntry('user_correction', ruleOf(proposal), reason)];
      }
      case 'rolledBack': {
        const { by, proposal, reason } = event.data;
        return by === 'person' && proposal !== null ? [createEntry('user_correction', ruleOf(proposal), reason)] : [];
      }
      case 'reworked':
        return [createEntry('user_correction', ruleOf(event.data.proposal), event.data.subject)];
      case 'opportunityDismissed': {
        const { rule, kind, reason } = event.data;
        return rule === undefined || kind === 'later' || kind === 'generated'
          ? []
          : [createEntry('user_correction', rule, reason)];
      }
      case 'interrupted':
        return [createEntry('self_heal_trigger', 'verification')];
      case 'nightResumed':
        return [createEntry('self_heal_trigger', 'night')];
      case 'ruleWritten':
        return [createEntry('improvement_applied', event.data.file, event.data.text)];
      default:
        return [];
    }
  });

  function ruleOf(proposal: string): string {
    return origins.get(proposal)?.rule ?? 'change';
  }
}
