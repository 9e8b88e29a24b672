// A run looks at the feedback while it lasts, and notes what is new.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { analyseFeedbackHourly } from '../../../server/src/app/nights/open/lookHourly.ts';
import type { NightRequest } from '../../../server/src/app/nights/night.ts';
import { resolveNightFolders } from '../../../server/src/app/nights/nightFolders.ts';
import { openLedger } from '../../../server/src/app/nights/sharedKnowledge.ts';
import { createTemporaryRepository } from '../../helpers/temporaryRepository.ts';

test('what was corrected three times in the repository becomes a note of the run, once', async () => {
  const repository = await createTemporaryRepository({ 'a.js': 'export const a = 1;\n' });
  const home = await mkdtemp(join(tmpdir(), 'selfware-look-'));
  const env = { PATH: process.env['PATH'], SELFWARE_HOME: home };
  const log = { write: () => undefined };
  const { ledger, close } = await openLedger(resolveNightFolders(repository.dir, env).state, log);
  try {
    for (const session of ['a', 'b', 'c']) {
      const data = { session, kind: 'user_correction', dimension: 'output-hygiene', value: null, note: null } as const;
      await ledger.record({ type: 'feedbackRecorded', data });
    }
    const notes: string[] = [];
    const request: NightRequest = {
      ...{ rootDir: repository.dir, personSettings: {}, env, log, waits: true, signal: new AbortController().signal },
      plan: { until: Date.now(), maxChanges: 1, proposer: null, places: null },
      onEvent: (event) => void (event.type === 'note' && notes.push(event.text)),
    };
    const stop = analyseFeedbackHourly(request, 20);
    const looks = async () => (await ledger.query({ types: ['feedbackLooked'] })).length;
    await expect.poll(looks, { timeout: 20_000 }).toBe(1);
    await expect.poll(() => notes, { timeout: 20_000 }).toEqual(['“output-hygiene” was corrected 3 times.']);
    await stop();
    expect([notes.length, await looks()]).toEqual([1, 1]);
  } finally {
    await close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
    await repository.dispose();
  }
});
