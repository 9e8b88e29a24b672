// Proposals that are verified side by side: they overlap, one is applied, the next one is judged on the new tree, and a
// cancel ends all of them.

import { expect, test } from 'vitest';
import type { ImproveRequest } from '../../../server/src/core/session/cycleEvents.ts';
import { verifySideBySide } from '../../../server/src/core/session/verify/sideBySide.ts';
import type { Proposal } from '../../../server/src/core/model.ts';
import { createSessionWorld, failingRun, passingRun } from '../../helpers/memorySessionPorts.ts';
import { improve } from '../../../server/src/core/cycle.ts';
import { computeMaxParallel } from '../../../server/src/core/session/cycle/round.ts';
import { countInterruptions } from '../../../server/src/app/nights/crashingProposals.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { flawedOnes, never } from './flawed.ts';

const NAMES = ['ant', 'bee', 'cat'];
const texts = flawedOnes(NAMES);

const request: ImproveRequest = {
  cycles: Infinity,
  dryRun: false,
  approval: 'minimal',
  maxChanges: 1,
  maxParallel: 2,
  signal: never,
  decide: () => Promise.reject(new Error('Nobody is asked.')),
};

function changedIn(now: ReadonlyMap<string, string>): readonly string[] {
  return NAMES.filter((name) => now.get(`src/${name}.ts`) !== texts[`src/${name}.ts`]);
}

/**
 * A world whose tests call `onRun` with the changed files, and fail if it answers false. The tree differs from the
 * commit as in a real repository.
 */
async function worldWith(onRun: (changed: string, signal: AbortSignal) => Promise<boolean> | boolean) {
  const runs: string[] = [];
  const world = await createSessionWorld(texts, {
    commands: {
      'run-tests': async (now, signal) => {
        const changed = changedIn(now).join(' ');
        runs.push(changed);
        return (await onRun(changed, signal)) ? passingRun : failingRun;
      },
    },
  });
  const changedFiles = () => changedIn(new Map(Object.entries(world.tree.all()))).map((name) => `src/${name}.ts`);
  const open = (settings: Partial<Settings> = {}) =>
    world.session({
      settings: { 'charter.approval': 'minimal', 'charter.maxChanges': 100, ...settings },
      change: ({ git }) => ({
        git: {
          ...git,
          listUncommittedChanges: async () => changedFiles().map((path) => ({ path, kind: 'modified' as const })),
          listFilesChangedSince: async () => changedFiles(),
          readAt: async (_commit, path) => new TextEncoder().encode(texts[path]),
        },
      }),
    });
  return { world, runs, open, session: await open() };
}

/** Passes once `count` callers wait. */
function meetingOf(count: number): () => Promise<void> {
  let come = 0;
  let open: () => void = () => {};
  const all = new Promise<void>((resolve) => (open = resolve));
  return () => {
    if (++come >= count) open();
    return all;
  };
}

test('two are verified at the same time; the first is kept, and the other is judged again on the new tree', async () => {
  const meet = meetingOf(2);
  const { world, runs, session } = await worldWith(async (changed) => {
    if (changed === 'ant' || changed === 'bee') await meet();
    return true;
  });
  await using _ = world;
  expect(await session.improve(request)).toMatchObject({ cycles: 2, proposed: 2, verified: 2, applied: 1, kept: 1 });
  const [first, other] = await session.proposals.all();
  expect([first?.status, other?.status]).toEqual(['kept', 'verified']);
  expect(runs).not.toContain('ant bee');
  const { proposal } = await session.changes.apply({ proposal: other!.id, by: 'charter', signal: never });
  expect(proposal.status).toBe('kept');
  expect(runs).toContain('ant bee');
});

test('what passes alone and fails with the one that was kept is rolled back', async () => {
  const { world, session } = await worldWith((changed) => changed !== 'ant bee');
  await using _ = world;
  await session.improve(request);
  const [, other] = await session.proposals.all();
  const { proposal } = await session.changes.apply({ proposal: other!.id, by: 'charter', signal: never });
  expect(proposal.status).toBe('rolledBack');
});

