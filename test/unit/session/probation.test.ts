// Probation: what is judged in the tree as it is, what a killed process left, what cannot be rolled back, and rollbacks
// in any order.

import { expect, test } from 'vitest';
import type { FileEdit, Proposal } from '../../../server/src/core/model.ts';
import { needsTimeInUse } from '../../../server/src/core/session/apply/probationWindow.ts';
import type { Session } from '../../../server/src/core/session.ts';
import type { Settings } from '../../../server/src/settings/schema.ts';
import { createSessionWorld, failingRun, passingRun, type SessionWorld } from '../../helpers/memorySessionPorts.ts';
import { flawed, never, untilCancelled } from './flawed.ts';
import { createPart } from '../../helpers/createPart.ts';

const [one, two] = ["import { one } from './one.ts';\n", "import { two } from './one.ts';\n"];
const text = flawed['src/two.ts'] ?? '';
const files = { 'src/two.ts': text };

/** Proposes `edits` one after the other, whatever is asked for. */
async function sessionOn(
  world: SessionWorld,
  edits: readonly FileEdit[],
  settings: Partial<Settings> = {},
  change: NonNullable<Parameters<SessionWorld['session']>[0]>['change'] = () => ({}),
): Promise<Session> {
  return world.session({
    settings,
    change: (ports) => ({
      jobs: {
        ...ports.jobs,
        async run(name, input, signal) {
          // One change at a time: nothing is taken along.
          if (name === 'alike') return { refused: 'Alone.' } as never;
          if (name !== 'applyRecipe') return ports.jobs.run(name, input, signal);
          const edit = edits.find(({ path, before }) => world.tree.text(path) === before);
          return (
            edit
              ? { edits: [edit], title: `Edit ${edits.indexOf(edit) + 1}`, rationale: '' }
              : { refused: 'None is left.' }
          ) as never;
        },
      },
      ...change(ports),
    }),
  });
}

async function verified(session: Session): Promise<Proposal> {
  const { proposal } = await session.proposals.propose({ signal: never });
  if (!proposal) throw new Error('Nothing was proposed.');
  return session.verification.verify(proposal.id, { signal: never });
}

async function applied(session: Session) {
  return session.changes.apply({ proposal: (await verified(session)).id, by: 'person', signal: never });
}

const first: FileEdit = { path: 'src/two.ts', before: text, after: text.replace(one, '') };
const second: FileEdit = {
  path: 'src/two.ts',
  before: text.replace(one, ''),
  after: text.replace(one, '').replace(two, ''),
};
const typesOf = async (session: Session) =>
  (await session.ledger.query({ types: ['applied', 'kept', 'rolledBack', 'conflicted'] })).map(({ type }) => type);

test('what was verified on exactly this tree is not checked twice; otherwise the checks run, and say so', async () => {
  await using world = await createSessionWorld(files);
  const session = await sessionOn(world, [first, second]);
  const waiting = await verified(session);
  const runs = world.sandbox.ran.length;
  expect((await session.changes.apply({ proposal: waiting.id, by: 'person', signal: never })).proposal.status).toBe(
    'kept',
  );
  expect(world.sandbox.ran.length).toBe(runs);

  const next = await verified(session);
  world.tree.set('src/mine.ts', 'export const mine = 1;\n');
  world.git.setDirty([{ path: 'src/mine.ts', kind: 'untracked' }]);
  const before = world.sandbox.ran.length;
  const told: string[] = [];
  expect(
    (
      await session.changes.apply({
        proposal: next.id,
        by: 'person',
        signal: never,
        report: ({ message }) => told.push(message),
      })
    ).proposal.status,
  ).toBe('kept');
  expect(world.sandbox.ran.length).toBeGreaterThan(before);
  expect(told.some((message) => message.startsWith('Checking "Edit 2" in your files'))).toBe(true);
});

