// A run waits while the machine runs on its battery, says so, and continues once it is plugged in.

import { expect, test } from 'vitest';
import type { BegunRun } from '../../../server/src/app/nights/beginRun.ts';
import type { NightContext } from '../../../server/src/app/nights/night.ts';
import { waitForPower } from '../../../server/src/app/nights/open/waitForPower.ts';
import type { PowerSource } from '../../../server/src/core/ports/system.ts';
import { powerSentence } from '../../../server/src/core/run/power.ts';
import { createPart } from '../../helpers/createPart.ts';

const BEGUN = { branch: 'n', run: 'r' } as BegunRun;

/** Waits while the sources follow each other; the last one stays. */
async function wait(
  sources: readonly (PowerSource | null)[],
  { waits = true, setting = true, stopped = false, signal = new AbortController().signal } = {},
) {
  let looks = 0;
  const recorded: unknown[] = [];
  const said: unknown[] = [];
  const record = async (event: unknown) => recorded.push(event);
  const ledger = { record, isStopped: async () => stopped, query: async () => [] };
  const request = { env: {}, waits, onEvent: (event: { type: string }) => said.push(event.type) };
  const end = await waitForPower(
    createPart<NightContext>({ request, repository: { ledger } }),
    BEGUN,
    { 'night.waitForPower': setting },
    signal,
    { source: async () => sources[Math.min(looks++, sources.length - 1)]!, lookMs: 1 },
  );
  return { end, recorded, said };
}

test('it waits until the machine is plugged in, without an end of the wait', async () => {
  const { end, recorded, said } = await wait(['battery', 'battery', 'battery', 'mains']);
  expect(end).toBeNull();
  expect(recorded).toMatchObject([
    {
      type: 'nightWaiting',
      data: { night: 'n', run: 'r', until: null, reason: expect.stringMatching(/^Waiting for power/) },
    },
  ]);
  expect(said).toEqual(['waiting', 'note']);
});

test.each([
  ['the machine is plugged in', ['mains'], {}],
  ['nothing is known', [null], {}],
  ['the setting is off', ['battery'], { setting: false }],
] as const)('it does not wait if %s', async (_, sources, options) => {
  expect(await wait(sources, options)).toEqual({ end: null, recorded: [], said: [] });
});

test('it ends if it must not wait; stopping it, or its time, ends the wait', async () => {
  expect(await wait(['battery'], { waits: false })).toMatchObject({
    end: expect.stringContaining('battery'),
    recorded: [],
  });
  expect((await wait(['battery'], { stopped: true })).end).toBeNull();
  await expect(wait(['battery'], { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ reason: 'cancelled' });
});

test('a person is told before the start, if anything is known', () => {
  expect(powerSentence(null, true)).toBeNull();
  expect(powerSentence('battery', true)).toContain('now: the run waits');
  expect(powerSentence('mains', true)).toMatch(/^If .* waits/);
  expect(powerSentence('battery', false)).toContain('does not wait');
});
