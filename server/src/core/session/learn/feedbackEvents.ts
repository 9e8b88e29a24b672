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
  'opportunityRestored',
  'lessonForgotten',
  'interrupted',
  'nightResumed',
  'ruleWritten',
] as const satisfies readonly RecordedEvent['type'][];

/**
 * The feedback in these events, in their order. Corrections that a person has undone or forgotten since are left out.
 * `session` is empty unless the event names one.
 */
export function collectFeedback(events: readonly RecordedEvent[]): readonly Feedback[] {
  const origins = collectOrigins(events);
  const forgottenAt = findForgottenSequences(events);
  const isForgotten = (id: string | null, sequence: number) => sequence < (forgottenAt.get(id ?? '') ?? 0);
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
        if (by !== 'person' || (replacedBy !== undefined && !correction) || isForgotten(proposal, sequence)) return [];
        return [createEntry('user_correction', findOriginRule(proposal), reason)];
      }
      case 'rolledBack': {
        const { by, proposal, reason } = event.data;
        if (by !== 'person' || proposal === null || isForgotten(proposal, sequence)) return [];
        return [createEntry('user_correction', findOriginRule(proposal), reason)];
      }
      case 'reworked': {
        const { proposal, subject } = event.data;
        return isForgotten(proposal, sequence)
          ? []
          : [createEntry('user_correction', findOriginRule(proposal), subject)];
      }
      case 'opportunityDismissed': {
        const { rule, kind, reason, opportunity } = event.data;
        return rule === undefined || kind === 'later' || kind === 'generated' || isForgotten(opportunity, sequence)
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

  function findOriginRule(proposalId: string): string {
    return origins.get(proposalId)?.rule ?? 'change';
  }
}

/**
 * By id: the sequence of the last event with which a change or an opportunity was forgotten or restored. A forgotten
 * change that is still evidence for another finding keeps counting.
 */
function findForgottenSequences(events: readonly RecordedEvent[]): ReadonlyMap<string, number> {
  const forgottenAt = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'opportunityRestored') forgottenAt.set(event.data.opportunity, event.sequence);
    else if (event.type === 'lessonForgotten') {
      const { proposals, opportunities, stillTeaching = [] } = event.data;
      for (const id of [...proposals.filter((proposal) => !stillTeaching.includes(proposal)), ...opportunities])
        forgottenAt.set(id, event.sequence);
    }
  }
  return forgottenAt;
}
