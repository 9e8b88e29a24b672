// What the next process of a run does about the work of one that died: it applies what had passed its checks, and does
// no wish twice.

import type { WorkScope } from '../../../server/src/core/model/workScope.ts';
import { expect, test } from 'vitest';
import { finishVerified } from '../../../server/src/app/nights/finishVerified.ts';
import type { NightContext } from '../../../server/src/app/nights/night.ts';
import {
  changeOfWish,
  isWanted,
  tryWish,
  findUnwantedProposals,
  tryNextWish,
} from '../../../server/src/app/nights/tryWish.ts';
import { readWishes } from '../../../server/src/core/run/wishes.ts';
import type { Breakdowns } from '../../../server/src/core/session/cycle/round.ts';
import type { NightMiss } from '../../../server/src/core/model/nights.ts';
import { taskId } from '../../../server/src/core/session/ask/taskId.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createPart } from '../../helpers/createPart.ts';

const signal = new AbortController().signal;
const proposal = (id: string, status: string, path = `src/${id}.ts`, author = 'recipe') => ({
  id,
  author,
  status,
  title: id,
  recipe: author === 'recipe' ? 'remove-else' : 'asked',
  edits: [{ path, before: 'const a = 1;\n', after: 'const a = 2;\n' }],
  verdicts: [],
  pointsAfter: null,
  opportunity: { id: `o-${id}`, rule: 'r', path },
});

async function finished(
  proposals: readonly ReturnType<typeof proposal>[],
  {
    most = 9,
    scope = {} as WorkScope,
    asks = [] as readonly string[],
    dismissed = [] as readonly string[],
    unwanted = [] as readonly string[],
    isUntrusted = false,
    trouble = null as SelfwareError['reason'] | null,
    onTree = 'verified' as 'verified' | 'refused' | 'deferred',
    again = { proposals: new Set(), consecutiveCount: 0 } as Breakdowns | null,
    cutOff = null as SelfwareError['reason'] | null,
  } = {},
) {
  const verifiedAgain: string[] = [];
  const applied: string[] = [];
  const deferred: string[] = [];
  const misses: NightMiss[] = [];
  const session = createPart<Session>({
    opportunities: { dismissals: async () => dismissed.map((opportunity) => ({ opportunity })) },
    proposals: {
      all: async () => proposals,
      explainNeedToAsk: async (id: string) => (asks.includes(id) ? 'A person decides.' : null),
      decide: async ({ proposal: id }: { readonly proposal: string }) => void deferred.push(id),
    },
    verification: {
      async verify(id: string) {
        verifiedAgain.push(id);
        if (cutOff !== null) throw new SelfwareError(cutOff, 'It broke down.');
        return { ...proposals.find((one) => one.id === id), status: onTree };
      },
    },
    changes: {
      async apply({ proposal: id }: { readonly proposal: string }) {
        if (trouble !== null) throw new SelfwareError(trouble, 'Not now.');
        applied.push(id);
        return { proposal: { ...proposals.find((one) => one.id === id), status: 'kept' } };
      },
    },
  });
  const settled = await finishVerified(
    session,
    { signal },
    {
      maxChanges: most,
      scope,
      unwanted: new Set(unwanted),
      isUntrusted: ({ author }) => isUntrusted && author !== 'recipe',
      breakdowns: again,
    },
    async (miss) => void misses.push(miss),
  );
  return {
    applied,
    deferred,
    misses: misses.map(({ what, proposal: id }) => `${what} ${id}`),
    ...(verifiedAgain.length > 0 ? { verifiedAgain } : {}),
    settled,
  };
}

test('a claim that other changes could affect is verified again on the tree as it is now', async () => {
  const all = [proposal('model', 'verified', 'src/a.ts', 'model'), proposal('recipe', 'verified')];
  const verifiedAgain = ['model'];
  expect(await finished(all)).toMatchObject({ applied: ['model', 'recipe'], verifiedAgain, settled: 2 });
  const refused = await finished(all, { onTree: 'refused' });
  expect(refused).toMatchObject({ applied: ['recipe'], misses: ['refused model'], settled: 2 });
  const busy = await finished(all, { onTree: 'deferred' });
  expect(busy).toMatchObject({ applied: ['recipe'], misses: [], settled: 2 });
});

