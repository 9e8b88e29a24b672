// Whole cycles through the façade: what is applied, what is kept, what the charter lets through, and what is never done
// again.

import { expect, test } from 'vitest';
import type { CycleEvent } from '../../../server/src/core/session/cycleEvents.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { createSessionWorld, failingRun, passingRun } from '../../helpers/memorySessionPorts.ts';
import { flawed, flawedAndReached, hundred, improving, never, untilCancelled } from './flawed.ts';
import type { JobTable } from '../../../server/src/core/jobs.ts';

/** The next proposal, verified. */
async function nextVerified(session: Session) {
  const { proposal } = await session.proposals.propose({ signal: never });
  if (!proposal) throw new Error('Nothing was proposed.');
  return session.verification.verify(proposal.id, { signal: never });
}

test('propose, verify, apply, keep, roll back: each step is in the ledger, and the bytes come back', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session();
  const before = world.tree.all();
  const verified = await nextVerified(session);
  expect(verified.status).toBe('verified');
  expect(verified.pointsAfter?.total).toBeGreaterThan(verified.pointsBefore?.total ?? Infinity);
  expect(world.tree.all()).toEqual(before);
  expect(new Set(world.sandbox.ran)).toEqual(new Set(['run-tests']));
  expect(world.sandbox.openCount()).toBe(0);

  const { proposal, checkpoint } = await session.changes.apply({ proposal: verified.id, by: 'person', signal: never });
  expect(proposal.status).toBe('kept');
  for (const edit of verified.edits) expect(world.tree.text(edit.path)).toBe(edit.after);
  expect((await session.status()).checkpoints).toEqual([checkpoint]);

  await session.changes.rollback(checkpoint.id, { signal: never });
  expect(world.tree.all()).toEqual(before);
  expect((await session.proposals.get(verified.id)).status).toBe('rolledBack');
  const told = (await session.ledger.query({}))
    .map((event) => event.type)
    .filter((type) => type !== 'indexed' && type !== 'points');
  expect(told).toEqual(['proposed', 'verifying', 'verified', 'approved', 'applied', 'kept', 'rolledBack']);
  expect(await session.ledger.verify()).toMatchObject({ intact: true });
});

test('a night of cycles ends when nothing is left, and hours have passed', async () => {
  await using world = await createSessionWorld(flawedAndReached);
  const session = await world.session({ settings: { 'charter.approval': 'minimal', 'charter.maxChanges': 100 } });
  const events: CycleEvent[] = [];
  const summary = await session.improve(
    improving({
      cycles: Infinity,
      approval: 'minimal',
      decide: () => Promise.reject(new Error('Nobody is asked.')),
      onEvent: (event) => void events.push(event),
    }),
  );
  expect(summary.kept).toBeGreaterThanOrEqual(3);
  expect(summary.applied).toBe(summary.kept + summary.rolledBack);
  // The tests take an hour: once without the changes, and once for each round of changes that share a run.
  expect(summary.seconds).toBeGreaterThanOrEqual(2 * 3600);
  expect(summary.pointsAfter?.total).toBeGreaterThan(summary.pointsBefore?.total ?? Infinity);
  expect(events.at(-1)).toMatchObject({ type: 'stopped' });
});

test('the level of the charter decides who is asked', async () => {
  await using world = await createSessionWorld(flawedAndReached);
  for (const [approval, asked] of [
    ['strict', 1],
    ['moderate', 0],
    ['minimal', 0],
  ] as const) {
    const session = await world.session({ settings: { 'charter.approval': approval } });
    let questions = 0;
    await session.improve(
      improving({ approval, decide: async () => (questions++, { verdict: 'rejected', reason: null }) }),
    );
    expect([approval, questions]).toEqual([approval, asked]);
  }
});

