// What a person learns of a run that ends while the disk is full.

import { expect, test } from 'vitest';
import type { BegunRun } from '../../../server/src/app/nights/beginRun.ts';
import type { NightContext } from '../../../server/src/app/nights/night.ts';
import { outlastErrors } from '../../../server/src/app/nights/open/outlastErrors.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createPart } from '../../helpers/createPart.ts';

/** A run that is stopped while the disk is full. `isFull`: the ledger records nothing. */
async function stoppedWhileFull(isFull: boolean) {
  const until = Date.now() + 3_600_000;
  const plan = { until, maxChanges: 3, proposer: null, places: null };
  const full = new SelfwareError('diskFull', 'The disk is full.');
  const said: { readonly type: string; readonly reason?: string }[] = [];
  const events: object[] = [{ type: 'nightStarted', at: 0, data: { night: 'n', run: 'r', base: 'a', plan } }];
  const ledger = {
    isStopped: async () => true,
    query: async () => events,
    proposals: async () => [],
    async record(event: object) {
      if (isFull) throw full;
      events.push({ ...event, at: 1 });
    },
  };
  const request = {
    signal: new AbortController().signal,
    waits: true,
    log: { write: () => undefined },
    onEvent: (event: (typeof said)[number]) => said.push(event),
  };
  const branch = { top: '/', release: async () => undefined };
  const context = createPart<NightContext>({ request, places: { folder: '/' }, branch, repository: { ledger } });
  const begunRun = { branch: 'n', run: 'r', since: 0, ...plan } as BegunRun;
  const night = outlastErrors(context, async (_, onBegun) => {
    onBegun(begunRun);
    throw full;
  });
  return { said, state: await night.then(({ state }) => state).catch((error: Error) => error.message) };
}

test('a run whose end cannot be recorded fails with its error, and one whose end is recorded has stopped', async () => {
  const ended = await stoppedWhileFull(false);
  expect(ended.state).toBe('stopped');
  expect(ended.said[0]?.reason).toBe('The disk is full. It continues by itself once 512 MB are free.');
  const silent = await stoppedWhileFull(true);
  expect(silent.state).toBe('The disk is full.');
  expect(silent.said.map(({ type }) => type)).toEqual(['waiting']);
});