test('if the first one fails, the other is applied at once', async () => {
  const { world, session } = await worldWith((changed) => changed !== 'ant');
  await using _ = world;
  expect(await session.improve(request)).toMatchObject({ refused: 1, verified: 1, kept: 1 });
});

test('what has to be alone is verified with nothing beside it', async () => {
  let running = 0;
  let most = 0;
  const { world, session } = await worldWith(async (changed) => {
    if (changed === '') return true;
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return true;
  });
  await using _ = world;
  const { proposal } = await session.proposals.propose({ signal: never });
  const alone = new Set([proposal!.id]);
  expect(await session.improve({ ...request, proposalsVerifiedAlone: alone })).toMatchObject({ proposed: 1, kept: 1 });
  expect(most).toBe(1);
});

test('one at a time is verified as if there were no rounds', async () => {
  const { world, session } = await worldWith(() => true);
  await using _ = world;
  const { analysis, proposals, questions, changes, verification } = session;
  const neverAsked = () => Promise.reject(new Error('A round of several was begun.'));
  const steps = { analysis, proposals, questions, changes, isStopped: async () => false };
  const at = (most: number) =>
    improve({ ...steps, verification: { ...verification, verifySideBySide: neverAsked } }, () => world.clock.now(), {
      ...request,
      maxParallel: most,
    });
  await expect(at(2)).rejects.toThrow('A round of several was begun.');
  expect(await at(1)).toMatchObject({ cycles: 1, proposed: 1, kept: 1 });
});

test('what waits for a quieter machine is verified alone', () => {
  const beside = (proposal: object) => computeMaxParallel(request, { id: 'p', ...proposal } as Proposal, { cycles: 1 });
  expect([beside({}), beside({ deferredBusy: 1 })]).toEqual([2, 1]);
});

test('a proposal that had passed waits as before when its next verification is cut off', async () => {
  const cancel = new AbortController();
  let isCutOff = false;
  const { world, session } = await worldWith(() => {
    if (isCutOff) cancel.abort();
    return true;
  });
  await using _ = world;
  const { proposal } = await session.proposals.propose({ signal: never });
  const { id } = await session.verification.verify(proposal!.id, { signal: never });
  // The tests run again on another tree.
  world.tree.set('src/other.ts', '/** Other. */\nexport const other = 1;\n');
  isCutOff = true;
  await expect(session.verification.verify(id, { signal: cancel.signal })).rejects.toMatchObject({
    reason: 'cancelled',
  });
  expect((await session.proposals.all())[0]).toMatchObject({ status: 'verified', verdicts: expect.any(Array) });
  expect(await countInterruptions(session.ledger, [])).toEqual(new Map());
  isCutOff = false;
  expect((await session.changes.apply({ proposal: id, by: 'charter', signal: never })).proposal.status).toBe('kept');
});

test('what its author may not apply now is not verified for that', async () => {
  const { world, session, open, runs } = await worldWith(() => true);
  await using _ = world;
  const { proposal } = await session.proposals.propose({ signal: never });
  const settings = { 'charter.authors': { recipe: { changesAnHour: 0 } } } as never;
  const limited = await open(settings);
  const before = runs.length;
  await expect(limited.verification.verify(proposal!.id, { signal: never }, { toApply: true })).rejects.toMatchObject({
    reason: 'paused',
  });
  expect(runs).toHaveLength(before);
  expect((await limited.verification.verify(proposal!.id, { signal: never })).status).toBe('verified');
});