test('no more changes than the charter allows, over several runs of one session, and nobody is asked in vain', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session({ settings: { 'charter.maxChanges': 2 } });
  let questions = 0;
  const request = improving({
    cycles: Infinity,
    maxChanges: 2,
    decide: async () => (questions++, { verdict: 'approved', reason: null }),
  });
  expect((await session.improve(request)).applied).toBe(2);
  expect(await session.improve(request)).toMatchObject({ applied: 0, proposed: 0 });
  expect(questions).toBe(2);
  const verified = await nextVerified(session);
  await expect(session.changes.apply({ proposal: verified.id, by: 'person', signal: never })).rejects.toMatchObject({
    reason: 'forbidden',
  });
  expect(world.written).toHaveLength(2);
});

test('a deferred proposal waits and is not filed twice', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session();
  const first = await session.improve(
    improving({ cycles: Infinity, decide: async () => ({ verdict: 'deferred', reason: null }) }),
  );
  const proposals = await session.proposals.all();
  expect(first.verified).toBeGreaterThanOrEqual(3);
  expect(new Set(proposals.map(({ edits }) => JSON.stringify(edits))).size).toBe(proposals.length);
  const again = await session.improve(improving({ cycles: 5 }));
  expect(again.proposed).toBe(0);
  expect((await session.proposals.all()).map(({ id }) => id)).toEqual(proposals.map(({ id }) => id));
});

test('what waits for a person is planned again only when nothing else is left, after its file has changed', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session();
  const asked: string[] = [];
  const proposed: string[] = [];
  // The first one waits; all others are applied.
  const first = (await session.proposals.propose({ signal: never })).proposal!.opportunity;
  const { path } = first;
  await session.improve(
    improving({
      cycles: Infinity,
      decide: async ({ opportunity }) => {
        asked.push(opportunity.id);
        if (opportunity.id !== first.id) return { verdict: 'approved', reason: null };
        if (asked.length === 1) world.tree.set(path, `${world.tree.text(path)}// Changed in the meantime.\n`);
        return { verdict: 'deferred', reason: null };
      },
      onEvent: (event) => void (event.type === 'proposed' && proposed.push(event.proposal.opportunity.id)),
    }),
  );
  expect(asked.filter((id) => id === first.id).length).toBeLessThanOrEqual(2);
  expect(asked[0]).toBe(first.id);
  expect(proposed.slice(1, -1)).not.toContain(first.id);
  expect(asked.length).toBeGreaterThan(3);
});

test('what waits does not hide what comes after it', async () => {
  await using world = await createSessionWorld(hundred);
  const session = await world.session({ protectedPaths: ['/guarded/'] });
  world.git.setDirty(
    Object.keys(hundred)
      .filter((path) => path.startsWith('dirty/'))
      .map((path) => ({ path, kind: 'modified' as const })),
  );
  const { proposal, tried } = await session.proposals.propose({ signal: never });
  expect(proposal?.opportunity.path).toBe('z/last.ts');
  expect(tried.length).toBeLessThanOrEqual(40);
});

test('a rejected idea is never proposed again, in this session or the next', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session();
  await session.improve(improving({ cycles: Infinity, decide: async () => ({ verdict: 'rejected', reason: 'No.' }) }));
  const proposals = await session.proposals.all();
  expect(proposals.length).toBeGreaterThanOrEqual(3);
  const next = await world.session();
  expect((await next.proposals.propose({ signal: never })).proposal).toBeNull();
  expect(await next.proposals.all()).toHaveLength(proposals.length);
});

test('the same edits under another opportunity are not proposed again, nor filed while the first ones wait', async () => {
  await using world = await createSessionWorld({ 'src/a.ts': flawed['src/a.ts'] ?? '' });
  const twice = await world.session({
    change: ({ jobs }) => ({
      jobs: {
        ...jobs,
        async run(name, input, signal) {
          const output = await jobs.run(name, input, signal);
          if (name !== 'applyRecipe') return output;
          const edits = [
            {
              path: 'src/a.ts',
              before: world.tree.text('src/a.ts'),
              after: flawed['src/a.ts']!.replace("import { one } from './one.ts';\n", ''),
            },
          ];
          return { edits, title: 'One and the same', rationale: '' } as typeof output;
        },
      },
    }),
  });
  const first = await nextVerified(twice);
  await twice.proposals.decide({ proposal: first.id, verdict: 'deferred', by: 'person', reason: null });
  expect((await twice.proposals.propose({ signal: never })).proposal).toBeNull();
  await twice.proposals.decide({ proposal: first.id, verdict: 'rejected', by: 'person', reason: null });
  expect((await twice.proposals.propose({ signal: never })).proposal).toBeNull();
  expect(await twice.proposals.all()).toHaveLength(1);
});

