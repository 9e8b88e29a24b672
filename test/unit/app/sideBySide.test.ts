// How many candidates a run verifies at once, and which of them nothing may run beside.

import { expect, test } from 'vitest';
import { interruptedProposals } from '../../../server/src/app/nights/poison.ts';
import { candidatesAtOnce } from '../../../server/src/app/nights/sideBySide.ts';

test('as many as the person allows and the machine can run; one if nothing is checked after applying', () => {
  const at = (sideBySide: number, most: number, probation: 'checks' | 'points' = 'checks') =>
    candidatesAtOnce({ 'night.sideBySide': sideBySide, 'apply.probation': probation }, most);
  expect([at(2, 8), at(16, 8), at(2, 1), at(1, 8), at(4, 8, 'points')]).toEqual([2, 8, 1, 1, 1]);
});

test('each death counts for all that were verified then', async () => {
  const died = (proposal: string) => ({ data: { proposal } });
  const ledger = { query: async () => [died('p'), died('q'), died('p')] as never };
  expect([...(await interruptedProposals(ledger))]).toEqual([
    ['p', 2],
    ['q', 1],
  ]);
});
