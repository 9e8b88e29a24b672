// The sidebar's line about the repository's own tests.

import { expect, test } from 'vitest';
import { createTestsLine } from '../../server/src/core/session/setup/testsLine.ts';
import type { Verdict } from '../../server/src/core/model.ts';

const verdict = (outcome: Verdict['outcome'], reason: string): Verdict => ({
  gate: 'tests',
  outcome,
  reason,
  evidence: {},
  millis: 1,
});
const none = { outcome: 'none', detail: 'not set up yet', action: 'Run `selfware setup`.' } as const;
const checked = [
  { createdAt: 2, verdicts: [verdict('passed', '55 tests passed.')] },
  { createdAt: 1, verdicts: [verdict('passed', '54 tests passed.')] },
  { createdAt: 3, verdicts: [verdict('unknown', 'No tests were found.')] },
];

test('tests that ran in a check need no set-up', () => {
  expect(createTestsLine(none, checked)).toEqual({
    outcome: 'ran',
    detail: '55 tests passed when a change was checked',
    action: null,
  });
});

test('tests that a change failed run here; tests that fail without any change need a look at the set-up', () => {
  const failing = {
    createdAt: 4,
    verdicts: [verdict('failed', '1 test fails with the change and not without it: a.')],
  };
  expect(createTestsLine(none, [...checked, failing])).toMatchObject({ outcome: 'ran', action: null });
  const before = verdict('passed', 'Already failing: 499 tests fail with and without the change; 1 passed.');
  expect(createTestsLine(none, [{ createdAt: 5, verdicts: [before] }])).toEqual({
    outcome: 'degraded',
    detail: '499 tests fail with and without the change; 1 passed',
    action: 'If packages or services are missing, run `selfware setup`.',
  });
});

test('without such a check, or after a set-up, the set-up has the word', () => {
  expect(createTestsLine(none, checked.slice(2))).toEqual(none);
  const broken = { outcome: 'degraded', detail: 'no test ran', action: null } as const;
  expect(createTestsLine(broken, checked)).toEqual(broken);
});
