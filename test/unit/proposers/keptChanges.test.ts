// A kept change begins the account of its task again.

import { expect, test } from 'vitest';
import { computeAccount, type AskEvent } from '../../../server/src/core/proposers/accounts.ts';
import { computeCost } from '../../../server/src/core/proposers/cost.ts';
import type { SessionContext } from '../../../server/src/core/session/context.ts';
import { collectKeptIds } from '../../../server/src/core/session/ask/pastAttempts.ts';
import { createPart } from '../../helpers/createPart.ts';
import type { AnsweredData, AskedData } from '../../../server/src/core/model/asks.ts';

const task = { kind: 'request', id: 'k', opportunity: null, path: null } as const;

function asked(at: number, more: Partial<AskedData> = {}): AskEvent & { readonly asked: AskedData } {
  const budget = { replyTokens: 500, seconds: 60 };
  return { at, asked: { ask: `ask-${at}`, run: 'earlier', task, proposer: 'p', promptTokens: 100, budget, ...more } };
}

function answered({ at, asked: { ask } }: ReturnType<typeof asked>, more: Partial<AnsweredData>): AskEvent {
  const none = { reason: null, proposal: null, model: null, usage: null, format: null, rung: null, millis: 1 };
  return { at, answered: { ask, task, outcome: 'refused', ...none, ...more } };
}

const usage = (input: number, output: number) => ({ input, output, cached: 0, estimated: false });

test('a kept change that was corrected, taken in part or merged counts as kept', async () => {
  const histories = [
    ...[
      { id: 'whole', status: 'rejected' },
      { id: 'part', status: 'withdrawn', partOf: 'whole', replaces: 'whole' },
    ],
    ...[
      { id: 'merged', status: 'kept', replaces: 'part' },
      { id: 'other', status: 'rejected' },
    ],
    { id: 'refused', status: 'refused', replaces: 'other' },
  ];
  const ledger = createPart<SessionContext['ledger']>({ histories: async () => histories });
  expect([...(await collectKeptIds({ ledger }))].sort()).toEqual(['merged', 'part', 'whole']);
});

test('a kept change begins the account of its task again, with all answers to its question', () => {
  const price = { input: 1_000_000, output: 0 };
  const [failed, sample, best, later] = [
    asked(1, { price }),
    asked(2, { price, round: 'r' }),
    asked(3, { price, round: 'r' }),
    asked(4, { price }),
  ];
  const cost = { usage: usage(50, 5) };
  const events = [
    ...[failed, answered(failed, cost), best, answered(best, { ...cost, outcome: 'proposed', proposal: 'kept' })],
    ...[sample, answered(sample, cost)],
  ];
  const accountOf = (all: readonly AskEvent[], kept: readonly string[]) =>
    computeAccount(all, 'k', 'now', 10, undefined, new Set(kept));
  expect(accountOf(events, [])).toMatchObject({ rounds: 2, taskTokens: 165, isSolved: false });
  expect(accountOf(events, ['kept'])).toMatchObject({
    ...{ rounds: 0, attempts: [], isSolved: true, dayTokens: 165 },
    ...{ taskTokens: 0, taskMoney: 0, taskAttempts: 0, taskSeconds: 0 },
  });
  const again = [...events, later, answered(later, { ...cost, outcome: 'proposed', proposal: 'second' })];
  expect(accountOf(again, ['kept'])).toMatchObject({ rounds: 1, taskTokens: 55, isSolved: false });
  // The attempts up to the first change were its cost.
  expect(computeCost(again, 'second', new Set(['kept', 'second']))).toMatchObject({ attempts: 1, money: 50 });
  expect(computeCost(again, 'second')).toMatchObject({ attempts: 3 });
});
