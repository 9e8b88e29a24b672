// Which events show that a person has refused a change, and when it was asked for.

import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../../server/src/core/ledger/events.ts';
import { findPersonDecisions } from '../../../server/src/core/session/learn/personDecisions.ts';

let sequence = 0;
const event = (type: string, data: object) => {
  sequence += 1;
  return { type, at: sequence * 10, sequence, data } as unknown as RecordedEvent;
};
const question = (ask: string, proposal: string) => [
  event('asked', { ask, run: 'r', task: { kind: 'opportunity', id: ask, rule: 'long-function' }, proposer: 'm' }),
  event('answered', { ask, proposal, outcome: 'proposed' }),
];

test('only what a person decides about a change of known origin counts, and not what an agent records', () => {
  const events = [
    ...question('a-1', 'p-1'),
    event('rejected', { proposal: 'p-1', by: 'person', reason: 'Too long' }),
    event('rejected', { proposal: 'p-1', by: 'charter', reason: 'Not here' }),
    event('rejected', { proposal: 'p-1', by: 'person', reason: null, replacedBy: 'p-2' }),
    event('rejected', { proposal: 'unknown', by: 'person', reason: null }),
    event('feedbackRecorded', { session: 's', kind: 'user_correction', dimension: 'long-function', value: null }),
    event('rolledBack', { proposal: 'p-1', by: 'person', reason: null }),
    event('rolledBack', { proposal: null, by: 'person', reason: null }),
    event('opportunityDismissed', { rule: 'long-function', kind: 'wrong', reason: null }),
    event('opportunityDismissed', { rule: 'long-function', kind: 'later', reason: null }),
  ];
  expect(findPersonDecisions(events)).toEqual([
    { sequence: 3, at: 30, dimension: 'long-function', questionSequence: 1 },
    { sequence: 8, at: 80, dimension: 'long-function', questionSequence: 1 },
    { sequence: 10, at: 100, dimension: 'long-function', questionSequence: null },
  ]);
});