test('where candidates are verified one after the other, nothing is verified again', async () => {
  const all = [proposal('model', 'verified', 'src/a.ts', 'model'), proposal('recipe', 'verified')];
  const { verifiedAgain, applied } = await finished(all, { again: null, onTree: 'refused' });
  expect({ verifiedAgain, applied }).toEqual({ verifiedAgain: undefined, applied: ['model', 'recipe'] });
});

test('a verification that breaks down is reported once, and the others are applied', async () => {
  const all = [proposal('model', 'verified', 'src/a.ts', 'model'), proposal('recipe', 'verified')];
  const again = { proposals: new Set<string>(), consecutiveCount: 0 };
  for (const misses of [['brokeDown model'], []])
    expect(await finished(all, { again, cutOff: 'timedOut' })).toMatchObject({ applied: ['recipe'], misses });
});

test('three breakdowns in a row end the run, as does an error that others would meet', async () => {
  const all = ['a', 'b', 'c'].map((id) => proposal(id, 'verified', `src/${id}.ts`, 'model'));
  await expect(finished(all, { cutOff: 'timedOut' })).rejects.toMatchObject({ reason: 'timedOut' });
  expect((await finished(all.slice(1), { cutOff: 'timedOut' })).misses).toHaveLength(2);
  await expect(finished(all, { cutOff: 'damaged' })).rejects.toMatchObject({ reason: 'damaged' });
});

test('while its author may change nothing more, a proposal waits, and what others made is applied', async () => {
  const all = [proposal('model', 'verified', 'src/a.ts', 'model'), proposal('recipe', 'verified')];
  expect(await finished(all, { cutOff: 'paused' })).toMatchObject({ applied: ['recipe'], misses: [], settled: 1 });
});

test('what cannot be applied now is not settled, so that the run does something else', async () => {
  expect((await finished([proposal('p', 'verified')], { trouble: 'paused' })).settled).toBe(0);
});

test('what had passed its checks is applied; what was decided, or is not verified yet, is left alone', async () => {
  const all = ['verified', 'approved', 'deferred', 'proposed', 'kept', 'refused'].map((status) =>
    proposal(status, status),
  );
  expect(await finished(all)).toMatchObject({ applied: ['verified', 'approved'], deferred: [], misses: [] });
});

test('what a proposer made waits once it is held; what recipes made does not', async () => {
  const all = [proposal('model', 'verified', 'src/a.ts', 'model'), proposal('recipe', 'verified')];
  expect(await finished(all, { isUntrusted: true })).toMatchObject({
    applied: ['recipe'],
    deferred: ['model'],
    misses: ['asks model'],
  });
  expect((await finished(all)).applied).toEqual(['model', 'recipe']);
});

test('what asks waits for a person', async () => {
  expect(await finished([proposal('p', 'verified')], { asks: ['p'] })).toMatchObject({
    applied: [],
    deferred: ['p'],
    misses: ['asks p'],
  });
});

test('the change for a wish that was dropped meanwhile is not applied', async () => {
  const all = ['p', 'q'].map((id) => proposal(id, 'verified'));
  expect(await finished(all, { unwanted: ['p'] })).toMatchObject({ applied: ['q'], deferred: ['p'], misses: [] });
  const answer = (id: string, kind: string, words: string) => ({
    data: { proposal: id, task: { kind, id: taskId({ words }) } },
  });
  const answers = [
    answer('p', 'request', 'Dropped.'),
    answer('q', 'request', 'Wanted.'),
    answer('s', 'opportunity', 'Other.'),
  ];
  const session = createPart<Session>({ ledger: { query: async () => answers } });
  const queue = [{ type: 'wishAdded', at: 1, data: { wish: 'w', text: 'Wanted.' } }];
  expect(
    await findUnwantedProposals(session, { query: async () => queue as never, proposals: async () => [] }),
  ).toEqual(new Set(['p']));
});

