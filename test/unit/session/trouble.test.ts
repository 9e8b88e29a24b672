// When things go wrong: the kill switch, a cancel in the middle, a damaged ledger, no trust, bad recipes, another
// process.

import { copyFile, open as openFile, readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ImproveRequest } from '../../../server/src/core/session/cycleEvents.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { SelfwareError } from '../../../server/src/util/typedError.ts';
import { createSessionWorld, passingRun, type SessionWorld } from '../../helpers/memorySessionPorts.ts';
import { flawed, never, untilCancelled } from './flawed.ts';

const approving: ImproveRequest = {
  cycles: Infinity,
  dryRun: false,
  approval: 'strict',
  maxChanges: 100,
  // A person decides about one proposal at a time.
  maxCheckedTogether: 1,
  signal: never,
  decide: async () => ({ verdict: 'approved', reason: null }),
};

async function nextVerified(session: Session) {
  const { proposal } = await session.proposals.propose({ signal: never });
  if (!proposal) throw new Error('Nothing was proposed.');
  return session.verification.verify(proposal.id, { signal: never });
}

/** Nothing hangs on: no lock, no worktree, no half change; and work goes on. */
async function expectUsable(world: SessionWorld, session: Session): Promise<void> {
  expect([...world.held]).toEqual([]);
  expect(world.sandbox.openCount()).toBe(0);
  expect((await session.status()).state).toBe('idle');
  const verified = await nextVerified(session);
  expect(verified.status).toBe('verified');
  expect((await session.changes.apply({ proposal: verified.id, by: 'person', signal: never })).proposal.status).toBe(
    'kept',
  );
}

test('the switch pulled by another process: nothing is applied, no run goes on, until somebody resumes', async () => {
  await using world = await createSessionWorld({
    ...flawed,
    'src/three.ts': "import { one } from './one.ts';\n\n/** A third thing to improve. */\nexport const three = 3;\n",
  });
  const [mine, other] = [await world.session(), await world.session()];
  const waiting = await nextVerified(mine);
  await mine.proposals.decide({ proposal: waiting.id, verdict: 'deferred', by: 'person', reason: null });
  const heard: string[] = [];
  let questions = 0;
  const summary = await mine.improve({
    ...approving,
    async decide() {
      questions++;
      if (questions === 1) return { verdict: 'approved', reason: null };
      await other.stop();
      return { verdict: 'deferred', reason: null };
    },
    onEvent: (event) => void heard.push(event.type),
  });
  expect([summary.applied, questions, heard.at(-1)]).toEqual([1, 2, 'stopped']);
  expect(await mine.status()).toMatchObject({ state: 'stopped', charter: { stopped: true } });
  await expect(mine.improve(approving)).rejects.toMatchObject({ reason: 'forbidden' });
  await expect(mine.changes.apply({ proposal: waiting.id, by: 'person', signal: never })).rejects.toMatchObject({
    reason: 'forbidden',
  });
  expect(world.written).toHaveLength(1);
  const [last] = await mine.changes.checkpoints();
  await mine.changes.rollback(last?.id ?? '', { signal: never });

  await other.resume();
  const pulling = async () => (await other.stop(), { verdict: 'approved' as const, reason: null });
  await expect(mine.improve({ ...approving, decide: pulling })).rejects.toMatchObject({ reason: 'forbidden' });
  expect(world.written).toHaveLength(2);
  await other.resume();
  expect((await mine.status()).state).toBe('idle');
  expect((await mine.changes.apply({ proposal: waiting.id, by: 'person', signal: never })).proposal.status).toBe(
    'kept',
  );
});

test('the own switch ends what runs for real, and an index while stopped leaves no trace of it after resume', async () => {
  let hang = true;
  await using world = await createSessionWorld(flawed, {
    commands: { 'run-tests': (texts, signal) => (hang ? untilCancelled(texts, signal) : passingRun) },
  });
  let onWalk = async () => {};
  const session = await world.session({
    change: ({ files }) => ({
      files: {
        ...files,
        async walk(limits, signal) {
          await onWalk();
          return files.walk(limits, signal);
        },
      },
    }),
  });
  const run = session.improve(approving);
  const ended = expect(run).rejects.toMatchObject({ reason: 'cancelled' });
  await expect.poll(() => world.sandbox.ran.length).toBe(1);
  await session.stop();
  await ended;
  expect((await session.status()).state).toBe('stopped');
  onWalk = () => session.resume();
  await session.memory.index({ signal: never });
  onWalk = async () => {};
  hang = false;
  await expectUsable(world, session);
});

test('a cancel in the middle of an index leaves a session that can be indexed', async () => {
  await using world = await createSessionWorld(flawed);
  const session = await world.session();
  for (const stage of ['walking', 'indexing', 'storing'] as const) {
    const cancel = new AbortController();
    world.tree.set('src/a.ts', `${world.tree.text('src/a.ts')}// ${stage}\n`);
    const indexing = session.memory.index({
      signal: cancel.signal,
      report: (progress) => progress.stage === stage && cancel.abort(),
    });
    if (stage === 'storing')
      await indexing.catch((error: unknown) => expect(error).toMatchObject({ reason: 'cancelled' }));
    else await expect(indexing).rejects.toMatchObject({ reason: 'cancelled' });
    expect([...world.held]).toEqual([]);
  }
  expect((await session.memory.index({ signal: never })).files).toBe(Object.keys(flawed).length);
  expect((await session.memory.search('worse', 5, never))[0]?.path).toBe('src/worse.ts');
  await expectUsable(world, session);
});