test.each<[Settings['apply.probation'], boolean]>([
  ['points', false],
  ['always', true],
])('the setting %s decides', async (probation, runs) => {
  await using world = await createSessionWorld(files);
  const session = await sessionOn(world, [first], { 'apply.probation': probation });
  const waiting = await verified(session);
  let asked = 0;
  const before = world.sandbox.ran.length;
  await session.changes.apply({
    proposal: waiting.id,
    by: 'person',
    signal: never,
    report: ({ message }) => (asked += message.startsWith('Checking "') ? 1 : 0),
  });
  expect([asked > 0, world.sandbox.ran.length >= before]).toEqual([runs, true]);
});

test('a regression together with what was edited elsewhere rolls back by itself, keeps those edits, and says why', async () => {
  await using world = await createSessionWorld(files, {
    commands: {
      'run-tests': (texts) =>
        texts.has('src/mine.ts') && !texts.get('src/two.ts')?.includes(one) ? failingRun : passingRun,
    },
  });
  const session = await sessionOn(world, [first]);
  const notices: string[] = [];
  session.subscribe((event) => event.type === 'notice' && notices.push(event.notice.message));
  const waiting = await verified(session);
  world.tree.set('src/mine.ts', 'export const mine = 1;\n');
  world.git.setDirty([{ path: 'src/mine.ts', kind: 'untracked' }]);
  const { proposal } = await session.changes.apply({ proposal: waiting.id, by: 'person', signal: never });
  expect(proposal).toMatchObject({
    status: 'rolledBack',
    reason: expect.stringContaining('1 test fails with the change'),
  });
  expect(world.tree.all()).toEqual({ ...files, 'src/mine.ts': 'export const mine = 1;\n' });
  expect(notices.some((message) => message.includes('was rolled back'))).toBe(true);
});

test('tests that the edit elsewhere breaks by itself are not blamed on the change', async () => {
  await using world = await createSessionWorld(files, {
    commands: { 'run-tests': (texts) => (texts.has('src/mine.ts') ? failingRun : passingRun) },
  });
  const session = await sessionOn(world, [first]);
  const waiting = await verified(session);
  world.tree.set('src/mine.ts', 'export const mine = 1;\n');
  world.git.setDirty([{ path: 'src/mine.ts', kind: 'untracked' }]);
  expect((await session.changes.apply({ proposal: waiting.id, by: 'person', signal: never })).proposal.status).toBe(
    'kept',
  );
});

/** A process that dies between the write and its judgement. */
async function killedBeforeJudgement(world: SessionWorld, edits: readonly FileEdit[] = [first]): Promise<Proposal> {
  let dead = false;
  const dying = await sessionOn(world, edits, {}, ({ ledger }) => ({
    ledger: {
      ...ledger,
      async append(event, options) {
        if (dead) throw new Error('killed');
        dead = event.type === 'applied';
        return ledger.append(event, options);
      },
    },
  }));
  const waiting = await verified(dying);
  await dying.changes.apply({ proposal: waiting.id, by: 'person', signal: never }).catch(() => undefined);
  world.held.clear();
  expect(world.tree.text('src/two.ts')).toBe(edits[0]?.after);
  return waiting;
}

test('a change that a killed process left unjudged is told at the next start, and judged before anything else', async () => {
  await using world = await createSessionWorld(files);
  const { id } = await killedBeforeJudgement(world);
  const session = await sessionOn(world, [second]);
  expect(await session.proposals.get(id)).toMatchObject({ status: 'applied' });
  expect((await session.status()).notices.map(({ message }) => message)).toContain(
    'Applied, and not checked to the end yet: Edit 1.',
  );
  expect((await session.changes.judge({ signal: never })).map(({ status }) => status)).toEqual(['kept']);
  expect(await session.changes.judge({ signal: never })).toEqual([]);
  expect(await typesOf(session)).toEqual(['applied', 'kept']);
});

