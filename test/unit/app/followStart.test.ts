// Which branch a run follows that its supervisor has started again.

import { expect, test } from 'vitest';
import type { NightBranch } from '../../../server/src/adapters/git/nightBranch.ts';
import { followStart } from '../../../server/src/app/nights/open/followStart.ts';
import { foldNights } from '../../../server/src/core/run/nights.ts';
import { createPart } from '../../helpers/createPart.ts';

const ids = { night: 'selfware/night-2026-11-25', run: 'run-1' };
const plan = { until: Date.now() + 3_600_000, maxChanges: 3, proposer: null, places: null };

test('a run that started without a branch stays at its commit, although a branch is checked out by then', async () => {
  const read: string[] = [];
  const branch = createPart<NightBranch>({ top: '/', head: async () => read.push('HEAD'), tip: async () => 'tip' });
  const last = (follows: string | null) =>
    foldNights([{ type: 'nightStarted', at: 5, sequence: 6, data: { ...ids, base: 'base', plan, follows } }])[0];
  expect((await followStart(branch, last('refs/heads/main'), 5)).follows).toBe('refs/heads/main');
  expect((await followStart(branch, last(null), 5)).follows).toBeUndefined();
  // What is checked out does not matter to it.
  expect(read).toEqual([]);
});
