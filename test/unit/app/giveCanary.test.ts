// When a run gives its proposer a task that cannot be solved, and what it keeps of the outcome.

import { expect, test } from 'vitest';
import type { BegunRun } from '../../../server/src/app/nights/beginRun.ts';
import { giveCanary, createHeldTest, chooseTrustedProposer } from '../../../server/src/app/nights/giveCanary.ts';
import type { NightContext } from '../../../server/src/app/nights/night.ts';
import type { Proposal } from '../../../server/src/core/model.ts';
import type { CanaryOutcome, CanaryRequest } from '../../../server/src/core/session/ask/canaryTypes.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { createPart } from '../../helpers/createPart.ts';

const operation = { signal: new AbortController().signal };
const plan = { until: 9_000, maxChanges: 3, proposer: 'mailbox:x', places: null };
const begun = { branch: 'one', run: 'run-1', since: 10, ...plan } satisfies BegunRun;
const judged = { proposer: 'mailbox:x', test: 'adds (2)', path: 'a.test.js', solved: true, reason: null };

function world(outcome: CanaryOutcome) {
  const events: object[] = [{ type: 'nightStarted', at: 10, data: { night: 'one', run: 'run-1', base: 'a', plan } }];
  const ledger = {
    query: async () => events,
    proposals: async () => [],
    record: async (event: object) => void events.push({ ...event, at: 20 }),
  };
  const context = createPart<NightContext>({ repository: { ledger }, request: { onEvent: () => undefined } });
  const asked: string[] = [];
  let tries = 0;
  const canary = async ({ onOutcome }: CanaryRequest) => {
    tries += 1;
    if (outcome.asked) {
      await onOutcome(judged);
      // The process may die here.
      expect(events.at(-1)).toMatchObject({ type: 'nightCanary' });
      asked.push('canary');
    }
    return outcome;
  };
  const query = async () => asked.map((kind) => ({ data: { task: { kind } } }));
  const session = createPart<Session>({ ledger: { query }, questions: { canary } });
  const give = async (questions: number, every = 2) => {
    asked.push(...Array<string>(questions).fill('request'));
    await giveCanary(context, begun, session, { 'night.canaryEvery': every }, operation);
    return tries;
  };
  return { context, events, give };
}

test('it is asked after so many questions; one that cannot be given waits for as many again', async () => {
  const { give } = world({ asked: false, reason: 'No test was found.' });
  expect([await give(1), await give(1), await give(0), await give(1), await give(1)]).toEqual([0, 1, 1, 1, 2]);
  expect(await give(9, 0)).toBe(2);
});

test('what came of it is stored with the run before the answer counts as read', async () => {
  const { context, events, give } = world({ asked: true, ...judged });
  expect(await chooseTrustedProposer(context, begun)).toBe('mailbox:x');
  expect(await give(2)).toBe(1);
  expect(events.at(-1)).toMatchObject({ data: { night: 'one', run: 'run-1', solved: true } });
  expect(await chooseTrustedProposer(context, begun)).toBeNull();
});

test('the order is held on each of its branches, and what was proposed in it is held by later orders, too', async () => {
  const { context, events, give } = world({ asked: true, ...judged });
  await give(2);
  const begin = (night: string, run: string, at: number, more: object) =>
    events.push({ type: 'nightStarted', at, data: { night, run, base: 'a', plan, ...more } });
  begin('two', 'run-2', 30, { since: 10 });
  expect(await chooseTrustedProposer(context, { ...begun, branch: 'two', run: 'run-2' })).toBeNull();
  begin('three', 'run-3', 40, {});
  expect(await chooseTrustedProposer(context, { ...begun, branch: 'three', run: 'run-3' })).toBe('mailbox:x');
  const isUntrusted = await createHeldTest(context, { branch: 'three' });
  const made = (author: 'model' | 'recipe', createdAt: number) =>
    isUntrusted({ author, recipe: '', createdAt } as Proposal);
  expect([made('model', 35), made('recipe', 35), made('model', 9), made('model', 40)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