test('the limit of changes, the places and the dismissals of the run hold', async () => {
  const all = ['p', 'q', 's'].map((id) => proposal(id, 'verified'));
  expect((await finished(all, { most: 1 })).applied).toEqual(['p']);
  expect((await finished(all, { most: 0 })).applied).toEqual([]);
  expect((await finished(all, { scope: { places: ['src/q.ts'] } })).applied).toEqual(['q']);
  expect((await finished(all, { scope: { excluded: ['src/q.ts'] } })).applied).toEqual(['p', 's']);
  expect((await finished(all, { dismissed: ['o-p'] })).applied).toEqual(['q', 's']);
});

test('a change that no longer fits or is forbidden is left for later; any other trouble is told', async () => {
  for (const trouble of ['stale', 'paused', 'forbidden'] as const)
    expect((await finished([proposal('p', 'verified')], { trouble })).applied).toEqual([]);
  await expect(finished([proposal('p', 'verified')], { trouble: 'diskFull' })).rejects.toThrow('Not now.');
});

test('a wish whose change is on the branch is done; one that was asked earlier, or of another text, is not', async () => {
  const branch = 'selfware/night-2026-11-25';
  const plan = { until: 1, maxChanges: 3, proposer: 'p', places: null };
  const events = [
    { type: 'nightStarted', at: 1, data: { night: branch, run: 'r', base: 'a', plan } },
    { type: 'nightCommitted', at: 5, data: { night: branch, run: 'r', commit: 'c', change: { proposal: 'p' } } },
  ];
  const context = createPart<NightContext>({
    repository: { ledger: { query: async () => events, proposals: async () => [] } },
  });
  const answer = { data: { proposal: 'p', task: { id: taskId({ words: 'Round up.' }) } } };
  const session = createPart<Session>({ ledger: { query: async () => [answer] } });
  const wish = { id: 'w', text: 'Round up.', at: 2, tests: null, tries: [] };
  expect(await changeOfWish(context, session, branch, wish)).toBe('p');
  expect(await changeOfWish(context, session, branch, { ...wish, at: 6 })).toBeNull();
  expect(await changeOfWish(context, session, branch, { ...wish, text: 'Round down.' })).toBeNull();
});

test('a wish that is dropped while it is tried is not applied; one that asks for a person says so', async () => {
  const tried = async (isStillWanted: boolean, asks: string | null) => {
    const done: string[] = [];
    const session = createPart<Session>({
      memory: { index: async () => undefined },
      questions: {
        ask: async () => ({ proposal: { id: 'p' }, refused: null, final: false, left: 0, model: null, usage: null }),
      },
      proposals: {
        explainNeedToAsk: async () => asks,
        decide: async ({ verdict, reason }: { readonly verdict: string; readonly reason: string }) =>
          void done.push(`${verdict}: ${reason}`),
      },
      verification: { verify: async () => ({ id: 'p', status: 'verified' }) },
      changes: {
        async apply() {
          done.push('applied');
          return { proposal: { id: 'p', status: 'kept' } };
        },
      },
    });
    const wish = { text: 'Round up.', tests: null, tries: [] };
    const limits = { isStillWanted: async () => isStillWanted, isHeld: () => false };
    const outcome = await tryWish(session, wish, 'model', limits, { signal });
    return { ...outcome, done };
  };
  const late = 'The wish was dropped, or its test has changed, while it was tried.';
  expect(await tried(true, null)).toMatchObject({ reason: null, asks: false, done: ['applied'] });
  expect(await tried(false, null)).toMatchObject({ reason: late, asks: false, done: [`deferred: ${late}`] });
  expect(await tried(true, 'A person decides.')).toMatchObject({
    reason: 'A person decides.',
    asks: true,
    done: ['deferred: A person decides.'],
  });
});

