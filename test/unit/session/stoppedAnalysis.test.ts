// A run that is asked to end does not wait for the end of an analysis.

import { expect, test } from 'vitest';
import type { CycleEvent } from '../../../server/src/core/session/cycleEvents.ts';
import { createSessionWorld, passingRun } from '../../helpers/memorySessionPorts.ts';
import { flawedOnes, never } from './flawed.ts';

test('a run that is asked to end while it analyses proposes nothing', async () => {
  await using world = await createSessionWorld(flawedOnes(['ant']), {
    commands: { 'run-tests': async () => passingRun },
  });
  const session = await world.session({ settings: { 'charter.approval': 'minimal' } });
  const events: CycleEvent[] = [];
  const summary = await session.improve({
    cycles: 3,
    dryRun: false,
    approval: 'minimal',
    maxChanges: 1,
    signal: never,
    stopSignal: AbortSignal.abort(),
    decide: () => Promise.reject(new Error('Nobody is asked.')),
    onEvent: (event) => void events.push(event),
  });
  expect(summary).toMatchObject({ proposed: 0, kept: 0 });
  expect(events.at(-1)).toEqual({ type: 'stopped', reason: 'It was asked to end.' });
});