test('what the gates refuse is not tried again', async () => {
  await using world = await createSessionWorld(flawed, {
    commands: { 'run-tests': (texts) => (texts.get('src/a.ts') === flawed['src/a.ts'] ? passingRun : failingRun) },
  });
  const session = await world.session({ settings: { 'charter.maxChanges': 100 } });
  const summary = await session.improve(improving({ cycles: Infinity }));
  expect(summary.refused).toBeGreaterThanOrEqual(1);
  expect(world.tree.text('src/a.ts')).toBe(flawed['src/a.ts']);
  const { length } = await session.proposals.all();
  expect(await session.improve(improving({ cycles: Infinity }))).toMatchObject({ proposed: 0 });
  expect(await session.proposals.all()).toHaveLength(length);
});

test('a proposal whose lines were edited is put away, and its place is planned again from the new text', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session();
  const verified = await nextVerified(session);
  const { path } = verified.opportunity;
  const touched =
    verified.edits[0]?.before?.split('\n').find((line, at) => line !== verified.edits[0]?.after?.split('\n')[at]) ?? '';
  const edited = `${world.tree.text(path)?.replace(touched, `${touched} // mine`)}\nexport const mine = 1;\n`;
  world.tree.set(path, edited);
  await expect(session.changes.apply({ proposal: verified.id, by: 'person', signal: never })).rejects.toMatchObject({
    reason: 'stale',
  });
  expect(world.tree.text(path)).toBe(edited);
  expect((await session.proposals.get(verified.id)).status).toBe('refused');
  const again = await nextVerified(session);
  expect(again).toMatchObject({ status: 'verified', opportunity: { id: verified.opportunity.id } });
  expect((await session.changes.apply({ proposal: again.id, by: 'person', signal: never })).proposal.status).toBe(
    'kept',
  );
  expect(world.tree.text(path)).toContain('mine');
});

test('a proposal that a dead process left in verification is planned again once its file has changed', async () => {
  await using world = await createSessionWorld(flawed, { commands: { 'run-tests': untilCancelled } });
  const dying = await world.session();
  const { proposal } = await dying.proposals.propose({ signal: never });
  if (!proposal) throw new Error('Nothing was proposed.');
  void dying.verification.verify(proposal.id, { signal: never }).catch(() => undefined);
  await expect.poll(() => world.sandbox.ran.length).toBe(1);
  const { path } = proposal.opportunity;
  world.tree.set(path, `${world.tree.text(path)}\nexport const mine = 1;\n`);
  const next = await world.session();
  const { proposal: again } = await next.proposals.propose({ signal: never });
  expect(again?.opportunity.id).toBe(proposal.opportunity.id);
  expect(again?.id).not.toBe(proposal.id);
  // Nor is the place held to be refused later on.
  world.tree.set(path, `${world.tree.text(path)}\nexport const more = 1;\n`);
  await next.memory.index({ signal: never });
  await next.proposals.propose({ signal: never });
  expect((await next.proposals.propose({ signal: never })).proposal?.opportunity.id).toBe(proposal.opportunity.id);
});