test('a round begins with an index that knows the last change', async () => {
  const { world, session } = await worldWith(() => true);
  await using _ = world;
  await session.memory.index({ signal: never });
  const { index: before } = await session.status();
  const { proposal } = await session.proposals.propose({ signal: never });
  const without = new Set([proposal!.id]);
  const { proposal: other } = await session.proposals.propose({ signal: never, excludedProposals: without });
  await session.verification.verify(proposal!.id, { signal: never });
  await session.changes.apply({ proposal: proposal!.id, by: 'charter', signal: never });
  const indexes: unknown[] = [];
  const next = async () => {
    indexes.push((await session.status()).index);
    return null;
  };
  await session.verification.verifySideBySide(other!, next, { signal: never });
  expect(indexes).toHaveLength(1);
  expect(indexes[0]).not.toBe(before);
});

test('a cancel ends both, and both wait as before', async () => {
  const meet = meetingOf(2);
  const cancel = new AbortController();
  const { world, session } = await worldWith(async (changed, signal) => {
    if (changed === '') return true;
    await meet();
    cancel.abort();
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    return true;
  });
  await using _ = world;
  await expect(session.improve({ ...request, signal: cancel.signal })).rejects.toMatchObject({ reason: 'cancelled' });
  expect((await session.proposals.all()).map(({ status }) => status)).toEqual(['deferred', 'deferred']);
  expect(world.sandbox.openCount()).toBe(0);
});

test('after a death both are put back, each death is counted, and each is verified alone', async () => {
  const meet = meetingOf(2);
  let hangs = true;
  let begin: () => void = () => {};
  const bothRun = new Promise<void>((resolve) => (begin = resolve));
  const { world, session, open } = await worldWith(async (changed, signal) => {
    if (changed === '' || !hangs) return true;
    await meet();
    begin();
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return true;
  });
  await using _ = world;
  const dies = session.improve(request).catch(() => undefined);
  await bothRun;
  // The system frees the locks of a dead process.
  world.held.clear();
  hangs = false;
  const next = await open();
  const interrupted = await next.ledger.query({ types: ['interrupted'] });
  const ids = interrupted.map(({ data }) => (data as { readonly proposal: string }).proposal);
  expect(ids).toEqual((await next.proposals.all()).map(({ id }) => id));
  expect(ids).toHaveLength(2);
  expect(await next.improve({ ...request, proposalsVerifiedAlone: new Set(ids) })).toMatchObject({
    proposed: 1,
    kept: 1,
  });
  expect((await next.proposals.all()).map(({ status }) => status)).toEqual(['kept', 'proposed']);
  await session.close();
  await dies;
});

test('the order of the results is that of the proposals; an error of one leaves the others', async () => {
  const proposals = ['one', 'two', 'three'].map((id) => ({ id }) as Proposal);
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const shared: string[] = [];
  const rest = proposals.slice(1);
  const results = verifySideBySide(
    async (id, isShared) => {
      begun.push(id);
      ends.set(`${id} shared`, () => shared.push(`${id} ${isShared()}`));
      if (id === 'three') return { id, status: 'verified' } as Proposal;
      await new Promise<void>((resolve) => ends.set(id, resolve));
      if (id === 'one') throw new Error('It broke down.');
      return { id, status: 'verified' } as Proposal;
    },
    proposals[0]!,
    async () => {
      const proposal = rest.shift();
      if (proposal) return { proposal, isAlone: proposal.id === 'three' };
      // The one that has to be alone has not begun, although it was made before the others have ended.
      expect(begun).toEqual(['one', 'two']);
      ends.get('two')!();
      ends.get('one')!();
      return null;
    },
    { signal: never },
  );
  expect(await results).toEqual([
    { proposal: { id: 'one' }, error: new Error('It broke down.') },
    { proposal: { id: 'two', status: 'verified' } },
    { proposal: { id: 'three', status: 'verified' } },
  ]);
  expect(begun).toEqual(['one', 'two', 'three']);
  for (const id of begun) ends.get(`${id} shared`)!();
  expect(shared).toEqual(['one true', 'two true', 'three false']);
});
