// In a log, each step is one line, and a long step gets a few more.

import { expect, test } from 'vitest';
import { createLogFilter } from '../../server/src/cli/writers/logFilter.ts';

test.each([
  ['a check', (second: number) => `Tests: ${second} s with the change`],
  ['a set-up', (second: number) => `pnpm install, --frozen-lockfile${second === 0 ? '' : `, ${second} s`}`],
])('%s that reports every second gets a line a minute, then fewer and fewer', (_, messageAt) => {
  const isWorthALine = createLogFilter();
  const told: number[] = [];
  for (let second = 0; second <= 500; second++)
    if (isWorthALine({ stage: 'verifying', message: messageAt(second) }, second * 1000)) told.push(second);
  expect(told).toEqual([0, 60, 180, 420]);
});

test('a new step is told at once, and one that comes back is not told again', () => {
  const isWorthALine = createLogFilter();
  const tell = (message: string, second: number) => isWorthALine({ stage: 'verifying', message }, second * 1000);
  expect([tell('Types', 0), tell('Types: 1 s with the change', 1), tell('Tests', 1)]).toEqual([true, false, true]);
  expect([tell('Types', 4), tell('Tests: 5 s', 6), tell('Tests: 65 s', 67)]).toEqual([false, false, true]);
});

test('of what is counted through only the beginning is told, and once', () => {
  const isWorthALine = createLogFilter();
  const tell = (stage: 'walking' | 'analysing', message: string, second: number) =>
    isWorthALine({ stage, message }, second * 1000);
  expect([tell('analysing', '1 of 9 files', 0), tell('analysing', '2 of 9 files', 90)]).toEqual([true, false]);
  expect([tell('walking', 'Looking for files', 91), tell('analysing', '1 of 9 files', 92)]).toEqual([true, false]);
  expect(tell('walking', 'Looking for files', 93)).toBe(false);
});

test('each change that is tried is told, but not each place that gives none', () => {
  const isWorthALine = createLogFilter();
  const tell = (stage: 'realising' | 'verifying', message: string) => isWorthALine({ stage, message }, 0);
  expect([tell('realising', 'a in b'), tell('realising', 'a in c'), tell('verifying', 'Tests')]).toEqual([
    true,
    false,
    true,
  ]);
  expect([tell('realising', 'a in d'), tell('verifying', 'Tests')]).toEqual([true, false]);
});

test('the opening of a sandbox is no line of its own, and does not make the step after it new', () => {
  const isWorthALine = createLogFilter();
  const tell = (message: string) => isWorthALine({ stage: 'verifying', message }, 0);
  expect([tell('Opening a sandbox'), tell('Tests'), tell('Opening a sandbox'), tell('Tests: 1 s')]).toEqual([
    false,
    true,
    false,
    false,
  ]);
});