test('a cancel in the middle of a recipe files nothing and blames nothing', async () => {
  await using world = await createSessionWorld(flawed);
  const cancel = new AbortController();
  const session = await world.session({
    change: ({ jobs }) => ({
      jobs: {
        ...jobs,
        run(name, input, signal) {
          if (name === 'applyRecipe') cancel.abort();
          return jobs.run(name, input, signal);
        },
      },
    }),
  });
  await expect(session.proposals.propose({ signal: cancel.signal })).rejects.toMatchObject({ reason: 'cancelled' });
  expect(await session.ledger.query({ types: ['attempt', 'proposed'] })).toEqual([]);
  await expectUsable(world, session);
});

test('a cancel in the middle of a verification leaves the proposal to be verified again', async () => {
  let hang = true;
  await using world = await createSessionWorld(
    { 'src/one.ts': flawed['src/one.ts'] ?? '' },
    { commands: { 'run-tests': (texts, signal) => (hang ? untilCancelled(texts, signal) : passingRun) } },
  );
  const session = await world.session();
  const cancel = new AbortController();
  const { proposal } = await session.proposals.propose({ signal: never });
  const verifying = session.verification.verify(proposal?.id ?? '', { signal: cancel.signal });
  const ended = expect(verifying).rejects.toMatchObject({ reason: 'cancelled' });
  await expect.poll(() => world.sandbox.ran.length).toBe(1);
  cancel.abort();
  await ended;
  expect(world.tree.all()).toEqual({ 'src/one.ts': flawed['src/one.ts'] });
  hang = false;
  expect((await session.proposals.propose({ signal: never })).proposal?.id).toBe(proposal?.id);
  await expectUsable(world, session);
});

test('a cancel while the bytes are being written comes too late: the change is judged', async () => {
  await using world = await createSessionWorld(flawed);
  const cancel = new AbortController();
  const session = await world.session({
    change: ({ writer }) => ({
      writer: {
        ...writer,
        write(writes, label) {
          cancel.abort();
          return writer.write(writes, label);
        },
      },
    }),
  });
  const verified = await nextVerified(session);
  expect(
    (await session.changes.apply({ proposal: verified.id, by: 'person', signal: cancel.signal })).proposal.status,
  ).toBe('kept');
});

const damages: readonly { readonly what: string; readonly damage: (file: string) => Promise<void> }[] = [
  { what: 'its first page overwritten', damage: (file) => overwrite(file, 100, 300) },
  { what: 'its chain broken', damage: async (file) => rewrite(file) },
];

test.each(damages)(
  'a ledger with $what: index, search, analysis and the way back go on, nothing else is written',
  async ({ damage }) => {
    await using world = await createSessionWorld(flawed);
    const sound = await world.session();
    const first = await nextVerified(sound);
    const applied = await sound.changes.apply({ proposal: first.id, by: 'person', signal: never });
    const waiting = await nextVerified(sound);
    await sound.proposals.decide({ proposal: waiting.id, verdict: 'approved', by: 'person', reason: null });
    await sound.close();
    const file = join(world.stateDir, 'ledger.db');
    await damage(file);
    await copyFile(file, `${file}.copy`);

    const session = await world.session();
    const said = (await session.status()).notices.map(({ message }) => message).join(' ');
    expect(said).toContain('ledger');
    expect((await session.memory.index({ signal: never })).files).toBe(Object.keys(flawed).length);
    expect((await session.memory.search('worse', 5, never))[0]?.path).toBe('src/worse.ts');
    await session.analysis.analyse({ signal: never });
    expect((await session.opportunities.shown()).length).toBeGreaterThan(0);
    expect(await session.ledger.verify()).toMatchObject({ intact: false });
    const { length } = world.written;
    await expect(
      session.proposals.propose({
        signal: never,
        opportunity:
          (await session.opportunities.shown()).find(({ recipe, id }) => recipe && id !== waiting.opportunity.id)?.id ??
          '',
      }),
    ).rejects.toMatchObject({ reason: 'damaged' });
    await expect(session.changes.apply({ proposal: waiting.id, by: 'person', signal: never })).rejects.toMatchObject({
      reason: 'damaged',
    });
    await expect(session.improve(approving)).rejects.toMatchObject({ reason: 'damaged' });
    expect(world.written).toHaveLength(length);

    expect((await session.changes.checkpoints()).map(({ id }) => id)).toEqual([applied.checkpoint.id]);
    await session.changes.rollback(applied.checkpoint.id, { signal: never });
    for (const edit of first.edits) expect(world.tree.text(edit.path)).toBe(edit.before);
    expect(Buffer.compare(await readFile(file), await readFile(`${file}.copy`))).toBe(0);
  },
);

