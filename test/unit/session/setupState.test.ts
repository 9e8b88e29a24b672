// What the doctor says of the last set-up, and what it advises.

import { expect, test } from 'vitest';
import { readSetupState, storeSetupRecord, testsSentence } from '../../../server/src/core/session/setup/setupState.ts';
import type { SetupCheck, SetupRecord } from '../../../server/src/core/model/setup.ts';
import { createMemoryDocuments } from '../../helpers/memoryState.ts';
import { createPart } from '../../helpers/createPart.ts';

const check: SetupCheck = {
  name: 'tests',
  command: 'npm test',
  runs: false,
  tests: null,
  passed: null,
  failed: null,
  seconds: 1,
  reason: '`npm test` ends with 0, and no count can be read from it.',
};
const record: SetupRecord = {
  at: 1,
  plan: '',
  name: '',
  shape: '',
  manager: 'npm',
  services: [],
  values: {},
  testCommand: null,
  checks: [check],
  missing: [],
};

async function stateOf(kept: SetupRecord | null) {
  const ports = { documents: createMemoryDocuments(), clock: { now: () => 1 } };
  const context = createPart<Parameters<typeof readSetupState>[0]>({ ports });
  if (kept) await storeSetupRecord(context, kept);
  return readSetupState(context);
}

test('before the first set-up, the advice is to run it', async () => {
  expect(await stateOf(null)).toMatchObject({
    outcome: 'none',
    action: 'If packages are missing, run `selfware setup`.',
  });
});

test('after one whose tests did not run, the advice is to change something first', async () => {
  const { outcome, detail, action } = await stateOf(record);
  expect([outcome, detail]).toEqual(['degraded', check.reason]);
  expect(action).toMatch(/^Set the command that runs them .*`selfware.verify.testCommand`.* again\.$/);
  const missing = [{ what: 'the packages', action: 'Install npm.' }];
  expect((await stateOf({ ...record, missing })).action).toBe('Install npm.');
});

test('after one whose tests ran, there is nothing to do', async () => {
  const fine = { ...record, checks: [{ ...check, runs: true, tests: 3, passed: 3, failed: 0, reason: null }] };
  expect(await stateOf(fine)).toMatchObject({ outcome: 'good', action: null });
});

test('the count of tests names those that fail and those that are skipped', () => {
  const counts = { ...check, runs: true, tests: 1_300, passed: 1_298, failed: 2, seconds: 2.64 };
  expect(testsSentence(counts)).toBe('1,300 tests, 2 of them red, 2.6 s');
  expect(testsSentence({ ...counts, failed: 0, skipped: 12 })).toBe('1,300 tests, 12 skipped, 2.6 s');
});