test('several are judged in the order in which they were applied, each by what it does to the tree as it is now', async () => {
  const bad = (texts: ReadonlyMap<string, string>) =>
    texts.has('bad') && texts.get('src/two.ts')?.includes(two) !== true;
  await using world = await createSessionWorld(files, {
    commands: { 'run-tests': (texts) => (bad(texts) ? failingRun : passingRun) },
  });
  const left = await killedBeforeJudgement(world);
  // Another process is judging: the second change is written by one that dies as well.
  world.held.add('probation');
  const other = await sessionOn(world, [second]);
  await expect(other.changes.judge({ signal: never })).rejects.toMatchObject({ reason: 'locked' });
  world.held.clear();
  const cancel = new AbortController();
  let judging = false;
  const hanging = await sessionOn(
    world,
    [second],
    { 'apply.probation': 'always', 'verify.testCommand': 'hang' },
    ({ sandbox }) => ({
      sandbox: {
        ...sandbox,
        async open(signal) {
          const worktree = await sandbox.open(signal);
          return {
            ...worktree,
            run: async (request, runSignal) =>
              judging
                ? {
                    exitCode: null,
                    outcome: 'cancelled' as const,
                    stdout: '',
                    stderr: '',
                    millis: 0,
                    ...(await untilCancelled(new Map(), runSignal)),
                  }
                : worktree.run({ ...request, command: ['run-tests'] }, runSignal),
          };
        },
      },
    }),
  );
  expect((await hanging.changes.judge({ signal: never })).map(({ status }) => status)).toEqual(['kept']);
  const waiting = await verified(hanging);
  const applying = hanging.changes.apply({
    proposal: waiting.id,
    by: 'person',
    signal: cancel.signal,
    report: ({ message }) => {
      judging ||= message.startsWith('Checking "');
      if (judging) setImmediate(() => cancel.abort());
    },
  });
  expect((await applying).proposal.status).toBe('applied');
  expect((await hanging.proposals.get(left.id)).status).toBe('kept');

  world.tree.set('bad', 'x');
  world.git.setDirty([{ path: 'bad', kind: 'untracked' }]);
  const next = await sessionOn(world, []);
  expect((await next.changes.judge({ signal: never })).map(({ status }) => status)).toEqual(['rolledBack']);
  expect(world.tree.text('src/two.ts')).toBe(first.after);
});

test('a change that failed and whose lines were edited since says so, and waits for a person', async () => {
  await using world = await createSessionWorld(files, {
    commands: {
      'run-tests': (texts) => (texts.has('bad') && !texts.get('src/two.ts')?.includes(one) ? failingRun : passingRun),
    },
  });
  world.tree.set('bad2', '');
  const session = await sessionOn(world, [first], {}, ({ writer }) => ({
    writer: {
      ...writer,
      async write(writes, label) {
        if (label.startsWith('Roll back')) {
          // Typed in the very moment.
          world.tree.set('src/two.ts', `// mine\n${first.after}`.replace('/** A constant', '/** My constant'));
          throw Object.assign(
            new (await import('../../../server/src/util/typedError.ts')).SelfwareError(
              'conflict',
              'src/two.ts was edited.',
            ),
          );
        }
        await writer.write(writes, label);
        world.tree.set('bad', 'x');
        world.git.setDirty([{ path: 'bad', kind: 'untracked' }]);
      },
    },
  }));
  const { proposal } = await applied(session);
  expect(proposal).toMatchObject({ status: 'conflicted', reason: expect.stringContaining('cannot be rolled back') });
  const next = await sessionOn(world, []);
  expect((await next.status()).notices).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      action: expect.stringContaining(`selfware proposals keep ${proposal.id}`),
    }),
  );
  expect(await next.changes.keep(proposal.id, 'I like it.')).toMatchObject({ status: 'kept', reason: 'I like it.' });
  await expect(next.changes.keep(proposal.id, null)).rejects.toMatchObject({ reason: 'illegalStep' });
  expect(world.tree.text('src/two.ts')).toContain('// mine');
});

