// What is left of a judgement's time for the comparison of calls and the mutants.

import { expect, test } from 'vitest';
import type { GateName } from '../../../server/src/core/model/gates.ts';
import type { VerifyContext } from '../../../server/src/core/verify/context.ts';
import {
  findTimeLeft,
  limitTimeLeft,
  MIN_GATE_SECONDS,
  MIN_RERUN_SECONDS,
} from '../../../server/src/core/verify/judge/timeLeft.ts';
import { createPart } from '../../helpers/createPart.ts';

const settings = { differentialSeconds: 30, guardSeconds: 60, guardMutants: 20, guardStrength: 80 };
const context = createPart<VerifyContext>({ proof: { settings } });
const verdict = (gate: GateName, seconds: number) =>
  ({ gate, outcome: 'passed', reason: '', evidence: { seconds }, millis: 0 }) as const;

type Limits = Parameters<typeof findTimeLeft>[3];
const unlimited = { budget: { seconds: null }, thorough: false };

/** The settings for what follows these verdicts after this time. */
function within(verdicts: Parameters<typeof findTimeLeft>[0], spent: number, limits: Limits = unlimited) {
  return limitTimeLeft(context, findTimeLeft(verdicts, spent, MIN_GATE_SECONDS, limits)).proof!.settings;
}

/** The seconds for both, after this time. */
function left(spent: number, checks: readonly (readonly [GateName, number])[]): readonly number[] {
  const { differentialSeconds, guardSeconds } = within(
    checks.map(([gate, seconds]) => verdict(gate, seconds)),
    spent,
  );
  return [differentialSeconds, guardSeconds];
}

test('they get what is left of 1.5 times the own checks, but 20 seconds, and not more than the settings say', () => {
  const own = [
    ['types', 8],
    ['lint', 2],
    ['tests', 30],
  ] as const;
  expect(left(32, own)).toEqual([28, 28]);
  expect(left(25, own)).toEqual([30, 35]);
  expect(left(58, own)).toEqual([20, 20]);
  // Checks that take no time leave enough, too.
  expect(left(1, [['tests', 0]])).toEqual([20, 20]);
  expect(left(1, [['tests', 600]])).toEqual([30, 60]);
  // What other gates take is no check of the repository.
  expect(left(32, [...own, ['claim', 90]])).toEqual([28, 28]);
});

test('it is known whether the judgement or the setting is the limit', () => {
  const isCut = (spent: number) => within([verdict('tests', 30)], spent).guardCut;
  expect([isCut(40), within([verdict('tests', 600)], 1).guardCut]).toEqual([true, false]);
  const comparison = (spent: number) => within([verdict('tests', 30)], spent).differentialCut;
  expect([comparison(40), comparison(1)]).toEqual([true, false]);
});

test('nothing takes more than the time allowed for the judgement leaves, less a second to report it', () => {
  const at = (spent: number, limits: Limits) => {
    const { differentialSeconds, guardSeconds, budgetCut } = within([verdict('tests', 2)], spent, limits);
    return [differentialSeconds, guardSeconds, budgetCut];
  };
  expect(at(3, { budget: { seconds: 15 }, thorough: false })).toEqual([11, 11, true]);
  expect(at(3, { budget: { seconds: 60 }, thorough: false })).toEqual([20, 20, false]);
  // Even with nothing left, the gates are not said to be switched off.
  expect(at(15, { budget: { seconds: 15 }, thorough: false })).toEqual([1, 1, true]);
  expect(at(3, { budget: { seconds: 45 }, thorough: true })).toEqual([30, 41, true]);
  expect(at(3, { budget: { seconds: null }, thorough: true })).toEqual([30, 60, undefined]);
  // The allowed time began before the judgement.
  expect(at(3, { budget: { seconds: 15, secondsLeft: () => 8 }, thorough: false })).toEqual([7, 7, true]);
});

test('old tests and claims get less in any case', () => {
  expect(findTimeLeft([verdict('tests', 2)], 10, MIN_RERUN_SECONDS, unlimited)?.seconds).toBe(5);
});
