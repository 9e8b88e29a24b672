// In a log, a long check says few lines; each new step says one at once.

import { expect, test } from 'vitest';
import { createLogFilter } from '../../server/src/cli/writers/logFilter.ts';

test.each([
  ['a check', (second: number) => `Tests: ${second} s with the change`],
  ['a set-up', (second: number) => `pnpm install, --frozen-lockfile${second === 0 ? '' : `, ${second} s`}`],
])('%s that reports every second gets fewer and fewer lines', (_, messageAt) => {
  const isWorthALine = createLogFilter();
  const told: number[] = [];
  for (let second = 0; second <= 200; second++)
    if (isWorthALine({ stage: 'verifying', message: messageAt(second) }, second * 1000)) told.push(second);
  expect(told).toEqual([0, 5, 15, 35, 75, 135, 195]);
});

test('a new step is told at once, and begins anew', () => {
  const isWorthALine = createLogFilter();
  const tell = (message: string, second: number) => isWorthALine({ stage: 'verifying', message }, second * 1000);
  expect([tell('Types', 0), tell('Types: 1 s with the change', 1), tell('Tests', 1)]).toEqual([true, false, true]);
  expect([tell('Tests: 3 s', 4), tell('Tests: 5 s', 6), tell('Tests: 10 s', 11)]).toEqual([false, true, false]);
});

test('of what is counted through only the beginning is told', () => {
  const isWorthALine = createLogFilter();
  const tell = (message: string, second: number) => isWorthALine({ stage: 'analysing', message }, second * 1000);
  expect([tell('1 of 9 files', 0), tell('2 of 9 files', 30), tell('3 of 9 files', 90)]).toEqual([true, false, false]);
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
