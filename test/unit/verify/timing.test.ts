// Slower, faster or the same: the rank test against its formula, and the gate on runs of known length.

import { expect, test } from 'vitest';
import type { DetectedCommand } from '../../../server/src/core/verify/detect/command.ts';
import type { GateInput } from '../../../server/src/core/verify/gate.ts';
import { gate as timing } from '../../../server/src/core/verify/gates/timing/gate.ts';
import { computeMedian } from '../../../server/src/util/median.ts';
import { compareTimes, computeMannWhitney } from '../../../server/src/core/verify/timing/compareTimes.ts';
import { createPart } from '../../helpers/createPart.ts';

test('the rank test gives what its formula gives by hand, and SciPy', () => {
  // U = 0 of 25: mean 12.5, variance 25/12 · 11, z = 12/4.787.
  expect(computeMannWhitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])).toBeCloseTo(0.01218, 4);
  // U = 35 of 50: mean 25, variance 50/12 · 16, z = 9.5/8.165.
  expect(
    computeMannWhitney([0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46], [1.15, 0.88, 0.9, 0.74, 1.21]),
  ).toBeCloseTo(0.2446, 4);
  // One tie of two: U = 0.5 of 4, mean 2, variance 4/12 · (5 − 6/12), z = 1/1.2247.
  expect(computeMannWhitney([1, 2], [2, 3])).toBeCloseTo(0.4142, 3);
  expect(computeMannWhitney([1, 1, 1], [1, 1, 1])).toBe(1);
  expect([computeMedian([3, 1, 2]), computeMedian([4, 1, 2, 3])]).toEqual([2, 2.5]);
});

test('a difference counts only beyond what the base shows against itself', () => {
  const around = (middle: number, spread: number) => [-3, 2, -1, 0, 1, -2, 3, 0].map((step) => middle + step * spread);
  const verdict = (candidate: readonly number[], again = around(100, 1)) =>
    compareTimes({ base: around(100, 1), candidate, again }).verdict;
  expect(verdict(around(100, 1))).toBe('same');
  expect(verdict(around(120, 1))).toBe('more');
  expect(verdict(around(80, 1))).toBe('less');
  // The base itself was slower by a fifth the second time.
  expect(verdict(around(115, 1), around(120, 1))).toBe('same');
  // Far apart, but only once.
  expect(verdict([100, 101, 99, 100, 100, 101, 99, 400])).toBe('same');
});

/** Every run takes what the table says, by turns. */
function benchmark(
  times: { readonly base: number; readonly candidate: number },
  more: {
    readonly spread?: number;
    readonly timeoutSeconds?: number;
    readonly exitCode?: number;
    readonly benchCommand?: string;
  } = {},
) {
  let now = 0;
  let turn = 0;
  const sides: string[] = [];
  const rerun = async (side: 'base' | 'candidate', command: DetectedCommand) => {
    sides.push(side);
    const millis = times[side] + (turn++ % (more.spread ?? 5));
    now += millis;
    return {
      answer: {
        outcome: 'exited',
        exitCode: side === 'candidate' ? (more.exitCode ?? 0) : 0,
        millis,
        line: command.command[0],
        output: '',
      },
      value: null,
      touched: [],
    };
  };
  const run = createPart<GateInput>({
    context: {
      trusted: true,
      clock: { now: () => now },
      settings: { benchCommand: more.benchCommand ?? 'npm run bench', timeoutSeconds: more.timeoutSeconds ?? 600 },
    },
    rerun,
  });
  return { sides, answer: () => timing(run, new AbortController().signal) };
}

test('the gate measures in turns', async () => {
  const { sides, answer } = benchmark({ base: 1000, candidate: 1001 });
  expect(await answer()).toMatchObject({
    outcome: 'passed',
    reason: expect.stringMatching(/^The benchmark shows no difference beyond its noise \(0\.\d %\)\.$/),
    evidence: { rounds: 8 },
  });
  expect(sides.slice(0, 6)).toEqual(['base', 'candidate', 'base', 'base', 'candidate', 'base']);
  expect(await benchmark({ base: 1000, candidate: 1500 }).answer()).toMatchObject({
    outcome: 'failed',
    reason: expect.stringMatching(
      /^The benchmark is (49|50)\.\d % slower; runs of the unchanged repository differ by 0\.\d %\.$/,
    ),
  });
  expect(await benchmark({ base: 1000, candidate: 500 }).answer()).toMatchObject({
    outcome: 'passed',
    reason: expect.stringMatching(/ % faster; /),
  });
  expect(await benchmark({ base: 1000, candidate: 1000 }, { exitCode: 1 }).answer()).toMatchObject({
    outcome: 'failed',
  });
  expect(await benchmark({ base: 60_000, candidate: 60_000 }).answer()).toMatchObject({
    outcome: 'unknown',
    reason: 'The benchmark takes too long to be repeated 6 times within 600 s.',
  });
  expect(await benchmark({ base: 1, candidate: 1 }, { benchCommand: ' ' }).answer()).toMatchObject({
    outcome: 'unknown',
  });
});

test('no round is begun that would not end before the time is over', async () => {
  const rounds = async (timeoutSeconds: number) =>
    (await benchmark({ base: 1000, candidate: 1000 }, { spread: 1, timeoutSeconds }).answer()).evidence['rounds'];
  expect([await rounds(27), await rounds(27.001), await rounds(24.001), await rounds(24)]).toEqual([7, 8, 7, 6]);
  expect(await benchmark({ base: 1000, candidate: 1000 }, { spread: 1, timeoutSeconds: 21 }).answer()).toMatchObject({
    outcome: 'unknown',
    evidence: { rounds: 5, dependsOnTime: 1 },
  });
});
