// A person's request that a run ends: which runs it counts for.

import { expect, test } from 'vitest';
import { ENDED_BY_PERSON, findStopReason, type NightContext } from '../../../server/src/app/nights/night.ts';
import type { NightEvent } from '../../../server/src/core/model/nights.ts';
import { createPart } from '../../helpers/createPart.ts';

const plan = { until: 1, maxChanges: 3, proposer: null, places: null };
const started = (night: string, run: string, since?: number): NightEvent => ({
  type: 'nightStarted',
  data: { night, run, base: 'a', plan, ...(since === undefined ? {} : { since }) },
});
const asked: NightEvent = { type: 'nightAskedToEnd', data: { night: 'n', run: 'r', by: 'person' } };

test('a request ends the run also if it goes on to another branch, but neither another order nor a later process', async () => {
  const data = { night: 'm', run: 's', commit: 'c', change: { proposal: 'p', title: 'p', author: 'recipe' } };
  const committed = { type: 'nightCommitted', data };
  const events = [started('n', 'r'), asked, started('m', 's', 0), started('o', 't'), committed];
  const ledger = {
    isStopped: async () => false,
    // The clock was set back before the request.
    query: async () => events.map((event, sequence) => ({ ...event, sequence, at: event === asked ? -1 : sequence })),
    // A search asks every second, so nothing may be read that takes long.
    proposals: () => Promise.reject(new Error('The texts of all proposals were read.')),
  };
  const reasonOf = (run: string, begunAfter = 0) =>
    findStopReason(createPart<NightContext>({ request: { begunAfter }, repository: { ledger } }), { run });
  expect(await reasonOf('r')).toBe(ENDED_BY_PERSON);
  expect(await reasonOf('s')).toBe(ENDED_BY_PERSON);
  expect(await reasonOf('t')).toBeNull();
  expect(await reasonOf('unknown')).toBeNull();
  expect(await reasonOf('s', 2)).toBeNull();
});