test('some of the hunks are a proposal of their own, verified by itself', async () => {
  await using world = await createSessionWorld({ 'src/two.ts': flawed['src/two.ts'] ?? '' });
  const session = await world.session({
    change: ({ jobs }) => ({
      jobs: {
        ...jobs,
        run: async (name, input, signal) =>
          name === 'applyRecipe'
            ? (twoHunks as never)
            : name === 'alike'
              ? ({ refused: '' } as never)
              : jobs.run(name, input, signal),
      },
    }),
  });
  const whole = await nextVerified(session);
  const runs = world.sandbox.ran.length;
  const { proposal, rest } = await session.changes.apply({
    proposal: whole.id,
    hunks: [0],
    by: 'person',
    signal: never,
  });
  expect(proposal).toMatchObject({ status: 'kept', title: 'Both (in part)' });
  expect(proposal.id).not.toBe(whole.id);
  expect(world.sandbox.ran.length).toBe(runs + 1);
  expect(world.tree.text('src/two.ts')).toBe(
    twoHunks.edits[0]?.before.replace("import { one } from './one.ts';\n", ''),
  );
  const old = await session.proposals.get(whole.id);
  expect(old.status).toBe('rejected');
  await expect(
    session.changes.apply({ proposal: whole.id, hunks: [1], by: 'person', signal: never }),
  ).rejects.toMatchObject({
    reason: 'illegalStep',
  });
  expect((await session.proposals.all()).map(({ id }) => id)).toEqual([whole.id, proposal.id, rest?.id]);
});

const twoHunks = {
  edits: [
    {
      path: 'src/two.ts',
      before: flawed['src/two.ts'] ?? '',
      after: (flawed['src/two.ts'] ?? '').replace(/import .*\n/g, ''),
    },
  ],
  title: 'Both',
  rationale: '',
};

test('a change whose tree scores lower is taken back by itself', async () => {
  await using world = await createSessionWorld(flawed);
  let spoilt = false;
  const session = await world.session({
    change: ({ writer }) => ({
      writer: {
        ...writer,
        // As a generator that listens to the files would.
        async write(writes, label) {
          await writer.write(writes, label);
          if (!spoilt) world.tree.set('src/generated.ts', flawed['src/worse.ts'] ?? '');
          spoilt = true;
        },
      },
    }),
  });
  const before = world.tree.all();
  const verified = await nextVerified(session);
  const { proposal } = await session.changes.apply({ proposal: verified.id, by: 'person', signal: never });
  expect(proposal).toMatchObject({ status: 'rolledBack', reason: expect.stringContaining('points') });
  world.tree.set('src/generated.ts', null);
  expect(world.tree.all()).toEqual(before);
  expect((await session.proposals.propose({ signal: never })).proposal?.opportunity.id).not.toBe(
    verified.opportunity.id,
  );
});

test('what the user has made worse in the meantime is not blamed on the change', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session();
  const verified = await nextVerified(session);
  world.tree.set('src/mine.ts', flawed['src/worse.ts'] ?? '');
  expect((await session.changes.apply({ proposal: verified.id, by: 'person', signal: never })).proposal.status).toBe(
    'kept',
  );
});

test('a change of nothing is never verified, and the next candidate is tried', async () => {
  await using world = await createSessionWorld(flawed);
  let first = true;
  const session = await world.session({
    change: ({ jobs }) => ({
      jobs: {
        ...jobs,
        async run(name, input, signal) {
          const output = await jobs.run(name, input, signal);
          const applied = output as JobTable['applyRecipe']['output'];
          if (name !== 'applyRecipe' || !first || !('edits' in applied)) return output;
          first = false;
          return {
            ...applied,
            edits: applied.edits.map((edit) => ({ ...edit, after: edit.before })),
          } as typeof output;
        },
      },
    }),
  });
  const { proposal, tried } = await session.proposals.propose({ signal: never });
  expect(tried).toHaveLength(1);
  expect(proposal?.edits.every(({ before, after }) => before !== after)).toBe(true);
  expect((await session.proposals.all()).map(({ id }) => id)).toEqual([proposal?.id]);
});

test('a file that the sandbox does not have as it is on disk is not planned again and again', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session({
    change: ({ sandbox }) => ({
      sandbox: {
        ...sandbox,
        open: async (signal) => ({
          ...(await sandbox.open(signal)),
          read: async () => new TextEncoder().encode('as committed'),
        }),
      },
    }),
  });
  const summary = await session.improve(improving({ cycles: 30 }));
  expect(summary.cycles).toBeLessThan(30);
  expect(summary.refused).toBeGreaterThanOrEqual(3);
  const ideas = (await session.proposals.all()).map(({ opportunity }) => opportunity.id);
  expect(new Set(ideas).size).toBe(ideas.length);
});
