// Reads the decisions of people about changes and findings from events of the ledger. They show whether a rule was
// broken.

import type { PersonDecision } from '../../learn/ruleViolations.ts';
import type { RecordedEvent } from '../../ledger/events.ts';
import { collectOrigins } from './lessonEvidence.ts';

/** The types of events that `findPersonDecisions` reads. */
export const DECISION_EVENT_TYPES = [
  'proposed',
  'asked',
  'answered',
  'rejected',
  'rolledBack',
  'opportunityDismissed',
] as const satisfies readonly RecordedEvent['type'][];

/** The decisions in these events, oldest first. Skips decisions on changes of unknown origin. */
export function findPersonDecisions(events: readonly RecordedEvent[]): readonly PersonDecision[] {
  const origins = collectOrigins(events);
  const questionSequenceByAsk = new Map<string, number>();
  const questionSequenceByProposal = new Map<string, number>();
  const decisions: PersonDecision[] = [];
  for (const event of events) {
    const { sequence, at } = event;
    if (event.type === 'asked') questionSequenceByAsk.set(event.data.ask, sequence);
    else if (event.type === 'answered' && event.data.proposal !== null) {
      const question = questionSequenceByAsk.get(event.data.ask);
      if (question !== undefined) questionSequenceByProposal.set(event.data.proposal, question);
    } else if (event.type === 'opportunityDismissed') {
      const { rule, kind } = event.data;
      if (rule !== undefined && kind !== 'later' && kind !== 'generated')
        decisions.push({ sequence, at, dimension: rule, questionSequence: null });
    } else if (event.type === 'rejected' || event.type === 'rolledBack') {
      const { proposal, by } = event.data;
      const origin = proposal === null || by !== 'person' || isReplaced(event) ? undefined : origins.get(proposal);
      if (origin)
        decisions.push({
          sequence,
          at,
          dimension: origin.rule,
          questionSequence: questionSequenceByProposal.get(proposal!) ?? null,
        });
    }
  }
  return decisions;
}

/** True for a rejection that only replaces the change by another one. False if the person has corrected it. */
function isReplaced(event: RecordedEvent): boolean {
  return event.type === 'rejected' && event.data.replacedBy !== undefined && !event.data.correction;
}
