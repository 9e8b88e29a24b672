// A proposal whose files are edited while it waits or is applied: nothing of the person's is lost, and nothing is
// written unverified.

import { expect, test } from 'vitest';
import type { FileEdit, Proposal } from '../../../server/src/core/model.ts';
import type { Session } from '../../../server/src/core/session.ts';
import { createSessionWorld, failingRun, passingRun, type SessionWorld } from '../../helpers/memorySessionPorts.ts';
import { flawed, never } from './flawed.ts';

const text = flawed['src/two.ts'] ?? '';
const without = text.replace(/import .*\n/g, '');
const files = { 'src/two.ts': text };

/** A recipe that takes out both imports of `src/two.ts`. */
async function sessionOn(world: SessionWorld, change: Parameters<SessionWorld['session']>[0] = {}): Promise<Session> {
  return world.session({
    ...change,
    change: (ports) => ({
      jobs: {
        ...ports.jobs,
        run: async (name, input, signal) =>
          name === 'applyRecipe'
            ? ({ edits: [edit], title: 'Both', rationale: '' } as never)
            : name === 'alike'
              ? ({ refused: 'Alone.' } as never)
              : ports.jobs.run(name, input, signal),
      },
      ...change.change?.(ports),
    }),
  });
}

const edit: FileEdit = { path: 'src/two.ts', before: text, after: without };

async function verified(session: Session): Promise<Proposal> {
  const { proposal } = await session.proposals.propose({ signal: never });
  return session.verification.verify(proposal?.id ?? '', { signal: never });
}

test('hunks that do not touch: the proposal moves into the new text, is verified there, and applied', async () => {
  await using world = await createSessionWorld(files);
  const session = await sessionOn(world);
  const waiting = await verified(session);
  const runs = world.sandbox.ran.length;
  world.tree.set('src/two.ts', `${text}export const mine = 1;\n`);
  const { proposal } = await session.changes.apply({ proposal: waiting.id, by: 'person', signal: never });
  expect(proposal).toMatchObject({ status: 'kept', title: 'Both' });
  expect(proposal.id).not.toBe(waiting.id);
  expect(world.sandbox.ran.length).toBeGreaterThan(runs);
  expect(world.tree.text('src/two.ts')).toBe(`${without}export const mine = 1;\n`);
  expect(await session.proposals.get(waiting.id)).toMatchObject({
    status: 'refused',
    reason: expect.stringContaining(proposal.id),
  });
  // A refusal of this kind teaches nothing against the idea.
  expect((await session.changes.rollback(proposal.checkpoint ?? '', { signal: never })).rolledBackAt).not.toBeNull();
  expect(world.tree.text('src/two.ts')).toBe(`${text}export const mine = 1;\n`);
});

test('what does not pass together with the edit is not applied', async () => {
  await using world = await createSessionWorld(files, {
    commands: {
      'run-tests': (texts) =>
        texts.get('src/two.ts')?.includes('mine') && !texts.get('src/two.ts')?.includes('import')
          ? failingRun
          : passingRun,
    },
  });
  const session = await sessionOn(world);
  const waiting = await verified(session);
  const edited = `${text}export const mine = 1;\n`;
  world.tree.set('src/two.ts', edited);
  await expect(session.changes.apply({ proposal: waiting.id, by: 'person', signal: never })).rejects.toMatchObject({
    reason: 'stale',
    message: expect.stringContaining('does not pass'),
  });
  expect(world.tree.text('src/two.ts')).toBe(edited);
  expect(world.written).toEqual([]);
});

test('what was not known in time loses nothing: the proposal keeps waiting, and the check is named', async () => {
  let isSlow = true;
  await using world = await createSessionWorld(files, {
    commands: {
      'run-tests': (texts) => {
        const isCandidate = texts.get('src/two.ts')?.includes('mine') && !texts.get('src/two.ts')?.includes('import');
        return isSlow && isCandidate
          ? { ...failingRun, outcome: 'timedOut', exitCode: null, millis: 600_000 }
          : passingRun;
      },
    },
  });
  const session = await sessionOn(world);
  const waiting = await verified(session);
  world.tree.set('src/two.ts', `${text}export const mine = 1;\n`);
  const apply = () => session.changes.apply({ proposal: waiting.id, by: 'person', signal: never });
  await expect(apply()).rejects.toMatchObject({
    reason: 'stale',
    message: expect.stringMatching(/was not known in time: Tests: /),
    action: 'Try again while the machine does little else. The proposal keeps waiting.',
  });
  expect(await session.proposals.get(waiting.id)).toMatchObject({ status: 'verified' });
  isSlow = false;
  expect((await apply()).proposal.status).toBe('kept');
});

test('edited in the moment between verification and writing: once more with the new text', async () => {
  await using world = await createSessionWorld(files);
  let typed = false;
  const session = await sessionOn(world, {
    change: ({ writer }) => ({
      writer: {
        ...writer,
        async write(writes, label) {
          if (!typed) world.tree.set('src/two.ts', `${text}export const mine = 1;\n`);
          typed = true;
          await writer.write(writes, label);
        },
      },
    }),
  });
  const waiting = await verified(session);
  const { proposal } = await session.changes.apply({ proposal: waiting.id, by: 'person', signal: never });
  expect(proposal.status).toBe('kept');
  expect(world.tree.text('src/two.ts')).toBe(`${without}export const mine = 1;\n`);
});

test('who types faster than the tests run is not overtaken: it ends, and every keystroke is there', async () => {
  let strokes = 0;
  const type = () => world.tree.set('src/two.ts', `${world.tree.text('src/two.ts')}// ${(strokes += 1)}\n`);
  await using world = await createSessionWorld(files, { commands: { 'run-tests': () => (type(), passingRun) } });
  const session = await sessionOn(world);
  const waiting = await verified(session);
  await expect(session.changes.apply({ proposal: waiting.id, by: 'person', signal: never })).rejects.toMatchObject({
    reason: 'stale',
  });
  expect(world.tree.text('src/two.ts')).toBe(
    text + Array.from({ length: strokes }, (_, index) => `// ${index + 1}\n`).join(''),
  );
});

test('the same edit made by hand leaves nothing to apply', async () => {
  await using world = await createSessionWorld(files);
  const session = await sessionOn(world);
  const waiting = await verified(session);
  world.tree.set('src/two.ts', without);
  await expect(session.changes.apply({ proposal: waiting.id, by: 'person', signal: never })).rejects.toMatchObject({
    reason: 'stale',
  });
  expect(world.tree.text('src/two.ts')).toBe(without);
  expect((await session.proposals.get(waiting.id)).status).toBe('refused');
});

test('a file that is no text any more is left alone', async () => {
  await using world = await createSessionWorld(files);
  const session = await sessionOn(world);
  const waiting = await verified(session);
  world.tree.set('src/two.ts', Uint8Array.of(0xff, 0xfe, 0));
  await expect(session.changes.apply({ proposal: waiting.id, by: 'person', signal: never })).rejects.toMatchObject({
    reason: 'stale',
  });
  expect(world.written).toEqual([]);
});