test('an answer whose proof needs a quieter machine is verified again then, without another question', async () => {
  const branch = 'selfware/night-2026-11-25';
  const plan = { until: 1, maxChanges: 3, proposer: 'model', places: null };
  const events: object[] = [
    { type: 'nightStarted', at: 1, data: { night: branch, run: 'r', base: 'a', plan } },
    { type: 'wishAdded', at: 2, data: { wish: 'w', text: 'Round up.' } },
  ];
  const ledger = {
    query: async ({ types }: { readonly types: readonly string[] }) =>
      events.filter((event) => types.includes((event as { type: string }).type)),
    proposals: async () => [],
    record: async (event: object) => void events.push({ ...event, at: 3 }),
  };
  let isQuiet = false;
  const notes: string[] = [];
  const context = createPart<NightContext>({
    repository: { ledger },
    request: { onEvent: (event: object) => 'text' in event && notes.push(String(event.text)) },
    isQuiet: () => isQuiet,
  });
  const busy = { id: 'p', status: 'deferred', deferredBusy: 1, verdicts: [], reason: 'Machine busy: Tests: late.' };
  const did: string[] = [];
  const session = createPart<Session>({
    ledger: { query: async () => [] },
    memory: { index: async () => undefined },
    proposals: {
      all: async () => [busy],
      explainNeedToAsk: async () => null,
    },
    questions: {
      async ask() {
        did.push('asked');
        return { proposal: { id: 'p' }, refused: null, final: false, left: 0, model: null, usage: null };
      },
    },
    verification: {
      async verify(_id: string, _operation: object, how: { readonly atOnce?: boolean } = {}) {
        // Nobody waits for the answer, so it may be deferred.
        did.push(how.atOnce ? 'verified at once' : 'verified');
        return isQuiet ? { id: 'p', status: 'verified', verdicts: [] } : busy;
      },
    },
    changes: { apply: async () => ({ proposal: { id: 'p', status: 'kept' } }) },
  });
  const misses: NightMiss[] = [];
  let isOnBranch = false;
  const steps = { onMiss: async (miss: NightMiss) => void misses.push(miss), reachesBranch: async () => isOnBranch };
  const turn = () => tryNextWish(context, { branch, run: 'r', proposer: 'model' }, session, steps, { signal });
  expect([await turn(), did]).toEqual([true, ['asked', 'verified']]);
  expect(notes.at(-1)).toBe('Waits for a quieter machine: “Round up.” Machine busy: Tests: late.');
  expect(await readWishes(ledger as never)).toMatchObject([{ tries: [{ run: 'r', proposal: 'p', isDeferred: true }] }]);
  // As long as the machine is busy, the run does something else; afterwards it continues with this wish.
  expect([await turn(), did.length]).toEqual([false, 2]);
  isQuiet = true;
  // A change that cannot reach the branch does not do the wish.
  expect([await turn(), did]).toEqual([true, ['asked', 'verified', 'verified']]);
  expect(await readWishes(ledger as never)).toHaveLength(1);
  isOnBranch = true;
  expect([await turn(), did]).toEqual([true, ['asked', 'verified', 'verified', 'verified']]);
  expect([await readWishes(ledger as never), misses]).toEqual([[], []]);
  expect(events.at(-1)).toMatchObject({ type: 'nightWish', data: { outcome: 'committed', proposal: 'p' } });
});

test('a wish is wanted as long as it is in the queue with the same test', async () => {
  const added = { type: 'wishAdded', at: 1, data: { wish: 'w', text: 'Round up.' } };
  const tested = { type: 'wishTested', at: 2, data: { wish: 'w', tests: [], by: 'person' } };
  const wish = { id: 'w', text: 'Round up.', at: 1, tests: null, tries: [] };
  const wanted = (...events: readonly object[]) =>
    isWanted({ query: async () => events as never, proposals: async () => [] }, wish);
  expect(await wanted(added)).toBe(true);
  expect(await wanted(added, tested)).toBe(false);
  expect(await wanted(added, { type: 'wishDropped', at: 2, data: { wish: 'w' } })).toBe(false);
});

test('a wish leaves the queue once the person has applied what only they could take, and comes back with a rollback', async () => {
  const events = [
    { type: 'wishAdded', at: 1, data: { wish: 'w', text: 'Round up.' } },
    { type: 'nightWish', at: 2, data: { wish: 'w', run: 'r', outcome: 'notDone', proposal: 'p', reason: 'It asks.' } },
  ];
  const queue = (status: string) =>
    readWishes({ query: async () => events as never, proposals: async () => [{ id: 'p', status }] as never });
  expect(await queue('deferred')).toMatchObject([{ id: 'w', tries: [{ proposal: 'p' }] }]);
  expect(await queue('kept')).toEqual([]);
  expect(await queue('rolledBack')).toHaveLength(1);
});
