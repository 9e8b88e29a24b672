// What depends on time says nothing on a busy machine: measured by a port, and only where it matters.

import { expect, test } from 'vitest';
import type { Verdict } from '../../../server/src/core/model.ts';
import type { GateName } from '../../../server/src/core/model/gates.ts';
import {
  BUSY_KEY,
  describeLoadIfBusy,
  isDeferredAsBusy,
  canBeDeferredAgain,
  markUnknownIfBusy,
  findWaitingVerdict,
  markTimeDependent,
} from '../../../server/src/core/verify/busyMachine.ts';
import { createMachine } from '../../../server/src/adapters/system/system.ts';
import { failed, passed, unknown } from '../../../server/src/core/verify/answer.ts';

const loaded = (running: number, cores = 2) => ({ load: () => ({ running, cores }) });

test.each([
  ['nothing to do', loaded(0), null],
  ['one process a core, as in our own runs', loaded(2), null],
  ['a little less than two a core', loaded(3.9), null],
  ['two a core', loaded(4), '4.0 running or waiting to run on 2 cores'],
  ['much on one core', loaded(9.25, 1), '9.3 running or waiting to run on 1 core'],
  ['a system that does not say', { load: () => null }, null],
  ['nobody to ask', undefined, null],
])('%s', (_what, machine, expected) => {
  expect(describeLoadIfBusy(machine)).toBe(expected);
});

test('an answer that depends on time is none on a busy machine, whatever it was', () => {
  for (const answer of [passed('Fast.'), failed('Slow.'), unknown('Stopped.')]) {
    expect(markUnknownIfBusy(markTimeDependent(answer), loaded(8))).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringContaining(`${answer.reason} The machine was busy (8.0 running`),
    });
    expect(markUnknownIfBusy(markTimeDependent(answer), loaded(1)).outcome).toBe(answer.outcome);
    expect(markUnknownIfBusy(answer, loaded(8))).toBe(answer);
  }
});

const verdict = (gate: GateName, outcome: Verdict['outcome'], isBusy = false): Verdict => ({
  gate,
  outcome,
  reason: '',
  evidence: isBusy ? { [BUSY_KEY]: 'much' } : {},
  millis: 0,
});

test.each<[what: string, verdicts: readonly Verdict[], expected: GateName | undefined]>([
  ['nothing busy', [verdict('tests', 'unknown'), verdict('guard', 'unknown')], undefined],
  ['tests', [verdict('tests', 'unknown', true)], 'tests'],
  [
    'a benchmark, with all else proven',
    [verdict('timing', 'unknown', true), verdict('differential', 'passed')],
    'timing',
  ],
  [
    'a comparison whose place the mutants take',
    [verdict('differential', 'unknown', true), verdict('guard', 'passed')],
    undefined,
  ],
  [
    'a comparison, and weak tests',
    [verdict('differential', 'unknown', true), verdict('guard', 'unknown')],
    'differential',
  ],
  ['mutants', [verdict('differential', 'unknown'), verdict('guard', 'unknown', true)], 'guard'],
])('what waits for a quiet machine: %s', (_what, verdicts, expected) => {
  expect(findWaitingVerdict(verdicts)?.gate).toBe(expected);
});

test('a proposal is put off three times at most, and is put off only until it has verdicts', () => {
  expect(
    [undefined, 1, 2, 3].map((deferredBusy) => canBeDeferredAgain(deferredBusy === undefined ? {} : { deferredBusy })),
  ).toEqual([true, true, true, false]);
  expect(isDeferredAsBusy({ status: 'deferred', deferredBusy: 1, verdicts: [] })).toBe(true);
  expect(isDeferredAsBusy({ status: 'deferred', verdicts: [] })).toBe(false);
  expect(isDeferredAsBusy({ status: 'deferred', deferredBusy: 1, verdicts: [verdict('tests', 'passed')] })).toBe(false);
  expect(isDeferredAsBusy({ status: 'verifying', deferredBusy: 1, verdicts: [] })).toBe(false);
});

test('this machine says what it has to do, or that it does not say', () => {
  const load = createMachine({}).load();
  if (process.platform === 'win32') expect(load).toBeNull();
  else expect(load).toEqual({ running: expect.any(Number), cores: expect.any(Number) });
});
