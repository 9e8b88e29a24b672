// What is left of a judgement's time for the comparison of calls and the mutants.

import { expect, test } from 'vitest';
import type { GateName } from '../../../server/src/core/model/gates.ts';
import type { VerifyContext } from '../../../server/src/core/verify/context.ts';
import { findSecondsLeft, limitTimeLeft } from '../../../server/src/core/verify/judge/timeLeft.ts';
import { createPart } from '../../helpers/createPart.ts';

const settings = { differentialSeconds: 30, guardSeconds: 60, guardMutants: 20, guardStrength: 80 };
const context = createPart<VerifyContext>({ proof: { settings } });
const verdict = (gate: GateName, seconds: number) =>
  ({ gate, outcome: 'passed', reason: '', evidence: { seconds }, millis: 0 }) as const;

/** The settings for what follows these verdicts after this time. */
function within(verdicts: Parameters<typeof findSecondsLeft>[0], spent: number) {
  return limitTimeLeft(context, findSecondsLeft(verdicts, spent)).proof!.settings;
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