test('without trust nothing is proposed, run or written; index and analysis work', async () => {
  await using world = await createSessionWorld(flawed);
  const trusted = await world.session();
  const kept = await trusted.changes.apply({ proposal: (await nextVerified(trusted)).id, by: 'person', signal: never });
  const waiting = await nextVerified(trusted);
  const [runs, writes] = [world.sandbox.ran.length, world.written.length];

  const session = await world.session({ trusted: false });
  expect((await session.memory.index({ signal: never })).files).toBe(Object.keys(flawed).length);
  await session.analysis.analyse({ signal: never });
  expect((await session.opportunities.shown()).length).toBeGreaterThan(0);
  const untrusted = { reason: 'untrusted' };
  await expect(session.proposals.propose({ signal: never })).rejects.toMatchObject(untrusted);
  await expect(session.verification.verify(waiting.id, { signal: never })).rejects.toMatchObject(untrusted);
  await expect(session.changes.apply({ proposal: waiting.id, by: 'person', signal: never })).rejects.toMatchObject(
    untrusted,
  );
  await expect(
    session.changes.apply({ proposal: waiting.id, hunks: [0], by: 'person', signal: never }),
  ).rejects.toMatchObject(untrusted);
  await expect(session.changes.rollback(kept.checkpoint.id, { signal: never })).rejects.toMatchObject(untrusted);
  await expect(session.improve(approving)).rejects.toMatchObject(untrusted);
  expect([world.sandbox.ran.length, world.written.length]).toEqual([runs, writes]);
  expect((await session.proposals.get(waiting.id)).status).toBe('verified');
});

test('a recipe that throws or is ended is refused for good, and the next candidate is tried', async () => {
  await using world = await createSessionWorld(flawed);
  const faults = [new Error('a mistake in the recipe'), new SelfwareError('timedOut', 'It took too long.')];
  const session = await world.session({
    change: ({ jobs }) => ({ jobs: failingApplyRecipe(jobs, () => faults.shift()) }),
  });
  const { proposal, tried } = await session.proposals.propose({ signal: never });
  expect(tried).toHaveLength(2);
  expect(proposal).not.toBeNull();
  await session.proposals.decide({ proposal: proposal?.id ?? '', verdict: 'rejected', by: 'person', reason: null });
  const again = (await session.proposals.propose({ signal: never })).proposal?.opportunity.id;
  expect(tried.map(({ opportunity }) => opportunity)).not.toContain(again);
});

test('a part of the program that does not load is not blamed on the places', async () => {
  await using world = await createSessionWorld(flawed);
  const faults = [new SelfwareError('unavailable', 'A part could not be loaded.')];
  const session = await world.session({
    change: ({ jobs }) => ({ jobs: failingApplyRecipe(jobs, () => faults.shift()) }),
  });
  await expect(session.proposals.propose({ signal: never })).rejects.toMatchObject({ reason: 'unavailable' });
  expect(await session.ledger.query({ types: ['attempt'] })).toEqual([]);
  await expectUsable(world, session);
});

test('while another process indexes, its index is read; afterwards the own one, and the notice goes', async () => {
  await using world = await createSessionWorld({ ...flawed, 'picture.png': '\0\0\0' });
  const [mine, other] = [await world.session(), await world.session()];
  const written = await other.memory.index({ signal: never });
  world.held.add('index');
  const read = await mine.memory.index({ signal: never });
  expect([read.files, read.chunks, read.symbols]).toEqual([written.files, written.chunks, written.symbols]);
  await other.analysis.analyse({ signal: never });
  expect(await mine.analysis.analyse({ signal: never })).toMatchObject({ analysed: 0 });
  expect(await mine.opportunities.shown()).toEqual(await other.opportunities.shown());
  expect((await mine.memory.search('worse', 5, never))[0]?.path).toBe('src/worse.ts');
  expect((await mine.status()).notices).toMatchObject([{ severity: 'info' }]);
  world.held.delete('index');
  await mine.memory.index({ signal: never });
  expect((await mine.status()).notices).toEqual([]);
});

function failingApplyRecipe(
  jobs: Parameters<NonNullable<NonNullable<Parameters<SessionWorld['session']>[0]>['change']>>[0]['jobs'],
  next: () => Error | undefined,
): typeof jobs {
  return {
    ...jobs,
    async run(name, input, signal) {
      const fault = name === 'applyRecipe' ? next() : undefined;
      if (fault) throw fault;
      return jobs.run(name, input, signal);
    },
  };
}

async function overwrite(file: string, from: number, length: number): Promise<void> {
  const handle = await openFile(file, 'r+');
  await handle.write(Buffer.alloc(length, 0x5a), 0, length, from);
  await handle.close();
}

/** An event changed by hand: it reads well, and its hash does not hold. */
function rewrite(file: string): void {
  const database = new DatabaseSync(file);
  const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.exec('UPDATE events SET at = at + 1 WHERE sequence = 2');
  for (const { sql } of triggers) database.exec(sql);
  database.close();
}