test('a measured gain that cannot be measured again keeps a change in probation for a day of use', async () => {
  await using world = await createSessionWorld(files);
  const claim = { kind: 'speed', holds: true, evidence: '' } as const;
  const session = await sessionOn(world, [first, second], {}, ({ ledger }) => ({
    ledger: {
      ...ledger,
      append: (event, options) =>
        ledger.append(
          event.type === 'verified' ? { ...event, data: { ...(event.data as object), claim } } : event,
          options,
        ),
    },
  }));
  const { proposal } = await applied(session);
  expect(proposal.status).toBe('applied');
  expect((await session.status()).notices.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('its gain was not measured again: Not testable: no benchmark is configured'),
  );
  // Another change does not wait for it, and does not measure it again.
  const checked = new Set<string>();
  const report = ({ message }: { readonly message: string }) => {
    const title = /^Checking "(.*?)"/.exec(message)?.[1];
    if (title !== undefined) checked.add(title);
  };
  const { id } = await verified(session);
  const next = await session.changes.apply({ proposal: id, by: 'person', signal: never, report });
  expect([next.proposal.status, ...checked]).toEqual(['applied', 'Edit 2']);
  expect((await session.changes.judge({ signal: never })).map(({ status }) => status)).toEqual(['applied', 'applied']);
  world.clock.advance(24 * 3_600_000);
  expect((await session.changes.judge({ signal: never })).map(({ status, reason }) => [status, reason])).toEqual(
    Array.from({ length: 2 }, () => ['kept', expect.stringContaining('in use for 24 hours')]),
  );
});

test('only a measured gain that was not shown again needs more use', () => {
  const claiming = (kind: 'speed' | 'fix') => createPart<Proposal>({ claim: { kind, holds: true, evidence: '' } });
  const shown = (outcome: 'passed' | 'unknown') => [
    { gate: 'claim' as const, outcome, reason: '', evidence: {}, millis: 0 },
  ];
  expect(needsTimeInUse(claiming('speed'), shown('passed'))).toBe(false);
  expect(needsTimeInUse(claiming('speed'), shown('unknown'))).toBe(true);
  expect(needsTimeInUse(claiming('speed'), [])).toBe(true);
  expect(needsTimeInUse(claiming('fix'), [])).toBe(false);
});

test('a change undone by hand before it was judged is rolled back, and one that was written over is kept', async () => {
  for (const [now, status] of [
    [text, 'rolledBack'],
    ['export const between = 7;\n', 'kept'],
  ] as const) {
    await using world = await createSessionWorld(files);
    const { id } = await killedBeforeJudgement(world);
    world.tree.set('src/two.ts', now);
    const session = await sessionOn(world, []);
    await session.changes.judge({ signal: never });
    expect(await session.proposals.get(id)).toMatchObject({ status });
    expect(world.tree.text('src/two.ts')).toBe(now);
  }
});

test('changes are taken back in any order', async () => {
  await using world = await createSessionWorld(files);
  const session = await sessionOn(world, [first, second]);
  const ids = [(await applied(session)).checkpoint.id, (await applied(session)).checkpoint.id];
  await session.changes.rollback(ids[0] ?? '', { signal: never });
  expect(world.tree.text('src/two.ts')).toBe(text.replace(two, ''));
  await session.changes.rollback(ids[1] ?? '', { signal: never });
  expect(world.tree.text('src/two.ts')).toBe(text);
});

test('a rollback that stands in the way of a later change is refused, and names it', async () => {
  await using world = await createSessionWorld(files);
  const touching: FileEdit = {
    path: 'src/two.ts',
    before: first.after,
    after: (first.after ?? '')
      .replace('/** A constant that stands between two flaws. */\n', '/** A constant. */\n')
      .replace(two, ''),
  };
  const session = await sessionOn(world, [first, touching]);
  const below = await applied(session);
  const above = await applied(session);
  await expect(session.changes.rollback(below.checkpoint.id, { signal: never })).rejects.toMatchObject({
    reason: 'conflict',
    message: expect.stringContaining(above.checkpoint.id),
    action: expect.stringContaining(above.checkpoint.id),
  });
  expect(world.tree.text('src/two.ts')).toBe(touching.after);
  await session.changes.rollback(above.checkpoint.id, { signal: never });
  await session.changes.rollback(below.checkpoint.id, { signal: never });
  expect(world.tree.all()).toEqual(files);
});
