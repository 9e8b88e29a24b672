// What becomes of the answer to a wish that waits for a quieter machine when it is verified again.

import { expect, test } from 'vitest';
import { tryWish } from '../../../server/src/app/nights/tryWish.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createPart } from '../../helpers/createPart.ts';

const { signal } = new AbortController();

/**
 * Tries a wish whose answer waits for a quieter machine. `onVerify`: the status after each verification. `wanted`: the
 * answers to whether it is still wanted; the last one holds from then on.
 */
async function triedAgain({
  onVerify = ['verified'],
  wanted = [true],
  held = [],
  applied = 'kept',
  isAskedToEnd = async () => false,
}: {
  readonly onVerify?: readonly ('verified' | 'refused' | 'deferred')[];
  readonly wanted?: readonly boolean[];
  readonly held?: readonly string[];
  readonly applied?: 'kept' | 'rolledBack';
  readonly isAskedToEnd?: () => Promise<boolean>;
}) {
  const did: string[] = [];
  const [statuses, answers] = [[...onVerify], [...wanted]];
  const busy = (id: string) => ({ id, status: 'deferred', deferredBusy: 1, verdicts: [], reason: `Busy: ${id}.` });
  const session = createPart<Session>({
    memory: { index: async () => undefined },
    proposals: {
      all: async () => [busy('old')],
      explainNeedToAsk: async () => null,
      decide: async ({ reason }: { readonly reason: string }) => void did.push(reason),
    },
    questions: {
      async ask() {
        did.push('asked');
        const usage = { input: 1, output: 1, estimated: false };
        return { proposal: { id: 'new' }, refused: null, final: false, left: 0, model: null, usage };
      },
    },
    failedTasks: { interventions: async () => [] },
    verification: {
      async verify(id: string) {
        did.push(`verified ${id}`);
        const status = statuses.shift() ?? 'refused';
        return status === 'deferred' ? busy(id) : { id, status, verdicts: [], reason: `${status} ${id}.` };
      },
    },
    changes: {
      async apply({ proposal: id }: { readonly proposal: string }) {
        did.push(`applied ${id}`);
        return { proposal: { id, status: applied } };
      },
    },
  });
  const tries = [{ run: 'r', reason: null, proposal: 'old', isDeferred: true as const }];
  const isStillWanted = async () => (answers.length > 1 ? answers.shift()! : answers[0]!);
  const isHeld = ({ id }: { readonly id: string }) => held.includes(id);
  const wish = { text: 'Round up.', tests: null, tries };
  const missed: string[] = [];
  const onMiss = async (kind: string, { id }: { readonly id: string }) => void missed.push(`${kind} ${id}`);
  const limits = { isStillWanted, isAskedToEnd, isHeld, onMiss };
  const { reason, asks, isDeferred } = await tryWish(session, wish, 'model', limits, { signal });
  return { reason, asks, isDeferred, did, missed };
}

const LATE = 'The wish was dropped, or its test has changed, while it was tried.';

test('an answer does not wait for a quieter machine once its wish got another test', async () => {
  const again = { onVerify: ['deferred'] } as const;
  expect(await triedAgain(again)).toMatchObject({ reason: 'Busy: old.', isDeferred: true });
  expect(await triedAgain({ ...again, wanted: [false] })).toMatchObject({ reason: LATE, isDeferred: false });
});

test('a refused answer that waited gives the reason, and nobody is asked for a wish that was dropped meanwhile', async () => {
  const three = { onVerify: ['refused', 'refused', 'refused', 'refused'] } as const;
  const all = await triedAgain(three);
  expect(all.did.filter((one) => one === 'asked')).toHaveLength(3);
  expect(all.missed).toEqual(['refused old', 'refused new', 'refused new', 'refused new']);
  const once = await triedAgain({ onVerify: ['refused', 'verified'] });
  expect(once.did).toEqual(['verified old', 'asked', 'verified new', 'applied new']);
  const late = await triedAgain({ onVerify: ['refused'], wanted: [false] });
  expect(late).toMatchObject({ reason: LATE, did: ['verified old'] });
  const later = await triedAgain({ ...three, wanted: [true, false] });
  expect(later).toMatchObject({ reason: LATE, did: ['verified old', 'asked', 'verified new'] });
});

test('each answer that a check refused is recorded, also if the next one is committed, and one that was rolled back', async () => {
  expect((await triedAgain({ onVerify: ['refused', 'verified'] })).missed).toEqual(['refused old']);
  expect((await triedAgain({ applied: 'rolledBack' })).missed).toEqual(['rolledBack old']);
  expect((await triedAgain({})).missed).toEqual([]);
});

test('a run that is asked to end asks no further question for its wish, and keeps an answer that passed', async () => {
  const isAskedToEnd = async () => true;
  const refused = await triedAgain({ onVerify: ['refused'], isAskedToEnd });
  expect(refused).toMatchObject({ reason: 'refused old.', did: ['verified old'] });
  expect(await triedAgain({ isAskedToEnd })).toMatchObject({ reason: null, did: ['verified old', 'applied old'] });
});

test('an answer is not used without a person whose proposer is held', async () => {
  const fresh = await triedAgain({ held: ['old'] });
  expect(fresh).toMatchObject({ reason: null, did: ['asked', 'verified new', 'applied new'] });
  const reason = 'Its proposer has “solved” a task that cannot be solved.';
  const both = await triedAgain({ held: ['old', 'new'] });
  expect(both).toMatchObject({ reason, asks: true, did: ['asked', 'verified new', reason] });
});

test.each([
  ['a model that could not be loaded', { afterMs: null }, true],
  ['a question that may have been charged', { afterMs: null, isCharged: true }, false],
  ['a failure that a person has to mend', null, false],
])('an error before any answer, %s: does the wish wait? %s', async (_what, retry, waits) => {
  const ask = async () => {
    throw new SelfwareError('unavailable', 'No memory for it.', { retry });
  };
  const session = createPart<Session>({ memory: { index: async () => undefined }, questions: { ask } });
  const limits = { isStillWanted: async () => true, isHeld: () => false };
  const outcome = await tryWish(session, { text: 'Round up.', tests: null, tries: [] }, 'gguf:m', limits, { signal });
  expect(outcome).toMatchObject({ reason: 'No memory for it.', isDeferred: waits });
  expect((outcome.retryAt ?? 0) > Date.now()).toBe(waits);
});
